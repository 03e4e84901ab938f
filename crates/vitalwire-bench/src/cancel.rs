//! Cancellation: the time from dropping a call until the server sees the connection close.

use std::io::ErrorKind;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use tokio::io::AsyncReadExt;
use tokio::net::TcpListener;
use tokio::time::timeout;
use vitalwire::Client;

use crate::report::Line;
use crate::rounds::Budget;
use crate::server;

/// Maximum time from the drop to the close, in milliseconds.
const MAX_MILLISECONDS: f64 = 250.0;
/// Maximum time that the server waits for the connection to close.
const PATIENCE: Duration = Duration::from_secs(5);

/// Measures several calls and reports the slowest.
///
/// # Errors
/// Fails if a connection is not closed within five seconds.
pub fn run(budget: Budget) -> Result<Vec<Line>> {
    let mut slowest = 0.0_f64;
    for _ in 0..budget.rounds.min(11) {
        slowest = slowest.max(server::runtime()?.block_on(close_time())?.as_secs_f64() * 1e3);
    }
    let line = Line::new("cancelled call: connection closed after", format!("{slowest:.2} ms"), String::new(), slowest);
    Ok(vec![line.at_most(MAX_MILLISECONDS)])
}

async fn close_time() -> Result<Duration> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let client = Client::builder().base_url(format!("http://{}", listener.local_addr()?)).token("bench").no_proxy().build()?;
    let mut call = Box::pin(client.user().info().send());
    let mut buffer = [0; 4_096];
    let receive = async {
        let (mut stream, _) = listener.accept().await?;
        ensure!(stream.read(&mut buffer).await? > 0, "no request came");
        Ok(stream)
    };
    let mut stream = tokio::select! {
        _ = &mut call => bail!("a call without a response completed"),
        stream = receive => stream?,
    };
    let dropped = Instant::now();
    drop(call);
    let end = timeout(PATIENCE, stream.read(&mut buffer)).await.context("the connection stayed open")?;
    let taken = dropped.elapsed();
    ensure!(end.map_or_else(|error| error.kind() == ErrorKind::ConnectionReset, |read| read == 0), "the connection stayed open");
    Ok(taken)
}

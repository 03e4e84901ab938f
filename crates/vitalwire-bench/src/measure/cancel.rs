//! Cancellation: the time from dropping a call until the server sees the connection close.

use std::io::Read;
use std::net::TcpListener;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail, ensure};
use tokio::sync::oneshot;
use vitalwire::Client;

use super::{Effort, server};
use crate::report::Line;

/// Maximum time from the drop to the close, in milliseconds.
const GATE: f64 = 250.0;
/// Maximum time that the server waits for the connection to close.
const PATIENCE: Duration = Duration::from_secs(5);

/// Measures several calls and reports the slowest.
///
/// # Errors
/// Fails if a connection is not closed within five seconds.
pub fn run(effort: Effort) -> Result<Vec<Line>> {
    let mut slowest = 0.0_f64;
    for _ in 0..effort.rounds.min(11) {
        slowest = slowest.max(measure_once()?.as_secs_f64() * 1e3);
    }
    Ok(vec![Line::new("cancelled call: connection closed after", format!("{slowest:.2} ms"), String::new(), slowest).at_most(GATE)])
}

fn measure_once() -> Result<Duration> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    let (received, was_received) = oneshot::channel();
    let (closed, was_closed) = oneshot::channel();
    let server = std::thread::spawn(move || serve(&listener, received, closed));
    let taken = server::runtime()?.block_on(async {
        let client = Client::builder().base_url(format!("http://{address}")).token("bench").no_proxy().build()?;
        let mut call = Box::pin(client.user().info().send());
        tokio::select! {
            _ = &mut call => bail!("a call without a response completed"),
            request = was_received => request.context("no request came")?,
        }
        let dropped = Instant::now();
        drop(call);
        // The runtime keeps running, because one of its tasks owns the connection.
        let closed: Instant = tokio::time::timeout(PATIENCE, was_closed).await?.context("the connection stayed open")?;
        Ok(closed.saturating_duration_since(dropped))
    });
    server.join().map_err(|_| anyhow!("the server's thread failed"))??;
    taken
}

/// Accepts one request, sends no response, and reports when the connection ends.
fn serve(listener: &TcpListener, received: oneshot::Sender<()>, closed: oneshot::Sender<Instant>) -> Result<()> {
    let (mut stream, _) = listener.accept()?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let mut buffer = [0; 4_096];
    ensure!(stream.read(&mut buffer)? > 0, "no request came");
    let _ = received.send(());
    let end = stream.read(&mut buffer);
    let at = Instant::now();
    let ended = match end {
        Ok(read) => read == 0,
        Err(error) => error.kind() == std::io::ErrorKind::ConnectionReset,
    };
    ensure!(ended, "the connection stayed open");
    let _ = closed.send(at);
    Ok(())
}

//! The sandbox: throughput of a small response compared with a bare axum handler, and the speed of writing a year of hours.

use std::cell::Cell;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use axum::Json;
use axum::routing::get;
use bytes::Bytes;
use futures_util::future::try_join_all;
use http_body_util::{BodyExt, Empty};
use hyper::client::conn::http1::{self, SendRequest};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;

use super::rounds;
use super::{Effort, server};
use crate::report::Line;
use crate::sandbox;

/// Minimum ratio of the sandbox's throughput to that of the bare handler.
const MIN_USER_INFO_RATIO: f64 = 0.5;
/// Minimum speed, in megabytes of JSON per second.
const MIN_HOURS_SPEED: f64 = 30.0;
const PARALLEL_CALLS: usize = 32;
const CALLS: usize = 16;
/// Number of reads of a year, of which the median is reported.
const YEARS: usize = 9;

/// Runs both benchmarks.
///
/// # Errors
/// Fails if the sandbox does not start or does not respond.
pub fn run(effort: Effort) -> Result<Vec<Line>> {
    Ok(vec![user_info(effort)?, hours()?])
}

fn user_info(effort: Effort) -> Result<Line> {
    let app = sandbox::builder(1).app("http://127.0.0.1")?;
    let ours = serve(app.token().to_owned(), app.router())?;
    let runtime = server::runtime()?;
    let mut our_connections = runtime.block_on(connect(&ours))?;
    let body = runtime.block_on(call(&mut our_connections[0], &ours))?;
    // The minimum work of a handler: serialize the same value for each request.
    let value: Value = serde_json::from_slice(&body)?;
    let handler = move || std::future::ready(Json(value.clone()));
    let bare = serve(ours.token.clone(), axum::Router::new().route("/v3/userinfo", get(handler)))?;
    let mut bare_connections = runtime.block_on(connect(&bare))?;
    let pair = rounds::compare(effort, || all(&runtime, &mut our_connections, &ours), || all(&runtime, &mut bare_connections, &bare))?;
    #[expect(clippy::cast_precision_loss, reason = "a few hundred calls")]
    let rate = |seconds: f64| format!("{:.0} calls/s", (PARALLEL_CALLS * CALLS) as f64 / seconds);
    Ok(Line::new("sandbox, user information (compared with bare axum)", rate(pair.ours), rate(pair.baseline), pair.speed)
        .at_least(MIN_USER_INFO_RATIO))
}

/// A service on its own thread.
struct Service {
    address: SocketAddr,
    token: String,
}

fn serve(token: String, router: axum::Router) -> Result<Service> {
    let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    let runtime = server::runtime()?;
    std::thread::Builder::new().name("sandbox".to_owned()).spawn(move || {
        runtime.block_on(async move {
            let Ok(listener) = TcpListener::from_std(listener) else { return };
            let _ = axum::serve(listener, router).await;
        });
    })?;
    Ok(Service { address, token })
}

async fn connect(to: &Service) -> Result<Vec<SendRequest<Empty<Bytes>>>> {
    try_join_all((0..PARALLEL_CALLS).map(|_| async {
        let stream = TcpStream::connect(to.address).await?;
        stream.set_nodelay(true)?;
        let (sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
        tokio::spawn(connection);
        Ok(sender)
    }))
    .await
}

async fn call(sender: &mut SendRequest<Empty<Bytes>>, to: &Service) -> Result<Bytes> {
    sender.ready().await?;
    let request = hyper::Request::get("/v3/userinfo")
        .header(hyper::header::HOST, to.address.to_string())
        .header(hyper::header::AUTHORIZATION, format!("Bearer {}", to.token))
        .body(Empty::new())?;
    let response = sender.send_request(request).await?;
    anyhow::ensure!(response.status().is_success(), "user information has status {}", response.status());
    Ok(response.into_body().collect().await?.to_bytes())
}

fn all(runtime: &Runtime, connections: &mut [SendRequest<Empty<Bytes>>], to: &Service) -> Result<()> {
    runtime.block_on(async {
        let in_a_row = async |sender: &mut SendRequest<Empty<Bytes>>| -> Result<()> {
            for _ in 0..CALLS {
                std::hint::black_box(call(sender, to).await?);
            }
            Ok(())
        };
        try_join_all(connections.iter_mut().map(in_a_row)).await.map(drop)
    })
}

/// Measures how fast the sandbox writes, without a socket.
fn hours() -> Result<Line> {
    let runtime = server::runtime()?;
    let app = sandbox::builder(1).app("http://127.0.0.1")?;
    let (router, path) = (app.router(), sandbox::year_of_hours());
    let bytes = Cell::new(0);
    let year = || -> Result<Duration> {
        let started = Instant::now();
        bytes.set(runtime.block_on(sandbox::read(&router, &path, app.token()))?);
        Ok(started.elapsed())
    };
    year()?;
    let times = (0..YEARS).map(|_| year().map(|time| time.as_secs_f64())).collect::<Result<Vec<f64>>>()?;
    let seconds = rounds::median(times);
    #[expect(clippy::cast_precision_loss, reason = "a few million bytes")]
    let megabytes = bytes.get() as f64 / 1e6;
    let text = format!("{megabytes:.2} MB in {:.1} ms", seconds * 1e3);
    let speed = Some(megabytes / seconds).filter(|speed| speed.is_finite()).context("no time has passed")?;
    Ok(Line::new("sandbox, MB/s of a year of hours", text, String::new(), speed).at_least(MIN_HOURS_SPEED))
}

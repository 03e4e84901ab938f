//! The sandbox: throughput of a small response compared with a bare axum handler, and the speed of writing a year of hours.

use std::cell::Cell;
use std::net::SocketAddr;
use std::time::Instant;

use anyhow::{Result, ensure};
use axum::routing::get;
use axum::{Json, Router};
use bytes::Bytes;
use futures_util::future::try_join_all;
use http_body_util::{BodyExt, Empty};
use hyper::Request;
use hyper::client::conn::http1::{self, SendRequest};
use hyper::header::{AUTHORIZATION, HOST};
use hyper::service::Service as _;
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use serde_json::Value;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use vitalwire_sandbox::civil::{Date, date};
use vitalwire_sandbox::{Builder, Sandbox};

use crate::report::Line;
use crate::rounds::{self, Budget, Clock, median, timed};
use crate::server;

/// Minimum ratio of the sandbox's throughput to that of the bare handler.
const MIN_USER_INFO_RATIO: f64 = 0.5;
/// Minimum speed, in megabytes of JSON per second.
const MIN_HOURS_SPEED: f64 = 30.0;
const PARALLEL_CALLS: usize = 32;
const CALLS: usize = 16;
/// Number of reads of a year, of which the median is reported.
const YEARS: usize = 9;
/// Current date of the sandbox, which has data for the year before.
const TODAY: Date = date(2025, 11, 21);

/// Names of all hourly values.
const HOURLY: &str = "calories_burned_active,calories_burned_basal,calories_burned_total,distance_cycling,distance_running,\
    distance_total,distance_walking,heartrate,heartrate_max,heartrate_min,heartrate_resting,hrv_rmssd,hrv_sdnn,\
    sleep_skin_temperature_deviation,steps";
/// Names of the additional daily values.
const SCORES: &str = "activity_score,recovery_score,sleep_duration_total,sleep_score,stress_score";

/// Returns the builder of a sandbox with this number of people.
pub fn builder(people: usize) -> Builder {
    Sandbox::builder().seed(7).today(TODAY).people(people)
}

/// Returns the path for a year of days with all values.
#[must_use]
pub fn year_of_days() -> String {
    format!("/v3/queries/statistics/daily?from_date=2024-11-20&to_date=2025-11-19&types={HOURLY},{SCORES}")
}

/// Calls a router without a socket, discards the body as it arrives, and returns its length in bytes.
///
/// # Errors
/// Fails if the status is not a success.
pub async fn read(router: &Router, path: &str, token: &str) -> Result<usize> {
    let request = Request::get(path).header(AUTHORIZATION, format!("Bearer {token}")).body(Empty::<Bytes>::new())?;
    let response = TowerToHyperService::new(router.clone()).call(request.map(axum::body::Body::new)).await?;
    ensure!(response.status().is_success(), "{path} has status {}", response.status());
    let (mut body, mut bytes) = (response.into_body(), 0);
    while let Some(frame) = body.frame().await {
        bytes += frame?.data_ref().map_or(0, Bytes::len);
    }
    Ok(bytes)
}

/// Runs both benchmarks.
///
/// # Errors
/// Fails if the sandbox does not start or does not respond.
pub fn run(budget: Budget) -> Result<Vec<Line>> {
    Ok(vec![user_info(budget)?, hours()?])
}

fn user_info(budget: Budget) -> Result<Line> {
    let app = builder(1).app("http://127.0.0.1")?;
    let runtime = server::runtime()?;
    let mut ours = runtime.block_on(connect(serve(app.router())?))?;
    let request = Request::get("/v3/userinfo").header(HOST, "127.0.0.1").header(AUTHORIZATION, format!("Bearer {}", app.token()));
    let request = request.body(Empty::new())?;
    // The minimum work of a handler: serialize the same value for each request.
    let value: Value = serde_json::from_slice(&runtime.block_on(call(&mut ours[0], &request))?)?;
    let handler = move || std::future::ready(Json(value.clone()));
    let mut bare = runtime.block_on(connect(serve(Router::new().route("/v3/userinfo", get(handler)))?))?;
    let [ours, bare] = [&mut ours, &mut bare].map(|connections| timed(|| call_all(&runtime, connections, &request)));
    let found = rounds::compare(budget, vec![ours, bare])?;
    #[expect(clippy::cast_precision_loss, reason = "a few hundred calls")]
    let rate = |side| format!("{:.0} calls/s", (PARALLEL_CALLS * CALLS) as f64 / found.median(side, Clock::Wall));
    let line = Line::new("sandbox, user information (compared with bare axum)", rate(0), rate(1), found.ratio(1, 0));
    Ok(line.at_least(MIN_USER_INFO_RATIO))
}

/// Serves a router on its own thread until the program ends.
fn serve(router: Router) -> Result<SocketAddr> {
    let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    let runtime = server::runtime()?;
    std::thread::spawn(move || runtime.block_on(async move { axum::serve(TcpListener::from_std(listener)?, router).await }));
    Ok(address)
}

async fn connect(address: SocketAddr) -> Result<Vec<SendRequest<Empty<Bytes>>>> {
    try_join_all((0..PARALLEL_CALLS).map(|_| async {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        let (sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
        tokio::spawn(connection);
        Ok(sender)
    }))
    .await
}

async fn call(sender: &mut SendRequest<Empty<Bytes>>, request: &Request<Empty<Bytes>>) -> Result<Bytes> {
    sender.ready().await?;
    let response = sender.send_request(request.clone()).await?;
    ensure!(response.status().is_success(), "user information has status {}", response.status());
    Ok(response.into_body().collect().await?.to_bytes())
}

fn call_all(runtime: &Runtime, connections: &mut [SendRequest<Empty<Bytes>>], request: &Request<Empty<Bytes>>) -> Result<()> {
    let in_a_row = async |sender: &mut SendRequest<Empty<Bytes>>| -> Result<()> {
        for _ in 0..CALLS {
            std::hint::black_box(call(sender, request).await?);
        }
        Ok(())
    };
    runtime.block_on(try_join_all(connections.iter_mut().map(in_a_row))).map(drop)
}

/// Measures how fast the sandbox writes, without a socket.
fn hours() -> Result<Line> {
    let runtime = server::runtime()?;
    let app = builder(1).app("http://127.0.0.1")?;
    let range = "from_timestamp=2024-11-20T00:00:00Z&to_timestamp=2025-11-20T00:00:00Z";
    let (router, path) = (app.router(), format!("/v3/queries/statistics/interval?interval=1h&{range}&types={HOURLY}"));
    let bytes = Cell::new(0);
    let year = || -> Result<f64> {
        let started = Instant::now();
        bytes.set(runtime.block_on(read(&router, &path, app.token()))?);
        Ok(started.elapsed().as_secs_f64())
    };
    year()?;
    let seconds = median((0..YEARS).map(|_| year()).collect::<Result<_>>()?);
    #[expect(clippy::cast_precision_loss, reason = "a few million bytes")]
    let megabytes = bytes.get() as f64 / 1e6;
    let text = format!("{megabytes:.2} MB in {:.1} ms", seconds * 1e3);
    Ok(Line::new("sandbox, MB/s of a year of hours", text, String::new(), megabytes / seconds).at_least(MIN_HOURS_SPEED))
}

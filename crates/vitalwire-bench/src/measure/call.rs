//! Small calls: user information over loopback, compared with reqwest and serde_json, and with hyper. Also compares blocking calls with
//! async calls.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use bytes::Bytes;
use futures_util::future::try_join_all;
use http_body_util::{BodyExt, Empty};
use hyper::client::conn::http1::{self, SendRequest};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::runtime::Runtime;
use vitalwire::Client;

use super::rounds::{self, Pair};
use super::{Effort, server};
use crate::report::Line;
use crate::{baseline, payload};

/// Maximum ratio of our time to the baseline's, for sequential calls.
const SEQUENTIAL_GATE: f64 = 1.12;
/// Maximum ratio of our time to the baseline's, for concurrent calls.
const PARALLEL_GATE: f64 = 1.2;
/// Maximum ratio of the time of a blocking call to that of an async call.
const BLOCKING_GATE: f64 = 1.01;
/// Consecutive calls per run, so that the cost of entering the runtime is negligible.
const CALLS: usize = 16;
const PARALLEL_CALLS: usize = 32;
/// Timeout of the baseline that has one, as our calls always do.
const TIMEOUT: Duration = Duration::from_secs(30);
pub(super) const TOKEN: &str = "bench-token";

/// Measures sequential calls, then 32 concurrent ones.
///
/// # Errors
/// Any error of a call.
pub fn run(effort: Effort) -> Result<Vec<Line>> {
    let address = server::start(payload::user_info(), None)?;
    let runtime = server::runtime()?;
    let client = || Client::builder().base_url(format!("http://{address}")).token(TOKEN).no_proxy().build();
    let ours = client()?;
    let bare = reqwest_client()?.build()?;
    let timed = reqwest_client()?.timeout(TIMEOUT).build()?;
    let url = format!("http://{address}/v3/userinfo");
    let mut lines = Vec::new();
    for (name, parallel, gate) in [("call, sequential", 1, SEQUENTIAL_GATE), ("call, 32 at once", PARALLEL_CALLS, PARALLEL_GATE)] {
        let calls = parallel * CALLS;
        let mut raw = runtime.block_on(try_join_all((0..parallel).map(|_| connect(address))))?;
        let run_ours = || block_on_all(&runtime, parallel, || call_ours(&ours));
        let run_bare = || block_on_all(&runtime, parallel, || call_reqwest(&bare, &url));
        let pair = rounds::compare(effort, run_ours, run_bare)?;
        lines.push(line(name, "", pair, calls).at_most(gate));
        let run_timed = || block_on_all(&runtime, parallel, || call_reqwest(&timed, &url));
        let pair = rounds::compare(effort, run_ours, run_timed)?;
        lines.push(line(name, " (reqwest with a timeout as the baseline)", pair, calls));
        let run_raw =
            || runtime.block_on(async { try_join_all(raw.iter_mut().map(|sender| call_hyper(sender, address))).await.map(|_| ()) });
        let pair = rounds::compare(effort, run_raw, || block_on_all(&runtime, parallel, || call_reqwest(&bare, &url)))?;
        lines.push(line(name, " (raw hyper in our place)", pair, calls));
    }
    // A connection belongs to the runtime that opened it, so each side has its own. Both enter it at each call.
    let blocking = client()?;
    let run_blocking = || (0..CALLS).try_for_each(|_| call_blocking(&blocking));
    let pair = rounds::compare(effort, run_blocking, || (0..CALLS).try_for_each(|_| runtime.block_on(call_ours(&ours))))?;
    lines.push(line("call, blocking", " (ours, awaited, as the baseline)", pair, CALLS).at_most(BLOCKING_GATE));
    Ok(lines)
}

fn call_blocking(client: &Client) -> Result<()> {
    std::hint::black_box(client.user().info().send_blocking()?);
    Ok(())
}

fn line(name: &str, what: &str, pair: Pair, calls: usize) -> Line {
    #[expect(clippy::cast_precision_loss, reason = "a few hundred calls")]
    let each = |seconds: f64| format!("{:.1} us", seconds * 1e6 / calls as f64);
    Line::new(format!("{name}{what}"), each(pair.ours), each(pair.baseline), 1.0 / pair.speed)
}

/// Runs this many tasks concurrently, each with consecutive calls.
fn block_on_all<F: Future<Output = Result<()>>>(runtime: &Runtime, parallel: usize, call: impl Fn() -> F) -> Result<()> {
    runtime.block_on(async {
        let in_a_row = || async {
            for _ in 0..CALLS {
                call().await?;
            }
            Ok(())
        };
        try_join_all((0..parallel).map(|_| in_a_row())).await.map(|_: Vec<()>| ())
    })
}

async fn call_ours(client: &Client) -> Result<()> {
    let user = client.user().info().send().await?;
    std::hint::black_box(user);
    Ok(())
}

/// Creates the builder of a client as in the README of reqwest, with the same TLS library.
pub(super) fn reqwest_client() -> Result<reqwest::ClientBuilder> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_root_certificates(rustls::RootCertStore::empty())
        .with_no_client_auth();
    Ok(reqwest::Client::builder().tls_backend_preconfigured(tls).no_proxy())
}

async fn call_reqwest(client: &reqwest::Client, url: &str) -> Result<()> {
    let body = client.get(url).bearer_auth(TOKEN).send().await?.error_for_status()?.bytes().await?;
    std::hint::black_box(serde_json::from_slice::<baseline::UserInfo>(&body)?);
    Ok(())
}

async fn connect(address: SocketAddr) -> Result<SendRequest<Empty<Bytes>>> {
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    let (sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    Ok(sender)
}

/// Makes `CALLS` calls on one connection, and decodes the responses.
async fn call_hyper(sender: &mut SendRequest<Empty<Bytes>>, address: SocketAddr) -> Result<()> {
    for _ in 0..CALLS {
        sender.ready().await?;
        let request = hyper::Request::get("/v3/userinfo")
            .header(hyper::header::HOST, address.to_string())
            .header(hyper::header::AUTHORIZATION, format!("Bearer {TOKEN}"))
            .body(Empty::new())?;
        let body = sender.send_request(request).await?.into_body().collect().await?.to_bytes();
        std::hint::black_box(serde_json::from_slice::<baseline::UserInfo>(&body)?);
    }
    Ok(())
}

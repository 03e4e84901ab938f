//! Small calls: user information over loopback, compared with reqwest and serde_json. Also compares blocking calls with async calls.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use futures_util::future::try_join_all;
use tokio::runtime::Runtime;
use vitalwire::Client;

use crate::report::Line;
use crate::rounds::{self, Alternative, Budget, Clock, Rounds, consume, timed};
use crate::{baseline, payload, server};

/// Maximum ratios of our time to the baseline's: sequential calls, concurrent calls, and blocking calls against async ones.
const SEQUENTIAL: f64 = 1.12;
const PARALLEL: f64 = 1.2;
const BLOCKING: f64 = 1.01;
/// Consecutive calls per run, so that the cost of entering the runtime is negligible.
const CALLS: usize = 16;
const PARALLEL_CALLS: usize = 32;
/// Timeout of the baseline that has one, as our calls always do.
const TIMEOUT: Duration = Duration::from_secs(30);
pub(crate) const TOKEN: &str = "bench-token";

/// Measures sequential calls, then 32 concurrent ones.
///
/// # Errors
/// Any error of a call.
pub fn run(budget: Budget) -> Result<Vec<Line>> {
    let address = server::start(payload::user_info(), None)?;
    let runtime = server::runtime()?;
    let client = || Client::builder().base_url(format!("http://{address}")).token(TOKEN).no_proxy().build();
    let ours = client()?;
    let bare = reqwest_client()?.build()?;
    let with_timeout = reqwest_client()?.timeout(TIMEOUT).build()?;
    let url = format!("http://{address}/v3/userinfo");
    let mut lines = Vec::new();
    for (name, parallel, gate) in [("call, sequential", 1, SEQUENTIAL), ("call, 32 at once", PARALLEL_CALLS, PARALLEL)] {
        let [run_bare, run_with_timeout] = [&bare, &with_timeout].map(|client| reqwest_calls(&runtime, parallel, client, &url));
        let run_ours = timed(|| runtime.block_on(in_parallel(parallel, async || call_ours(&ours).await)));
        let found = rounds::compare(budget, vec![run_ours, run_bare, run_with_timeout])?;
        lines.push(line(name, &found, 1, parallel).at_most(gate));
        lines.push(line(&format!("{name} (reqwest with a timeout as the baseline)"), &found, 2, parallel));
    }
    // A connection belongs to the runtime that opened it, so each side has its own. Both enter it at each call.
    let blocking = client()?;
    let run_blocking = timed(|| (0..CALLS).try_for_each(|_| consume(blocking.user().info().send_blocking())));
    let run_async = timed(|| (0..CALLS).try_for_each(|_| runtime.block_on(call_ours(&ours))));
    let found = rounds::compare(budget, vec![run_blocking, run_async])?;
    lines.push(line("call, blocking (ours, awaited, as the baseline)", &found, 1, 1).at_most(BLOCKING));
    Ok(lines)
}

fn reqwest_calls<'a>(runtime: &'a Runtime, parallel: usize, client: &'a reqwest::Client, url: &'a str) -> Alternative<'a> {
    timed(move || runtime.block_on(in_parallel(parallel, async || call_reqwest(client, url).await)))
}

fn line(name: &str, found: &Rounds, baseline: usize, parallel: usize) -> Line {
    #[expect(clippy::cast_precision_loss, reason = "a few hundred calls")]
    let each = |alternative| format!("{:.1} us", found.median(alternative, Clock::Wall) * 1e6 / (parallel * CALLS) as f64);
    Line::new(name, each(0), each(baseline), found.ratio(0, baseline))
}

/// Runs this many tasks concurrently, each with consecutive calls.
async fn in_parallel(parallel: usize, call: impl AsyncFn() -> Result<()>) -> Result<()> {
    let in_a_row = async || {
        for _ in 0..CALLS {
            call().await?;
        }
        Ok(())
    };
    try_join_all((0..parallel).map(|_| in_a_row())).await.map(drop)
}

async fn call_ours(client: &Client) -> Result<()> {
    consume(client.user().info().send().await)
}

async fn call_reqwest(client: &reqwest::Client, url: &str) -> Result<()> {
    let body = client.get(url).bearer_auth(TOKEN).send().await?.error_for_status()?.bytes().await?;
    consume(serde_json::from_slice::<baseline::UserInfo>(&body))
}

/// Creates the builder of a client as in the README of reqwest, with the same TLS library.
pub(crate) fn reqwest_client() -> Result<reqwest::ClientBuilder> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_root_certificates(rustls::RootCertStore::empty())
        .with_no_client_auth();
    Ok(reqwest::Client::builder().tls_backend_preconfigured(tls).no_proxy())
}

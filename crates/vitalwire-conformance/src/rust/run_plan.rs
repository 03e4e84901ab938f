//! The main loop of the runner: fetches the plan, runs each case, and posts its outcome.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, ensure};
use futures_util::{FutureExt as _, StreamExt as _, stream};
use serde::Deserialize;
use serde_json::{Value, json};

use super::case_report::CaseReport;
use super::settings::Settings;
use super::{log, run_case};
use crate::case::{Call, Options};
use crate::runner::Mode;

/// Maximum number of cases that run at the same time.
const MAX_CASES_AT_ONCE: usize = 16;
/// Maximum number of cases with a deadline that run at the same time. A busy machine would miss more deadlines.
const MAX_TIMED_CASES_AT_ONCE: usize = 8;
/// Timeout of one case. Without an outcome it fails.
const CASE_TIMEOUT: Duration = Duration::from_secs(60);

/// A case in the form of the plan.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlannedCase {
    id: String,
    pub(super) client: Settings,
    pub(super) call: Call,
}

/// Runs the cases of the run that the environment names.
///
/// # Errors
///
/// If the judge cannot be reached.
pub fn main(mode: Mode) -> anyhow::Result<()> {
    let judge = std::env::var("VITALWIRE_JUDGE").context("VITALWIRE_JUDGE is not set")?;
    let run_name = std::env::var("VITALWIRE_RUN").context("VITALWIRE_RUN is not set")?;
    let log = log::capture()?;
    tokio::runtime::Runtime::new()?.block_on(async {
        let http = plain_client()?;
        let plan = http.get(format!("{judge}/plan/{run_name}/json")).send().await?.error_for_status()?;
        let cases: Vec<PlannedCase> = serde_json::from_slice(&plan.bytes().await?).context("the plan")?;
        let post = async |place: String, body: Value| -> anyhow::Result<()> {
            let response = http.post(format!("{judge}/{place}")).body(body.to_string()).send().await?;
            ensure!(response.status().is_success(), "posting to {place}: {}", response.status());
            Ok(())
        };
        let run = async |case: PlannedCase| {
            let id = case.id.clone();
            let reported = tokio::time::timeout(CASE_TIMEOUT, run_one(case, mode)).await.unwrap_or_default();
            let mut posted = json!({ "outcome": reported.outcome, "texts": reported.texts });
            if let Some(attempts) = reported.attempts {
                posted["reported_attempts"] = attempts.into();
            }
            post(format!("outcome/{run_name}/{id}"), posted).await
        };
        let (timed, others): (Vec<_>, Vec<_>) = cases.into_iter().partition(is_timed);
        for (cases, at_once) in [(others, MAX_CASES_AT_ONCE), (timed, MAX_TIMED_CASES_AT_ONCE)] {
            let results: Vec<anyhow::Result<()>> = stream::iter(cases).map(&run).buffer_unordered(at_once).collect().await;
            results.into_iter().collect::<anyhow::Result<()>>()?;
        }
        post(format!("texts/{run_name}"), json!(log.lines())).await
    })
}

fn is_timed(case: &PlannedCase) -> bool {
    if case.client.is_scaled() {
        return true;
    }
    match &case.call {
        Call::Operation(call) => has_times(&call.options),
        Call::Sequence(calls) => calls.iter().any(|call| has_times(&call.options)),
        Call::Wait(wait) => wait.timeout_ms.is_some() || has_times(&wait.options),
        Call::Range(split) => has_times(&split.options),
        Call::Nights(_) | Call::Sync(_) | Call::Webhook(_) | Call::Redirect(_) => false,
    }
}

fn has_times(options: &Options) -> bool {
    options.total_ms.or(options.attempt_ms).or(options.connect_ms).or(options.cancel_after_ms).or(options.close_after_ms).is_some()
}

/// Creates an HTTP client for the judge's plain port. It needs a TLS configuration that it never uses. None is set for the process, so that
/// the client under test must bring its own.
fn plain_client() -> anyhow::Result<reqwest::Client> {
    let tls = rustls::ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_root_certificates(rustls::RootCertStore::empty())
        .with_no_client_auth();
    Ok(reqwest::Client::builder().no_proxy().tls_backend_preconfigured(tls).build()?)
}

async fn run_one(case: PlannedCase, mode: Mode) -> CaseReport {
    if mode == Mode::Async {
        return run_case::run(&case, mode).await;
    }
    // Blocking calls need a thread without a runtime.
    let (sender, receiver) = tokio::sync::oneshot::channel();
    std::thread::spawn(move || sender.send(run_case::run(&case, mode).now_or_never().unwrap_or_default()));
    receiver.await.unwrap_or_default()
}

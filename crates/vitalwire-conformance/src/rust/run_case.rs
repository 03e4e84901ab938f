//! Runs one case.

use std::path::Path;
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::{join, join_all};
use vitalwire::client::{CancelToken, CloseMode};
use vitalwire::{Client, Error};

use super::case_report::{self, CaseReport};
use super::run_plan::PlannedCase;
use crate::case::{Call, Operation, Options, Sync, Wait};
use crate::runner::{self, CallFailure, CallOutcome, CaseError, Mode, PendingCall};

/// Delay between calls in sequence. A connection is reusable shortly after its response.
const DELAY_BETWEEN_CALLS: Duration = Duration::from_millis(200);

/// Runs a case. With [`Mode::Blocking`], the future never suspends.
pub(super) async fn run(case: &PlannedCase, mode: Mode) -> CaseReport {
    let (client, attempts) = match case.client.client() {
        Ok(client_and_log) => client_and_log,
        Err(error) => return CaseReport::invalid_case(&error),
    };
    let report = match client {
        Ok(client) => call(case, &client, mode).await.unwrap_or_else(|error| CaseReport::invalid_case(&error)),
        Err(error) => client_failure(error),
    };
    CaseReport { attempts: attempts.map(|attempts| attempts.all()), ..report }
}

async fn call(case: &PlannedCase, client: &Client, mode: Mode) -> Result<CaseReport, CaseError> {
    let options = match &case.call {
        Call::Operation(Operation { options, .. }) | Call::Wait(Wait { options, .. }) => options.clone(),
        Call::Sequence(calls) => return call_in_sequence(client, calls, mode).await,
        Call::Sync(syncs) => return call_syncs(case, client, syncs, mode).await,
        _ => Options::default(),
    };
    let cancel = CancelToken::new();
    let close_mode = if options.close_ends == Some(true) { CloseMode::Abort } else { CloseMode::Drain };
    if options.close_after_ms == Some(0) {
        client.close(close_mode);
    }
    let start = || match &case.call {
        Call::Operation(call) => {
            runner::send(client, &call.id, &call.arguments, runner::options(&call.options).cancel_token(&cancel), mode)
        }
        Call::Wait(wait) => runner::wait(client, wait, &cancel, mode),
        Call::Range(split) => runner::split(client, split, mode),
        Call::Nights(search) => runner::nights(client, search, mode),
        Call::Sequence(_) | Call::Sync(_) | Call::Webhook(_) | Call::Redirect(_) => {
            let read = call_locally(case);
            Ok(Box::pin(async move { read }) as PendingCall)
        }
    };
    let calls = (0..options.at_once.unwrap_or(1)).map(|_| start()).collect::<Result<Vec<_>, _>>()?;
    // The action of the case on its calls in flight.
    let (closed, after) = (client.clone(), options.cancel_after_ms.or(options.close_after_ms.filter(|after| *after > 0)));
    let end = async move {
        let Some(after) = after else { return };
        mode.sleep(Duration::from_millis(after)).await;
        if options.cancel_after_ms.is_some() { cancel.cancel() } else { closed.close(close_mode) }
    };
    let outcomes = match mode {
        Mode::Async => join(join_all(calls), end).await.0,
        Mode::Blocking => {
            std::thread::spawn(|| end.now_or_never());
            let threads: Vec<_> = calls.into_iter().map(|call| std::thread::spawn(|| call.now_or_never())).collect();
            let outcomes = threads.into_iter().map(|thread| thread.join().ok().flatten());
            outcomes.map(|outcome| outcome.unwrap_or_else(|| Err(Error::internal("a call panicked").into()))).collect()
        }
    };
    Ok(case_report::parallel_report(client, outcomes))
}

async fn call_in_sequence(client: &Client, calls: &[Operation], mode: Mode) -> Result<CaseReport, CaseError> {
    let mut outcomes = Vec::new();
    for call in calls {
        outcomes.push(runner::send(client, &call.id, &call.arguments, runner::options(&call.options), mode)?.await);
        mode.sleep(DELAY_BETWEEN_CALLS).await;
    }
    Ok(case_report::sequence_report(client, outcomes))
}

async fn call_syncs(case: &PlannedCase, client: &Client, syncs: &[Sync], mode: Mode) -> Result<CaseReport, CaseError> {
    let clients = |path: Option<&str>| match path {
        Some(path) => case.client.with_base_path(path).client()?.0.map_err(|error| CaseError::new(error.to_string())),
        None => Ok(client.clone()),
    };
    Ok(case_report::sync_report(runner::syncs(clients, syncs, mode).await?))
}

fn client_failure(error: Error) -> CaseReport {
    let failure = CallFailure::from(error);
    CaseReport { outcome: failure.canonical(), texts: case_report::texts(&failure.error), attempts: None }
}

/// Runs a call that needs no server.
fn call_locally(case: &PlannedCase) -> CallOutcome {
    match &case.call {
        // Plans have bodies as base64, so the folder of fixtures is not used.
        Call::Webhook(webhook) => match crate::bytes::body_bytes(&webhook.body, Path::new("")) {
            Ok(body) => runner::webhook(webhook, &body),
            Err(_) => Err(Error::internal("the plan's body cannot be read").into()),
        },
        Call::Redirect(redirect) => runner::redirect(redirect),
        _ => Err(Error::internal("the call needs a server").into()),
    }
}

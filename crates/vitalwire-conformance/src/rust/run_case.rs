//! Runs one case.

use std::path::Path;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{join, join_all};
use vitalwire::client::{CancelToken, CloseMode};
use vitalwire::{Client, Error};

use super::case_report::{self, CaseReport};
use super::planned_case::PlannedCase;
use crate::case::{Call, Operation, Options, Sync, Wait};
use crate::runner::{self, CallFailure, CallOutcome, CaseError, PendingCall};

/// Delay between calls in sequence. A connection is reusable shortly after its response.
const DELAY_BETWEEN_CALLS: Duration = Duration::from_millis(200);

pub(super) async fn run_async(case: &PlannedCase) -> CaseReport {
    let (client, attempts) = match case.client.client() {
        Ok(client_and_log) => client_and_log,
        Err(error) => return CaseReport::invalid_case(&error),
    };
    let report = match client {
        Ok(client) => call_async(case, &client).await,
        Err(error) => client_failure(error),
    };
    CaseReport { attempts: attempts.map(|attempts| attempts.all()), ..report }
}

async fn call_async(case: &PlannedCase, client: &Client) -> CaseReport {
    let options = match &case.call {
        Call::Operation(Operation { options, .. }) | Call::Wait(Wait { options, .. }) => options.clone(),
        Call::Sequence(calls) => return call_in_sequence(client, calls).await,
        Call::Sync(syncs) => return call_syncs(case, client, syncs, false).await,
        _ => Options::default(),
    };
    let cancel = CancelToken::new();
    close_before_call(client, &options);
    let start = || match &case.call {
        Call::Operation(call) => runner::send(client, &call.id, &call.arguments, runner::options(&call.options).cancel_token(&cancel)),
        Call::Wait(wait) => runner::wait(client, wait, &cancel),
        Call::Range(split) => runner::split(client, split),
        Call::Nights(search) => runner::nights(client, search),
        Call::Sequence(_) | Call::Sync(_) | Call::Webhook(_) | Call::Redirect(_) => {
            let read = call_locally(case);
            Ok(Box::pin(async move { read }) as PendingCall)
        }
    };
    let started: Result<Vec<_>, _> = (0..options.at_once.unwrap_or(1)).map(|_| start()).collect();
    let calls = match started {
        Ok(calls) => join_all(calls),
        Err(error) => return CaseReport::invalid_case(&error),
    };
    let ending = async {
        if let Some((after, end)) = scheduled_end(client, &options, &cancel) {
            tokio::time::sleep(after).await;
            end();
        }
    };
    case_report::parallel_report(client, join(calls, ending).await.0)
}

fn close_before_call(client: &Client, options: &Options) {
    if options.close_after_ms == Some(0) {
        client.close(close_mode(options));
    }
}

/// Returns the action of the case on its call in flight, and the delay before it.
fn scheduled_end(client: &Client, options: &Options, cancel: &CancelToken) -> Option<(Duration, Box<dyn FnOnce() + Send>)> {
    let (client, cancel, close_mode) = (client.clone(), cancel.clone(), close_mode(options));
    match (options.cancel_after_ms, options.close_after_ms.filter(|after| *after > 0)) {
        (Some(after), _) => Some((Duration::from_millis(after), Box::new(move || cancel.cancel()))),
        (None, Some(after)) => Some((Duration::from_millis(after), Box::new(move || client.close(close_mode)))),
        (None, None) => None,
    }
}

fn close_mode(options: &Options) -> CloseMode {
    if options.close_ends == Some(true) { CloseMode::Abort } else { CloseMode::Drain }
}

fn send(client: &Client, call: &Operation) -> Result<PendingCall, CaseError> {
    runner::send(client, &call.id, &call.arguments, runner::options(&call.options))
}

async fn call_in_sequence(client: &Client, calls: &[Operation]) -> CaseReport {
    let mut outcomes = Vec::new();
    for call in calls {
        match send(client, call) {
            Ok(sent) => {
                outcomes.push(sent.await);
                tokio::time::sleep(DELAY_BETWEEN_CALLS).await;
            }
            Err(error) => return CaseReport::invalid_case(&error),
        }
    }
    case_report::sequence_report(client, outcomes)
}

async fn call_syncs(case: &PlannedCase, client: &Client, syncs: &[Sync], is_blocking: bool) -> CaseReport {
    let clients = |path: Option<&str>| match path {
        Some(path) => case.client.with_base_path(path).client()?.0.map_err(|error| CaseError::new(error.to_string())),
        None => Ok(client.clone()),
    };
    match runner::syncs(clients, syncs, is_blocking).await {
        Ok(syncs) => case_report::sync_report(syncs),
        Err(error) => CaseReport::invalid_case(&error),
    }
}

pub(super) fn run_blocking(case: &PlannedCase) -> CaseReport {
    let (client, attempts) = match case.client.client() {
        Ok(client_and_log) => client_and_log,
        Err(error) => return CaseReport::invalid_case(&error),
    };
    let report = client.map_or_else(client_failure, |client| call_blocking(case, &client));
    CaseReport { attempts: attempts.map(|attempts| attempts.all()), ..report }
}

fn call_blocking(case: &PlannedCase, client: &Client) -> CaseReport {
    let cancel = CancelToken::new();
    let send =
        |call: &Operation| runner::send_blocking(client, &call.id, &call.arguments, runner::options(&call.options).cancel_token(&cancel));
    if let Call::Operation(Operation { options, .. }) | Call::Wait(Wait { options, .. }) = &case.call {
        close_before_call(client, options);
        if let Some((after, end)) = scheduled_end(client, options, &cancel) {
            std::thread::spawn(move || {
                std::thread::sleep(after);
                end();
            });
        }
    }
    let outcomes = match &case.call {
        Call::Sequence(calls) => {
            let start = |call| {
                let outcome = send(call);
                std::thread::sleep(DELAY_BETWEEN_CALLS);
                outcome
            };
            return match calls.iter().map(start).collect() {
                Ok(outcomes) => case_report::sequence_report(client, outcomes),
                Err(error) => CaseReport::invalid_case(&error),
            };
        }
        Call::Sync(syncs) => return call_syncs(case, client, syncs, true).now_or_never().unwrap_or_default(),
        Call::Operation(call) => std::thread::scope(|scope| {
            let threads: Vec<_> = (0..call.options.at_once.unwrap_or(1)).map(|_| scope.spawn(|| send(call))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap_or_else(|_| Ok(Err(Error::internal("a call panicked").into())))).collect()
        }),
        Call::Wait(wait) => runner::wait_blocking(client, wait, &cancel).map(|outcome| vec![outcome]),
        Call::Range(split) => runner::split_blocking(client, split).map(|outcome| vec![outcome]),
        Call::Nights(search) => runner::nights_blocking(client, search).map(|outcome| vec![outcome]),
        Call::Webhook(_) | Call::Redirect(_) => Ok(vec![call_locally(case)]),
    };
    match outcomes {
        Ok(outcomes) => case_report::parallel_report(client, outcomes),
        Err(error) => CaseReport::invalid_case(&error),
    }
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
        Call::Operation(_) | Call::Sequence(_) | Call::Wait(_) | Call::Range(_) | Call::Nights(_) | Call::Sync(_) => {
            Err(Error::internal("the call needs a server").into())
        }
    }
}

//! One run of a case.

use std::path::Path;
use std::time::Duration;

use futures_util::future::{join, join_all};
use vitalwire::client::{CancelToken, CloseMode};
use vitalwire::{Client, Error};

use super::planned_case::PlannedCase;
use super::report::{self, Report};
use crate::case::{Call, Operation, Options, Wait};
use crate::runner::{self, CaseError, Failed, Pending, Played};

/// Delay between calls in sequence. A connection is reusable shortly after its response.
const BETWEEN: Duration = Duration::from_millis(200);

/// Runs a case with the async calls.
pub(super) async fn concurrently(case: &PlannedCase) -> Report {
    let (client, told) = match case.client.client() {
        Ok(made) => made,
        Err(error) => return Report::unplayable(&error),
    };
    let reported = match client {
        Ok(client) => awaited(case, &client).await,
        Err(error) => refused(error),
    };
    Report { told: told.map(|told| told.all()), ..reported }
}

async fn awaited(case: &PlannedCase, client: &Client) -> Report {
    let options = match &case.call {
        Call::Operation(Operation { options, .. }) | Call::Wait(Wait { options, .. }) => options.clone(),
        Call::InRow(calls) => return in_row(client, calls).await,
        _ => Options::default(),
    };
    let cancel = CancelToken::new();
    closed_before(client, &options);
    let begin = || match &case.call {
        Call::Operation(call) => runner::send(client, &call.id, &call.arguments, runner::options(&call.options).cancel_token(&cancel)),
        Call::Wait(wait) => runner::wait(client, wait, &cancel),
        Call::Split(split) => runner::split(client, split),
        Call::InRow(_) | Call::Webhook(_) | Call::Redirect(_) => {
            let read = local(case);
            Ok(Box::pin(async move { read }) as Pending)
        }
    };
    let begun: Result<Vec<_>, _> = (0..options.at_once.unwrap_or(1)).map(|_| begin()).collect();
    let calls = match begun {
        Ok(calls) => join_all(calls),
        Err(error) => return Report::unplayable(&error),
    };
    let ending = async {
        if let Some((after, end)) = ended_after(client, &options, &cancel) {
            tokio::time::sleep(after).await;
            end();
        }
    };
    report::same(client, join(calls, ending).await.0)
}

/// Closes the client if the case requires it before the call.
fn closed_before(client: &Client, options: &Options) {
    if options.close_after_ms == Some(0) {
        client.close(closing(options));
    }
}

/// Returns the action of a case on its call in flight, and its delay.
fn ended_after(client: &Client, options: &Options, cancel: &CancelToken) -> Option<(Duration, Box<dyn FnOnce() + Send>)> {
    let (client, cancel, closing) = (client.clone(), cancel.clone(), closing(options));
    match (options.cancel_after_ms, options.close_after_ms.filter(|after| *after > 0)) {
        (Some(after), _) => Some((Duration::from_millis(after), Box::new(move || cancel.cancel()))),
        (None, Some(after)) => Some((Duration::from_millis(after), Box::new(move || client.close(closing)))),
        (None, None) => None,
    }
}

fn closing(options: &Options) -> CloseMode {
    if options.close_ends == Some(true) { CloseMode::Abort } else { CloseMode::Finish }
}

fn send(client: &Client, call: &Operation) -> Result<Pending, CaseError> {
    runner::send(client, &call.id, &call.arguments, runner::options(&call.options))
}

async fn in_row(client: &Client, calls: &[Operation]) -> Report {
    let mut played = Vec::new();
    for call in calls {
        match send(client, call) {
            Ok(sent) => {
                played.push(sent.await);
                tokio::time::sleep(BETWEEN).await;
            }
            Err(error) => return Report::unplayable(&error),
        }
    }
    report::in_row(client, played)
}

/// Runs a case with the blocking calls.
pub(super) fn blocking(case: &PlannedCase) -> Report {
    let (client, told) = match case.client.client() {
        Ok(made) => made,
        Err(error) => return Report::unplayable(&error),
    };
    let reported = client.map_or_else(refused, |client| waited_for(case, &client));
    Report { told: told.map(|told| told.all()), ..reported }
}

fn waited_for(case: &PlannedCase, client: &Client) -> Report {
    let cancel = CancelToken::new();
    let send =
        |call: &Operation| runner::send_blocking(client, &call.id, &call.arguments, runner::options(&call.options).cancel_token(&cancel));
    if let Call::Operation(Operation { options, .. }) | Call::Wait(Wait { options, .. }) = &case.call {
        closed_before(client, options);
        if let Some((after, end)) = ended_after(client, options, &cancel) {
            std::thread::spawn(move || {
                std::thread::sleep(after);
                end();
            });
        }
    }
    let played = match &case.call {
        Call::InRow(calls) => {
            let begin = |call| {
                let played = send(call);
                std::thread::sleep(BETWEEN);
                played
            };
            return match calls.iter().map(begin).collect() {
                Ok(played) => report::in_row(client, played),
                Err(error) => Report::unplayable(&error),
            };
        }
        Call::Operation(call) => std::thread::scope(|scope| {
            let threads: Vec<_> = (0..call.options.at_once.unwrap_or(1)).map(|_| scope.spawn(|| send(call))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap_or_else(|_| Ok(Err(Error::internal("a call panicked").into())))).collect()
        }),
        Call::Wait(wait) => runner::wait_blocking(client, wait, &cancel).map(|played| vec![played]),
        Call::Split(split) => runner::split_blocking(client, split).map(|played| vec![played]),
        Call::Webhook(_) | Call::Redirect(_) => Ok(vec![local(case)]),
    };
    match played {
        Ok(played) => report::same(client, played),
        Err(error) => Report::unplayable(&error),
    }
}

/// Returns the report for a client that cannot be created.
fn refused(error: Error) -> Report {
    let failed = Failed::from(error);
    Report { outcome: failed.canonical(), texts: report::texts(&failed.error), told: None }
}

/// Runs a call that needs no server.
fn local(case: &PlannedCase) -> Played {
    match &case.call {
        // A plan has bodies as base64, so no fixture is needed.
        Call::Webhook(webhook) => match crate::bytes::of(&webhook.body, Path::new("")) {
            Ok(body) => runner::webhook(webhook, &body),
            Err(_) => Err(Error::internal("the plan's body cannot be read").into()),
        },
        Call::Redirect(redirect) => runner::redirect(redirect),
        Call::Operation(_) | Call::InRow(_) | Call::Wait(_) | Call::Split(_) => Err(Error::internal("this is no local call").into()),
    }
}

//! One case's turn.

use std::path::Path;
use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};
use vitalwire::client::CallOptions;
use vitalwire::{Client, Error};

use super::play::{Planned, Reported};
use crate::case::{Call, Options};
use crate::runner::{self, Failed, Pending, Played};

/// Plays a case by the calls that are awaited.
pub(super) async fn concurrently(case: &Planned) -> Reported {
    let client = match client(case) {
        Ok(client) => client,
        Err(reported) => return reported,
    };
    let options = match &case.call {
        Call::Operation { options, .. } => options.clone(),
        _ => Options::default(),
    };
    let begin = || match &case.call {
        Call::Operation { id, arguments, options } => runner::send(&client, id, arguments, of(options)),
        Call::Wait(wait) => runner::wait(&client, wait),
        Call::Split(split) => runner::split(&client, split),
        Call::Webhook(_) | Call::Redirect(_) => {
            let read = local(case);
            Ok(Box::pin(async move { read }) as Pending)
        }
    };
    let begun: Result<Vec<_>, _> = (0..options.at_once.unwrap_or(1)).map(|_| begin()).collect();
    let calls = match begun {
        Ok(calls) => join_all(calls),
        Err(error) => return Reported::unplayable(&error),
    };
    let played = match options.cancel_after_ms {
        // Dropping it is how a call is cancelled.
        Some(wait) => {
            tokio::time::timeout(Duration::from_millis(wait), calls).await.unwrap_or_else(|_| vec![Err(Error::cancelled().into())])
        }
        None => calls.await,
    };
    reported(&client, played)
}

/// Plays a case by the calls that block.
pub(super) fn blocking(case: &Planned) -> Reported {
    let client = match client(case) {
        Ok(client) => client,
        Err(reported) => return reported,
    };
    let played = match &case.call {
        Call::Operation { options: Options { cancel_after_ms: Some(_), .. }, .. } => return Reported::default(),
        Call::Operation { id, arguments, options } => {
            let one = || runner::send_blocking(&client, id, arguments, of(options));
            std::thread::scope(|scope| {
                let threads: Vec<_> = (0..options.at_once.unwrap_or(1)).map(|_| scope.spawn(one)).collect();
                threads
                    .into_iter()
                    .map(|thread| thread.join().unwrap_or_else(|_| Ok(Err(Error::internal("a call panicked").into()))))
                    .collect()
            })
        }
        Call::Wait(wait) => runner::wait_blocking(&client, wait).map(|played| vec![played]),
        Call::Split(split) => runner::split_blocking(&client, split).map(|played| vec![played]),
        Call::Webhook(_) | Call::Redirect(_) => Ok(vec![local(case)]),
    };
    match played {
        Ok(played) => reported(&client, played),
        Err(error) => Reported::unplayable(&error),
    }
}

/// The client; or what is reported where it cannot be made.
fn client(case: &Planned) -> Result<Client, Reported> {
    case.client.client().map_err(|error| {
        let failed = Failed::from(error);
        Reported { outcome: failed.canonical(), texts: texts(&failed.error) }
    })
}

/// What needs no server.
fn local(case: &Planned) -> Played {
    match &case.call {
        // A plan gives bodies as base64: no fixture is looked for.
        Call::Webhook(webhook) => match crate::bytes::of(&webhook.body, Path::new("")) {
            Ok(body) => runner::webhook(webhook, &body),
            Err(_) => Err(Error::internal("the plan's body cannot be read").into()),
        },
        Call::Redirect(redirect) => runner::redirect(redirect),
        Call::Operation { .. } | Call::Wait(_) | Call::Split(_) => Err(Error::internal("this is no local call").into()),
    }
}

fn of(options: &Options) -> CallOptions {
    let Options { total_ms, attempt_ms, connect_ms, retries, allow_resend, token, cancel_after_ms: _, at_once: _ } = options;
    let mut given = CallOptions::new();
    if let Some(time) = total_ms {
        given = given.total_timeout(Duration::from_millis(*time));
    }
    if let Some(time) = attempt_ms {
        given = given.attempt_timeout(Duration::from_millis(*time));
    }
    if let Some(time) = connect_ms {
        given = given.connect_timeout(Duration::from_millis(*time));
    }
    if let Some(retries) = retries {
        given = given.max_retries(*retries);
    }
    if let Some(allow) = allow_resend {
        given = given.allow_resend(*allow);
    }
    if let Some(token) = token {
        given = given.token(token);
    }
    given
}

/// One outcome where all are the same; else each of them, which fits no case.
fn reported(client: &Client, played: Vec<Played>) -> Reported {
    let mut texts_of_all = vec![format!("{client:?}"), format!("{client:#?}")];
    let mut outcomes: Vec<Value> = Vec::new();
    for played in played {
        let outcome = match &played {
            Ok(answer) => {
                let mut outcome = json!({ "value": answer.value, "attempts": answer.attempts });
                if let Some(basis) = answer.basis {
                    outcome["basis"] = basis.into();
                }
                outcome
            }
            Err(failed) => {
                texts_of_all.extend(texts(&failed.error));
                failed.canonical()
            }
        };
        if outcomes.last() != Some(&outcome) {
            outcomes.push(outcome);
        }
    }
    // Calls that share a budget of retries may have different shares of it.
    if outcomes.len() > 1 {
        outcomes.iter_mut().filter_map(Value::as_object_mut).for_each(|outcome| drop(outcome.remove("attempts")));
        outcomes.dedup();
    }
    let outcome = if outcomes.len() == 1 { outcomes.remove(0) } else { json!({ "several": outcomes }) };
    Reported { outcome, texts: texts_of_all }
}

/// What an error shows, with its sources.
fn texts(error: &Error) -> Vec<String> {
    let mut texts = vec![format!("{error}"), format!("{error:?}"), format!("{error:#?}")];
    let mut source = std::error::Error::source(error);
    while let Some(error) = source {
        texts.extend([format!("{error}"), format!("{error:?}")]);
        source = error.source();
    }
    texts
}

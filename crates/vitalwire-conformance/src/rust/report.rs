//! What came of a case's calls, as it is posted.

use serde_json::{Value, json};
use vitalwire::{Client, Error};

use super::play::Reported;
use crate::runner::Played;

/// Of calls at once: one outcome where all are the same; else each of them, which fits no case.
pub(super) fn same(client: &Client, played: Vec<Played>) -> Reported {
    let (texts, mut outcomes) = each(client, &played);
    outcomes.dedup();
    // Calls that share a budget of retries may have different shares of it.
    if outcomes.len() > 1 {
        outcomes.iter_mut().filter_map(Value::as_object_mut).for_each(|outcome| drop(outcome.remove("attempts")));
        outcomes.dedup();
    }
    let outcome = if outcomes.len() == 1 { outcomes.remove(0) } else { json!({ "several": outcomes }) };
    Reported { outcome, texts, told: None }
}

/// Of calls one after the other: each of their outcomes.
pub(super) fn in_row(client: &Client, played: Vec<Played>) -> Reported {
    let (texts, outcomes) = each(client, &played);
    Reported { outcome: json!({ "in_row": outcomes }), texts, told: None }
}

fn each(client: &Client, played: &[Played]) -> (Vec<String>, Vec<Value>) {
    let mut shown = vec![format!("{client:?}"), format!("{client:#?}")];
    let mut outcomes = Vec::new();
    for played in played {
        outcomes.push(match played {
            Ok(answer) => answer.canonical(),
            Err(failed) => {
                shown.extend(texts(&failed.error));
                failed.canonical()
            }
        });
    }
    (shown, outcomes)
}

/// What an error shows, with its sources.
pub(super) fn texts(error: &Error) -> Vec<String> {
    let mut texts = vec![format!("{error}"), format!("{error:?}"), format!("{error:#?}")];
    let mut source = std::error::Error::source(error);
    while let Some(error) = source {
        texts.extend([format!("{error}"), format!("{error:?}")]);
        source = error.source();
    }
    texts
}

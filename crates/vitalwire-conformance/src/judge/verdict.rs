//! Verdicts on cases.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Value, json};

use super::state::{State, default_token};
use super::{attempts, syncs};
use crate::canonical::{differences, normalize, without_nulls};
use crate::case::{Call, Case, CutKind, ExpectedMetadata, LATE, Operation, Outcome, Service, Token};
use crate::expected;
use crate::ledger::Limits;

/// Maximum time between a cancellation and the closing of its connection, with a margin for a busy machine.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);

/// Returns the reasons why a case fails, with canaries removed. Returns none if it passes.
pub(super) fn failure_reasons(state: &State, run: &str, case: &Case, limits: Limits) -> Vec<String> {
    let unused_exchanges = state.unused_exchanges(run, case);
    let (mut found, posted, closed_early, connections) = state.with_case(run, &case.id, |observations| {
        (observations.errors.clone(), observations.posted.clone(), observations.closed_early.clone(), observations.connections.len())
    });
    found.extend(unused_exchanges);
    if let Some(expected) = case.connections.filter(|expected| *expected != connections) {
        found.push(format!("expected {expected} connections, got {connections}"));
    }
    match &posted {
        None => found.push("no outcome was posted".to_owned()),
        Some((posted, at)) => {
            match expected::outcome(case, &state.set.fixtures(), limits.marks) {
                Ok(expected) => found.extend(compare_outcome(case, expected, posted, limits)),
                Err(error) => found.push(format!("the case cannot be judged: {error:#}")),
            }
            found.extend(attempts::differences(case, posted));
            found.extend(find_canaries(case, posted));
            if is_cancelled_in_flight(case) && !closed_early.iter().any(|closed| *closed <= *at + CLOSE_TIMEOUT) {
                found.push("the connection of a cancelled call stayed open".to_owned());
            }
        }
    }
    found.into_iter().map(|text| redact(case, &text)).collect()
}

/// Whether nothing was posted for a case, or a timeout error.
pub(super) fn timed_out(state: &State, run: &str, case: &Case) -> bool {
    let posted = state.with_case(run, &case.id, |observations| observations.posted.clone());
    let outcome = posted.as_ref().map_or(&Value::Null, |(posted, _)| &posted["outcome"]);
    outcome.is_null() || outcome["error"] == "timeout"
}

/// Returns the metadata that a case expects, and the fields of an error that follow from its operation and kind. Some kinds are transient
/// only with some causes.
fn further_fields(case: &Case) -> Value {
    let ExpectedMetadata { attempts, request_id, failed_parts, skipped_items, body_of_exchange: _ } = &case.expected_metadata;
    let (path, transient) = match (&case.call, &case.outcome) {
        (Call::Operation(call), Outcome::Error(failure)) => {
            // Invalid settings create no client, so there is no call.
            let called = failure.kind != "configuration";
            let path = vitalwire::OPERATIONS.iter().find(|operation| called && operation.id == call.id).map(|operation| operation.path);
            let kind = vitalwire::ErrorKind::ALL.iter().find(|kind| kind.as_str() == failure.kind);
            (path, kind.filter(|_| !failure.may_have_taken_effect).and_then(|kind| kind.is_transient()))
        }
        _ => (None, None),
    };
    without_nulls(json!({
        "basis": case.basis,
        "attempts": attempts,
        "request_id": request_id,
        "failed_parts": failed_parts,
        "skipped_items": skipped_items,
        "path_template": path,
        "is_transient": transient,
    }))
}

/// Fields that are compared only if the case states them.
const OPTIONAL: [&str; 11] = [
    "is_transient",
    "path_template",
    "attempts",
    "record_id",
    "argument",
    "json_path",
    "last",
    "basis",
    "request_id",
    "failed_parts",
    "skipped_items",
];

fn compare_outcome(case: &Case, mut expected: Value, posted: &Value, limits: Limits) -> Vec<String> {
    let Some(actual) = posted.get("outcome").filter(|actual| actual.is_object()) else {
        return vec!["the posted report has no outcome".to_owned()];
    };
    if let (Value::Object(expected), Value::Object(fields)) = (&mut expected, further_fields(case)) {
        expected.extend(fields);
        // A cancelled wait reports its state in every language.
        if limits.bare_cancel && !matches!(case.call, Call::Wait(_)) && expected.get("error").is_some_and(|kind| kind == "cancelled") {
            expected.retain(|name, _| name == "error" || name == "code");
        }
    }
    let (expected, actual) = (normalize(&expected, limits.time_digits), normalize(actual, None));
    let attempts = actual.get("attempts").cloned();
    let actual = match (&case.outcome, expected["in_row"].as_array(), actual["in_row"].as_array()) {
        (Outcome::Sequence(_), Some(each), Some(of_each)) if each.len() == of_each.len() => {
            let outcomes = each.iter().zip(of_each).map(|(expected, actual)| checked_fields(expected, actual));
            json!({ "in_row": outcomes.collect::<Vec<_>>() })
        }
        (Outcome::Sync(_), ..) => syncs::comparable(&expected, actual),
        _ => checked_fields(&expected, &actual),
    };
    let mut found: Vec<String> = differences(&expected, &actual).into_iter().map(|what| format!("outcome {what}")).collect();
    if matches!(case.outcome, Outcome::Error(_)) && actual.get("error").is_none() {
        found.insert(0, "an error was expected".to_owned());
    }
    // The number of attempts shows whether a random failure was retried.
    if let (Outcome::Value(_) | Outcome::SameAsReply(_), Some(_), Some(attempts)) = (&case.outcome, actual.get("error"), attempts) {
        found.push(format!("the error came after {attempts} attempts"));
    }
    found
}

/// Removes the parts of an outcome that the case does not check.
pub(super) fn checked_fields(expected: &Value, actual: &Value) -> Value {
    let mut actual = actual.clone();
    if let Some(fields) = actual.as_object_mut() {
        fields.retain(|name, _| !OPTIONAL.contains(&name.as_str()) || expected.get(name).is_some());
    }
    // A `Retry-After` with a date becomes a shorter delay by the time the runner reads it.
    if let (Some(requested), Some(read)) = (expected["retry_after_ms"].as_u64(), actual["retry_after_ms"].as_u64())
        && requested >= 10_000
        && read < requested
        && requested - read <= 2_000
    {
        actual["retry_after_ms"] = requested.into();
    }
    actual
}

fn secrets(case: &Case) -> impl Iterator<Item = &str> {
    let tokens =
        [(&case.client.token, Service::Health), (&case.client.care_token, Service::Care)].into_iter().flat_map(|(token, service)| {
            match token {
                Token::Text(text) => vec![text.as_str()],
                Token::Provider(texts) => texts.iter().map(|text| text.strip_prefix(LATE).unwrap_or(text)).collect(),
                Token::Usual | Token::Absent | Token::ProviderFails => vec![default_token(service)],
            }
        });
    let syncs = if let Call::Sync(syncs) = &case.call { syncs.as_slice() } else { &[] };
    let of_syncs = syncs.iter().flat_map(|sync| [sync.secret.as_str(), &sync.user]);
    case.canaries.iter().map(String::as_str).chain(tokens).chain(of_syncs).filter(|text| !text.is_empty())
}

/// Returns the cases whose canaries appear in the log of a run.
pub(super) fn leaks<'a>(state: &State, run: &str, cases: &[&'a Case]) -> anyhow::Result<Vec<&'a str>> {
    let all: BTreeSet<&str> = cases.iter().flat_map(|case| secrets(case)).collect();
    let leaked = state.leaked_secrets(run, &Vec::from_iter(all))?;
    Ok(cases.iter().filter(|case| secrets(case).any(|canary| leaked.contains(canary))).map(|case| case.id.as_str()).collect())
}

fn find_canaries(case: &Case, posted: &Value) -> Vec<String> {
    let texts = posted.get("texts").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let leaks = texts.enumerate().filter(|(_, text)| secrets(case).any(|canary| text.contains(canary)));
    let attempts =
        posted.get("reported_attempts").map(Value::to_string).filter(|attempts| secrets(case).any(|canary| attempts.contains(canary)));
    leaks.map(|(at, _)| format!("text {at} shows a canary")).chain(attempts.map(|_| "an attempt shows a canary".to_owned())).collect()
}

fn redact(case: &Case, text: &str) -> String {
    secrets(case).fold(text.to_owned(), |text, canary| text.replace(canary, "***"))
}

fn is_cancelled_in_flight(case: &Case) -> bool {
    let Call::Operation(Operation { options, .. }) = &case.call else { return false };
    let waits = case.exchanges.iter().filter_map(|exchange| exchange.reply.fault.as_ref());
    (options.cancel_after_ms.is_some() || options.close_ends == Some(true))
        && waits
            .into_iter()
            .any(|fault| fault.delay_ms.is_some() || fault.slow.is_some() || fault.cut.as_ref().is_some_and(|cut| cut.end == CutKind::Hang))
}

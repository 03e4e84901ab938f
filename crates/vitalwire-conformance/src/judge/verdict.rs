//! Verdicts on cases.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::Value;

use super::state::{State, usual_token};
use super::told;
use crate::canonical::{differences, normal};
use crate::case::{Answer, Call, Case, End, LATE, Operation, Outcome, Service, Token};
use crate::expected::{self, put};
use crate::ledger::Limits;

/// Maximum time between a cancellation and the closing of its connection, with reserve for a busy machine.
const CLOSES: Duration = Duration::from_secs(1);

/// Returns why a case fails, with canaries removed. Returns nothing if it passes.
pub(super) fn of(state: &State, run: &str, case: &Case, limits: Limits) -> Vec<String> {
    let missing = state.missing(run, case);
    let (mut found, posted, left, connections) =
        state.of(run, &case.id, |seen| (seen.faults.clone(), seen.posted.clone(), seen.left.clone(), seen.connections.len()));
    found.extend(missing);
    if let Some(expected) = case.connections.filter(|expected| *expected != connections) {
        found.push(format!("the requests came on {connections} connections, and must on {expected}"));
    }
    match &posted {
        None => found.push("no outcome was posted".to_owned()),
        Some((posted, at)) => {
            match expected::of(case, &state.set.fixtures(), limits.marks) {
                Ok(expected) => found.extend(outcome(case, expected, posted, limits)),
                Err(error) => found.push(format!("the case cannot be judged: {error:#}")),
            }
            found.extend(told::differences(case, posted));
            found.extend(canaries(case, posted));
            if cancelled_while_waiting(case) && !left.iter().any(|left| *left <= *at + CLOSES) {
                found.push("the connection of a cancelled call stayed open".to_owned());
            }
        }
    }
    found.into_iter().map(|text| redacted(case, &text)).collect()
}

/// Whether nothing was posted for a case, or a timeout error.
pub(super) fn ran_out_of_time(state: &State, run: &str, case: &Case) -> bool {
    let posted = state.of(run, &case.id, |seen| seen.posted.clone());
    let outcome = posted.as_ref().map_or(&Value::Null, |(posted, _)| &posted["outcome"]);
    outcome.is_null() || outcome["error"] == "timeout"
}

/// Returns the expected response metadata.
fn of_answer(case: &Case) -> [(&'static str, Value); 5] {
    let Answer { attempts, request_id, failed_parts, skipped_items, body_of_exchange: _ } = &case.answer;
    let parts = failed_parts.as_ref().map(|parts| parts.iter().map(|(part, kind)| serde_json::json!([part, kind])).collect::<Vec<_>>());
    [
        ("basis", case.basis.clone().into()),
        ("attempts", (*attempts).into()),
        ("request_id", request_id.clone().into()),
        ("failed_parts", parts.into()),
        ("skipped_items", skipped_items.as_ref().map(|items| serde_json::json!(items)).into()),
    ]
}

/// Returns the members of an error that follow from its operation and kind. Some kinds are transient only with some causes.
fn of_operation(case: &Case) -> [(&'static str, Value); 2] {
    let (Call::Operation(call), Outcome::Error(failure)) = (&case.call, &case.outcome) else { return Default::default() };
    // Invalid settings create no client, so there is no call.
    let called = failure.kind != "configuration";
    let path = vitalwire::OPERATIONS.iter().find(|operation| called && operation.id == call.id).map(|operation| operation.path);
    let kind = vitalwire::ErrorKind::ALL.iter().find(|kind| kind.as_str() == failure.kind);
    let transient = kind.filter(|_| !failure.may_have_taken_effect).and_then(|kind| kind.is_transient());
    [("path_template", path.into()), ("is_transient", transient.into())]
}

/// Members that are compared only if the case states them.
const OPTIONAL: [&str; 11] = [
    "is_transient",
    "path_template",
    "attempts",
    "record_id",
    "argument",
    "place",
    "last",
    "basis",
    "request_id",
    "failed_parts",
    "skipped_items",
];

fn outcome(case: &Case, mut expected: Value, posted: &Value, limits: Limits) -> Vec<String> {
    let Some(got) = posted.get("outcome").filter(|got| got.is_object()) else { return vec!["the post has no outcome".to_owned()] };
    if let Some(expected) = expected.as_object_mut() {
        put(expected, of_answer(case));
        put(expected, of_operation(case));
        // A cancelled wait reports its state in every language.
        if limits.bare_cancel && !matches!(case.call, Call::Wait(_)) && expected.get("error").is_some_and(|kind| kind == "cancelled") {
            expected.retain(|name, _| name == "error" || name == "code");
        }
    }
    let (expected, got) = (normal(&expected, limits.time_digits), normal(got, None));
    let attempts = got.get("attempts").cloned();
    let got = match (&case.outcome, expected["in_row"].as_array(), got["in_row"].as_array()) {
        (Outcome::InRow(_), Some(each), Some(of_each)) if each.len() == of_each.len() => {
            serde_json::json!({ "in_row": each.iter().zip(of_each).map(|(expected, got)| looked_at(expected, got)).collect::<Vec<_>>() })
        }
        _ => looked_at(&expected, &got),
    };
    let mut found: Vec<String> = differences(&expected, &got).into_iter().map(|what| format!("outcome {what}")).collect();
    if matches!(case.outcome, Outcome::Error(_)) && got.get("error").is_none() {
        found.insert(0, "an error was expected".to_owned());
    }
    // The number of attempts shows whether a random failure was retried.
    if let (Outcome::Value(_) | Outcome::SameAsReply(_), Some(_), Some(attempts)) = (&case.outcome, got.get("error"), attempts) {
        found.push(format!("the error came after {attempts} attempts"));
    }
    found
}

/// Removes the parts of an outcome that the case does not check.
fn looked_at(expected: &Value, got: &Value) -> Value {
    let mut got = got.clone();
    if let Some(members) = got.as_object_mut() {
        members.retain(|name, _| !OPTIONAL.contains(&name.as_str()) || expected.get(name).is_some());
    }
    // A delay until a date shrinks until it is read.
    if let (Some(asked), Some(read)) = (expected["retry_after_ms"].as_u64(), got["retry_after_ms"].as_u64())
        && asked >= 10_000
        && read < asked
        && asked - read <= 2_000
    {
        got["retry_after_ms"] = asked.into();
    }
    got
}

fn secrets(case: &Case) -> impl Iterator<Item = &str> {
    let tokens =
        [(&case.client.token, Service::Health), (&case.client.care_token, Service::Care)].into_iter().flat_map(|(token, service)| {
            match token {
                Token::Text(text) => vec![text.as_str()],
                Token::Provider(texts) => texts.iter().map(|text| text.strip_prefix(LATE).unwrap_or(text)).collect(),
                Token::Usual | Token::Absent | Token::ProviderFails => vec![usual_token(service)],
            }
        });
    case.canaries.iter().map(String::as_str).chain(tokens).filter(|text| !text.is_empty())
}

/// Returns the cases whose canaries appear in the log of a run.
pub(super) fn leaks<'a>(state: &State, run: &str, cases: &[&'a Case]) -> anyhow::Result<Vec<&'a str>> {
    let all: BTreeSet<&str> = cases.iter().flat_map(|case| secrets(case)).collect();
    let shown = state.shown(run, &Vec::from_iter(all))?;
    Ok(cases.iter().filter(|case| secrets(case).any(|canary| shown.contains(canary))).map(|case| case.id.as_str()).collect())
}

fn canaries(case: &Case, posted: &Value) -> Vec<String> {
    let texts = posted.get("texts").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let leaks = texts.enumerate().filter(|(_, text)| secrets(case).any(|canary| text.contains(canary)));
    let told = posted.get("told").map(Value::to_string).filter(|told| secrets(case).any(|canary| told.contains(canary)));
    leaks.map(|(at, _)| format!("text {at} shows a canary")).chain(told.map(|_| "an attempt shows a canary".to_owned())).collect()
}

fn redacted(case: &Case, text: &str) -> String {
    secrets(case).fold(text.to_owned(), |text, canary| text.replace(canary, "***"))
}

fn cancelled_while_waiting(case: &Case) -> bool {
    let Call::Operation(Operation { options, .. }) = &case.call else { return false };
    let waits = case.exchanges.iter().filter_map(|exchange| exchange.reply.fault.as_ref());
    (options.cancel_after_ms.is_some() || options.close_ends == Some(true))
        && waits
            .into_iter()
            .any(|fault| fault.delay_ms.is_some() || fault.slow.is_some() || fault.cut.as_ref().is_some_and(|cut| cut.end == End::Hang))
}

//! Checks of a set of cases. All findings are reported together.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;
use vitalwire::ErrorKind;

use super::Set;
use crate::case::{Body, Call, Case, Outcome, RangeCall, Wait, Webhook};
use crate::expected;

/// Returns the errors of the cases. Returns nothing if they can be run.
#[must_use]
pub fn findings(set: &Set, statements: &[String]) -> Vec<String> {
    let statements: BTreeSet<&str> = statements.iter().map(String::as_str).collect();
    let mut found = Vec::new();
    let mut report = |case: &Case, finding: String| found.push(format!("{}: {finding}", case.id));
    let mut cases_by_content: BTreeMap<String, &str> = BTreeMap::new();
    let mut previous_id = "";
    for case in set.cases() {
        if case.id == previous_id {
            report(case, "the id must be unique".to_owned());
        }
        previous_id = &case.id;
        if !valid_id(&case.id) {
            report(case, "the id must have the form `area.topic.name`".to_owned());
        }
        if case.title.trim().is_empty() || case.title.contains('\n') {
            report(case, "the title must be a sentence on one line".to_owned());
        }
        for id in case.statements.iter().filter(|id| !statements.contains(id.as_str())) {
            report(case, format!("unknown statement `{id}`"));
        }
        for finding in body_findings(case, &set.fixtures()) {
            report(case, finding);
        }
        if let Call::Wait(Wait { options, .. }) | Call::Range(RangeCall { options, .. }) = &case.call
            && options.at_once.is_some()
        {
            report(case, "`at_once` is not supported for waits and ranges".to_owned());
        }
        if let Call::Range(RangeCall { options, .. }) = &case.call
            && options.cancel_after_ms.or(options.close_after_ms).is_some()
        {
            report(case, "`cancel_after_ms` and `close_after_ms` are not supported for ranges".to_owned());
        }
        if case.canaries.iter().any(|canary| is_number(canary)) {
            report(case, "a canary must contain letters, because digits may be part of a timestamp in the log".to_owned());
        }
        for finding in attempt_findings(case) {
            report(case, finding);
        }
        if let Some(finding) = place_finding(case, &set.fixtures()) {
            report(case, finding);
        }
        for finding in outcome_findings(case) {
            report(case, finding);
        }
        if let Some(earlier_id) = cases_by_content.insert(fingerprint(case), &case.id) {
            report(case, format!("is a duplicate of {earlier_id}"));
        }
    }
    found
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b',' | b':'))
}

/// Checks that every listed place is in the outcome.
fn place_finding(case: &Case, fixtures: &Path) -> Option<String> {
    if case.extra.is_empty() && case.unknown.is_empty() {
        return None;
    }
    expected::outcome(case, fixtures, true).err().map(|error| format!("{error:#}"))
}

fn outcome_findings(case: &Case) -> Vec<String> {
    let (outcomes, calls) = match (&case.outcome, &case.call) {
        (Outcome::Sequence(outcomes), Call::Sequence(calls)) => (outcomes.as_slice(), calls.len()),
        (Outcome::Sync(outcomes), Call::Sync(calls)) if outcomes.len() == calls.len() => return Vec::new(),
        (_, Call::Sync(_)) | (Outcome::Sync(_), _) => {
            return vec!["`sync` must be used in both the call and the outcome, with the same number of items".to_owned()];
        }
        (_, Call::Sequence(_)) | (Outcome::Sequence(_), _) => {
            return vec!["`in_row` must be used in both the call and the outcome, or in neither".to_owned()];
        }
        (outcome, _) => (std::slice::from_ref(outcome), 1),
    };
    let mut findings = Vec::new();
    if outcomes.len() != calls {
        findings.push(format!("expected {calls} outcomes, got {}", outcomes.len()));
    }
    if matches!(case.call, Call::Sequence(_)) && (!case.expected_metadata.is_empty() || case.basis.is_some()) {
        findings.push("`response_metadata` and `basis` are not supported for calls in a row".to_owned());
    }
    let is_json = |at: usize| {
        case.exchanges.get(at).is_some_and(|exchange| matches!(exchange.reply.body, Body::Json(_) | Body::Text(_) | Body::Fixture(_)))
    };
    for outcome in outcomes {
        match outcome {
            Outcome::SameAsReply(at) if !is_json(*at) => findings.push(format!("the response of exchange {at} must be JSON")),
            Outcome::Sequence(_) | Outcome::Sync(_) => findings.push("`in_row` cannot be nested".to_owned()),
            Outcome::SameAsReply(_) | Outcome::Value(_) | Outcome::Error(_) => {}
        }
    }
    findings
}

fn attempt_findings(case: &Case) -> Vec<String> {
    let Some(expected_attempts) = &case.expected_attempts else { return Vec::new() };
    let mut findings = Vec::new();
    if let Call::Operation(call) = &case.call
        && call.options.at_once.is_some()
    {
        findings.push("`reported_attempts` is not supported with `at_once`, because parallel attempts have no order".to_owned());
    }
    for attempt in expected_attempts {
        if !vitalwire::OPERATIONS.iter().any(|known| known.id == attempt.operation) {
            findings.push(format!("unknown operation `{}`", attempt.operation));
        }
        if let Some(kind) = attempt.error.as_deref().filter(|kind| !ErrorKind::ALL.iter().any(|known| known.as_str() == *kind)) {
            findings.push(format!("unknown error kind `{kind}`"));
        }
    }
    findings
}

/// Returns a text that identifies the content of a case. Two cases must not share it.
fn fingerprint(case: &Case) -> String {
    let mut case = case.clone();
    case.id.clear();
    case.title.clear();
    case.statements.clear();
    case.canaries.clear();
    case.extra.clear();
    case.unknown.clear();
    serde_json::to_value(&case).unwrap_or(Value::Null).to_string()
}

fn valid_id(id: &str) -> bool {
    let word = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    id.split('.').count() == 3 && id.split('.').all(word)
}

fn body_findings(case: &Case, fixtures: &Path) -> Vec<String> {
    let webhook = match &case.call {
        Call::Webhook(Webhook { body, .. }) => Some(body),
        _ => None,
    };
    let bodies = case.exchanges.iter().map(|exchange| &exchange.reply.body).chain(webhook);
    bodies.filter_map(|body| crate::bytes::body_bytes(body, fixtures).err()).map(|error| format!("{error:#}")).collect()
}

//! The outcome that a case expects, as canonical JSON with marks.
//!
//! In an outcome, `{"extra": value}` marks a field that the model does not know, and `{"unknown": text}` a value that an open set does not
//! know. A case lists the JSON pointers of all marks.

use std::path::Path;

use anyhow::{Context, ensure};
use serde_json::{Value, json};
use vitalwire::ErrorKind;

use crate::canonical::{without_any_nulls, without_nulls};
use crate::case::{Case, Failure, Outcome, SyncOutcome};

/// Returns the outcome that must be posted, without the fields that are not checked. Without `marked`, it has no marks.
///
/// # Errors
///
/// If the case names an exchange, an error kind or a JSON pointer that does not exist.
pub fn outcome(case: &Case, fixtures: &Path, marked: bool) -> anyhow::Result<Value> {
    let mut outcome = outcome_value(case, &case.outcome, fixtures)?;
    if marked {
        mark(&mut outcome, &case.extra, "extra")?;
        mark(&mut outcome, &case.unknown, "unknown")?;
    }
    Ok(outcome)
}

/// Wraps the values at these JSON pointers. `*` matches any characters within a name.
fn mark(outcome: &mut Value, pointers: &[String], name: &str) -> anyhow::Result<()> {
    for pointer in pointers {
        let names = pointer.strip_prefix('/').with_context(|| format!("the pointer `{pointer}` must begin with `/`"))?;
        let names: Vec<String> = names.split('/').map(|name| name.replace("~1", "/").replace("~0", "~")).collect();
        ensure!(wrap(outcome, &names, name) > 0, "the outcome has no value at `{pointer}`");
    }
    Ok(())
}

/// Wraps values and returns their number.
fn wrap(value: &mut Value, names: &[String], mark: &str) -> usize {
    let Some((first, rest)) = names.split_first() else {
        *value = json!({ mark: value.take() });
        return 1;
    };
    match value {
        Value::Object(fields) => {
            fields.iter_mut().filter(|(name, _)| matches_pattern(first, name)).map(|(_, field)| wrap(field, rest, mark)).sum()
        }
        Value::Array(items) => items
            .iter_mut()
            .enumerate()
            .filter(|(at, _)| matches_pattern(first, &at.to_string()))
            .map(|(_, item)| wrap(item, rest, mark))
            .sum(),
        _ => 0,
    }
}

fn matches_pattern(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((start, end)) => name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end),
    }
}

fn outcome_value(case: &Case, outcome: &Outcome, fixtures: &Path) -> anyhow::Result<Value> {
    let reply = |at: usize| {
        let exchange = case.exchanges.get(at).with_context(|| format!("exchange {at} does not exist"))?;
        crate::bytes::body_bytes(&exchange.reply.body, fixtures)
    };
    let all =
        |outcomes: &[Outcome]| outcomes.iter().map(|outcome| outcome_value(case, outcome, fixtures)).collect::<anyhow::Result<Value>>();
    let mut value = match outcome {
        Outcome::Value(value) => json!({ "value": value }),
        Outcome::SameAsReply(at) => json!({ "value": serde_json::from_slice::<Value>(&reply(*at)?)? }),
        Outcome::Error(failure) => failure_value(failure)?,
        Outcome::Sequence(outcomes) => json!({ "in_row": all(outcomes)? }),
        Outcome::Sync(outcomes) => json!({ "sync": outcomes.iter().map(sync_outcome).collect::<anyhow::Result<Value>>()? }),
    };
    if let Some(at) = kept_body(case, outcome) {
        value["body"] = crate::bytes::hex(&reply(at)?).into();
    }
    Ok(value)
}

/// Returns the index of the exchange whose response body is kept.
fn kept_body(case: &Case, outcome: &Outcome) -> Option<usize> {
    match outcome {
        Outcome::Value(_) | Outcome::SameAsReply(_) => case.expected_metadata.body_of_exchange,
        Outcome::Error(failure) => failure.body_of_exchange,
        Outcome::Sequence(_) | Outcome::Sync(_) => None,
    }
}

fn sync_outcome(outcome: &SyncOutcome) -> anyhow::Result<Value> {
    let mut value = without_any_nulls(serde_json::to_value(outcome)?);
    if let Some(failure) = &outcome.error {
        value["error"] = failure_value(failure)?;
    }
    Ok(value)
}

fn failure_value(failure: &Failure) -> anyhow::Result<Value> {
    // A new field does not compile until it is compared.
    let Failure {
        kind,
        status,
        problem,
        retry_after_ms,
        request_id,
        attempts,
        may_have_taken_effect,
        record_id,
        argument,
        json_path,
        last,
        body_of_exchange: _,
    } = failure;
    let known = ErrorKind::ALL.iter().find(|known| known.as_str() == kind);
    let known = known.with_context(|| format!("unknown error kind `{kind}`"))?;
    Ok(without_nulls(json!({
        "error": kind,
        "code": known.code(),
        "status": status,
        "problem": problem,
        "retry_after_ms": retry_after_ms,
        "request_id": request_id,
        "attempts": attempts,
        "may_have_taken_effect": may_have_taken_effect.then_some(true),
        "record_id": record_id,
        "argument": argument,
        "json_path": json_path,
        "last": last,
    })))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]

    use super::*;

    fn marked(mut value: Value, pointer: &str) -> Result<Value, String> {
        mark(&mut value, &[pointer.to_owned()], "extra").map(|()| value).map_err(|error| error.to_string())
    }

    #[test]
    fn a_pointer_marks_a_value() {
        let value = json!({"value": [{"a": 1}, {"a": null, "b/c~": 2}]});
        assert_eq!(marked(value.clone(), "/value/1/a").unwrap(), json!({"value": [{"a": 1}, {"a": {"extra": null}, "b/c~": 2}]}));
        assert_eq!(marked(value, "/value/1/b~1c~0").unwrap(), json!({"value": [{"a": 1}, {"a": null, "b/c~": {"extra": 2}}]}));
    }

    #[test]
    fn a_star_matches_any_characters_of_one_name() {
        let value = json!({"value": {"m_1": 1, "m_2": 2, "m": 3, "n": [{"m_1": 4}]}});
        let expected = json!({"value": {"m_1": {"extra": 1}, "m_2": {"extra": 2}, "m": 3, "n": [{"m_1": 4}]}});
        assert_eq!(marked(value, "/value/m_*").unwrap(), expected);
        assert_eq!(marked(json!([[1], [2, 3]]), "/*/0").unwrap(), json!([[{"extra": 1}], [{"extra": 2}, 3]]));
    }

    #[test]
    fn a_pointer_without_a_value_is_an_error() {
        assert_eq!(marked(json!({"value": {}}), "/value/a").unwrap_err(), "the outcome has no value at `/value/a`");
        assert_eq!(marked(json!({"value": "a"}), "/value/a").unwrap_err(), "the outcome has no value at `/value/a`");
        assert_eq!(marked(json!({"value": 1}), "value").unwrap_err(), "the pointer `value` must begin with `/`");
    }
}

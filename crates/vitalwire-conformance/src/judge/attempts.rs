//! Reports to the attempt listener.

use std::time::Duration;

use serde_json::{Value, json};
use vitalwire::ErrorKind;

use crate::canonical;
use crate::case::{Attempt, Case};
use crate::plan::RETRY_DELAY_SCALE;

/// Returns the differences between the reported and the expected attempts.
pub(super) fn differences(case: &Case, posted: &Value) -> Vec<String> {
    let (expected, actual) = match (&case.expected_attempts, posted.get("reported_attempts")) {
        (None, None) => return Vec::new(),
        (None, Some(_)) => return vec!["attempts were reported, but the case has no attempt listener".to_owned()],
        (Some(expected), actual) => (expected, actual.and_then(Value::as_array)),
    };
    let Some(actual) = actual else { return vec!["the posted report has no list of attempts".to_owned()] };
    if expected.len() != actual.len() {
        return vec![format!("expected {} attempts, got {}", expected.len(), actual.len())];
    }
    let each = expected.iter().zip(actual).enumerate();
    each.flat_map(|(at, (expected, actual))| compare_attempt(expected, actual).into_iter().map(move |what| format!("attempt {at}: {what}")))
        .collect()
}

fn compare_attempt(expected: &Attempt, actual: &Value) -> Vec<String> {
    let mut actual = canonical::normalize(actual, None);
    let wait = actual.as_object_mut().and_then(|members| {
        // Some languages report the kind as a number.
        let code = members.remove("code").as_ref().and_then(Value::as_u64);
        if let Some(kind) = code.and_then(|code| u16::try_from(code).ok()).and_then(ErrorKind::from_code) {
            members.insert("error".to_owned(), kind.as_str().into());
        }
        members.remove("next_delay_ms")
    });
    let Attempt { operation, attempt, status, error, next_delay_ms, request_id } = expected;
    let known = vitalwire::OPERATIONS.iter().find(|known| known.id == operation);
    let mut expected = json!({
        "operation": operation,
        "http_method": known.map(|known| known.http_method),
        "path_template": known.map(|known| known.path),
        "attempt": attempt,
        "status": status,
        "error": error,
        "request_id": request_id,
    });
    if let Some(members) = expected.as_object_mut() {
        members.retain(|_, value| !value.is_null());
    }
    let mut found = canonical::differences(&expected, &actual);
    match (next_delay_ms, wait) {
        (None, None) => {}
        (None, Some(_)) => found.push("the delay before a next attempt is unexpected".to_owned()),
        (Some(_), None) => found.push("the delay before the next attempt is missing".to_owned()),
        (Some((least, most)), Some(wait)) => {
            let (least, most) = (scale_delay(*least).as_millis(), scale_delay(*most).as_millis());
            if !wait.as_u64().is_some_and(|wait| (least..=most).contains(&wait.into())) {
                found.push(format!("the delay before the next attempt is {wait} ms, but must be {least} to {most} ms"));
            }
        }
    }
    found
}

/// Converts milliseconds to scaled real time.
fn scale_delay(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds).mul_f64(RETRY_DELAY_SCALE)
}

//! Comparison of canonical JSON.

use std::collections::BTreeMap;

use serde_json::Value;

/// Maximum number of differences in a report.
const MAX_DIFFERENCES: usize = 6;
/// Maximum length of a reported value, in characters.
const MAX_VALUE_CHARS: usize = 120;

/// Normalizes a value: whole numbers lose their decimal point, and instants get `time_digits` decimals in languages with fewer than nine.
#[must_use]
pub fn normalize(value: &Value, time_digits: Option<usize>) -> Value {
    match value {
        Value::Number(number) => match number.as_f64() {
            // Within these bounds a double represents every integer exactly.
            #[expect(clippy::cast_possible_truncation, reason = "the guard admits only integers up to 2^53")]
            Some(double) if !number.is_i64() && !number.is_u64() && double.fract() == 0.0 && double.abs() <= 9_007_199_254_740_992.0 => {
                Value::from(double as i64)
            }
            _ => value.clone(),
        },
        Value::String(text) => Value::String(time_digits.and_then(|digits| truncate_instant(text, digits)).unwrap_or_else(|| text.clone())),
        Value::Array(items) => items.iter().map(|item| normalize(item, time_digits)).collect(),
        Value::Object(members) => members.iter().map(|(name, value)| (name.clone(), normalize(value, time_digits))).collect(),
        Value::Null | Value::Bool(_) => value.clone(),
    }
}

/// Removes the members of an object that are null. Keeps those of values in it.
pub(crate) fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(members) => members.into_iter().filter(|(_, value)| !value.is_null()).collect(),
        other => other,
    }
}

/// Removes the members that are null from all objects in a value.
pub(crate) fn without_any_nulls(value: Value) -> Value {
    match without_nulls(value) {
        Value::Object(members) => members.into_iter().map(|(name, value)| (name, without_any_nulls(value))).collect(),
        Value::Array(items) => items.into_iter().map(without_any_nulls).collect(),
        other => other,
    }
}

/// Truncates an instant to this many decimals. Returns `None` for any other text.
fn truncate_instant(text: &str, digits: usize) -> Option<String> {
    let (start, decimals) = text.strip_suffix('Z')?.split_once('.')?;
    let shape = "0000-00-00T00:00:00";
    let fits = start.len() == shape.len()
        && start.bytes().zip(shape.bytes()).all(|(byte, shape)| if shape == b'0' { byte.is_ascii_digit() } else { byte == shape })
        && decimals.bytes().all(|byte| byte.is_ascii_digit())
        // Keep a text with no decimals or with too many.
        && (1..=9).contains(&decimals.len());
    if !fits {
        return None;
    }
    let decimals = decimals.get(..digits.min(decimals.len()))?.trim_end_matches('0');
    Some(if decimals.is_empty() { format!("{start}Z") } else { format!("{start}.{decimals}Z") })
}

/// Returns the first differences between two values, with JSON pointers. Returns none if they are equal.
#[must_use]
pub fn differences(expected: &Value, actual: &Value) -> Vec<String> {
    let mut found = Vec::new();
    compare(expected, actual, &mut String::new(), &mut found);
    let more = found.len().saturating_sub(MAX_DIFFERENCES);
    found.truncate(MAX_DIFFERENCES);
    if more > 0 {
        found.push(format!("and {more} more"));
    }
    found
}

fn compare(expected: &Value, actual: &Value, pointer: &mut String, found: &mut Vec<String>) {
    let shown_pointer = |pointer: &str| if pointer.is_empty() { "the root".to_owned() } else { pointer.to_owned() };
    let length = pointer.len();
    match (expected, actual) {
        (Value::Object(expected), Value::Object(actual)) => {
            // Sorted, because the order of serde_json depends on a feature.
            for (name, value) in expected.iter().collect::<BTreeMap<_, _>>() {
                pointer.push_str(&format!("/{name}"));
                match actual.get(name) {
                    Some(other) => compare(value, other, pointer, found),
                    None => found.push(format!("{pointer}: expected {}, but it is absent", shorten(value))),
                }
                pointer.truncate(length);
            }
            for (name, value) in actual.iter().filter(|(name, _)| !expected.contains_key(*name)).collect::<BTreeMap<_, _>>() {
                found.push(format!("{pointer}/{name}: unexpected, got {}", shorten(value)));
            }
        }
        (Value::Array(expected), Value::Array(actual)) if expected.len() == actual.len() => {
            for (index, (value, other)) in expected.iter().zip(actual).enumerate() {
                pointer.push_str(&format!("/{index}"));
                compare(value, other, pointer, found);
                pointer.truncate(length);
            }
        }
        (Value::Array(expected), Value::Array(actual)) => {
            found.push(format!("{}: expected {} items, got {}", shown_pointer(pointer), expected.len(), actual.len()));
        }
        _ if expected == actual || same_number(expected, actual) => {}
        _ => found.push(format!("{}: expected {}, got {}", shown_pointer(pointer), shorten(expected), shorten(actual))),
    }
}

/// Compares numbers. An integer above 2^53 may be read as a double of the same value.
fn same_number(one: &Value, other: &Value) -> bool {
    let whole = |value: &Value| value.as_i64().map(i128::from).or_else(|| value.as_u64().map(i128::from));
    match (whole(one), whole(other)) {
        #[expect(clippy::cast_possible_truncation, reason = "a double of another size is another number")]
        (Some(whole), None) => other.as_f64().is_some_and(|double| double.fract() == 0.0 && double as i128 == whole),
        (None, Some(_)) => same_number(other, one),
        _ => false,
    }
}

fn shorten(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= MAX_VALUE_CHARS { text } else { text.chars().take(MAX_VALUE_CHARS).chain("…".chars()).collect() }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]

    use serde_json::json;

    use super::*;

    #[test]
    fn whole_numbers_have_no_decimal_point() {
        let read: Value = serde_json::from_str("[72.0, -0.0, 1e3, 9007199254740993, 1.5, 1e300]").unwrap();
        assert_eq!(normalize(&read, None), json!([72, 0, 1000, 9_007_199_254_740_993_i64, 1.5, 1e300]));
    }

    #[test]
    fn a_double_equals_an_integer_of_the_same_value() {
        let same =
            |one: &str, other: &str| differences(&serde_json::from_str(one).unwrap(), &serde_json::from_str(other).unwrap()).is_empty();
        assert!(same("400000000000000000", "4e17") && same("4e17", "400000000000000000"));
        assert!(!same("9007199254740993", "9007199254740992.0") && !same("400000000000000001", "4e17"));
    }

    #[test]
    fn instants_are_truncated_and_other_texts_are_not() {
        let digits = |text: &str| normalize(&json!(text), Some(6));
        assert_eq!(digits("2025-01-01T00:00:00.123456789Z"), "2025-01-01T00:00:00.123456Z");
        assert_eq!(digits("2025-01-01T00:00:00.120000789Z"), "2025-01-01T00:00:00.12Z");
        assert_eq!(digits("2025-01-01T00:00:00.000000789Z"), "2025-01-01T00:00:00Z");
        assert_eq!(digits("version 1.123456789Z"), "version 1.123456789Z");
        assert_eq!(digits("2025-01-01T00:00:00.1234567891Z"), "2025-01-01T00:00:00.1234567891Z");
        assert_eq!(normalize(&json!("2025-01-01T00:00:00.123456789Z"), None), "2025-01-01T00:00:00.123456789Z");
    }

    #[test]
    fn differences_state_their_pointers() {
        let found = differences(&json!({"a": [1, {"b": 2}], "c": null}), &json!({"a": [1, {"b": 3}], "d": 4}));
        assert_eq!(found, ["/a/1/b: expected 2, got 3", "/c: expected null, but it is absent", "/d: unexpected, got 4"]);
        assert!(differences(&json!({"a": 1}), &json!({"a": 1})).is_empty());
        assert_eq!(differences(&json!([]), &json!([1])), ["the root: expected 0 items, got 1"]);
    }
}

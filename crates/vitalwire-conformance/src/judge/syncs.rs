//! Outcomes of syncs.

use serde_json::Value;

use super::verdict::checked_fields;

/// Number of digits of a content key.
const KEY_DIGITS: usize = 12;

/// Replaces the content keys of an outcome with `key 1`, `key 2`, … in the order in which they first appear, because a case cannot state
/// them. Removes the fields of errors that the case does not check.
pub(super) fn comparable(expected: &Value, mut actual: Value) -> Value {
    let mut known = Vec::new();
    for (at, sync) in items(&mut actual, "sync").enumerate() {
        if let Some(error) = sync.get_mut("error") {
            *error = checked_fields(&expected["sync"][at]["error"], error);
        }
        for change in items(sync, "parts").flat_map(|part| items(part, "changes")) {
            for name in ["before", "after"] {
                if let Some(key) = change.get_mut(name) {
                    *key = key_text(key, &mut known).into();
                }
            }
        }
    }
    actual
}

fn items<'a>(value: &'a mut Value, name: &str) -> impl Iterator<Item = &'a mut Value> {
    value.get_mut(name).and_then(Value::as_array_mut).into_iter().flatten()
}

/// Returns the text of a content key in a case.
fn key_text(key: &Value, known: &mut Vec<String>) -> String {
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let Some(key) = key.as_str().filter(|key| key.len() == KEY_DIGITS && key.bytes().all(is_digit)) else {
        return "no content key".to_owned();
    };
    let number = known.iter().position(|other| other == key).unwrap_or_else(|| {
        known.push(key.to_owned());
        known.len() - 1
    });
    format!("key {}", number + 1)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn content_keys_are_numbered_by_their_first_appearance() {
        let outcome = |changes: Value| json!({"sync": [{"parts": [{"changes": changes}]}, {"parts": [], "error": {"error": "network"}}]});
        let posted = outcome(json!([
            {"after": "0123456789ab"},
            {"before": "0123456789ab", "after": "ba9876543210"},
            {"before": "0123456789AB", "after": "0123456789abc"},
            {"after": 1},
        ]));
        let expected = outcome(json!([
            {"after": "key 1"},
            {"before": "key 1", "after": "key 2"},
            {"before": "no content key", "after": "no content key"},
            {"after": "no content key"},
        ]));
        assert_eq!(comparable(&expected, posted), expected);
        assert_eq!(comparable(&expected, json!({"error": "internal"})), json!({"error": "internal"}));
    }

    #[test]
    fn the_fields_of_an_error_that_a_case_does_not_state_are_removed() {
        let expected = json!({"sync": [{"error": {"error": "network", "code": 1}}]});
        let posted = json!({"sync": [{"error": {"error": "network", "code": 1, "attempts": 3, "status": 503}}]});
        assert_eq!(comparable(&expected, posted), json!({"sync": [{"error": {"error": "network", "code": 1, "status": 503}}]}));
    }
}

//! Rewrites of JSON responses into responses that a newer or careless server could send.

use serde_json::{Map, Value, json};

use super::action::Rewrite;

const OPEN_SET_FIELDS: [&str; 7] = ["gender", "input_method", "input_type", "provider_slug", "stage", "status", "unit"];
/// Fields that the interface requires anywhere. `statistics` is left out because it may be null.
const REQUIRED_FIELDS: [&str; 9] =
    ["access_token", "from_date", "id", "lab_report", "modified_at", "record_id", "start_at_timestamp", "status", "to_date"];
/// Required in a nutrition record and optional in a lab report. Left unchanged in both.
const REQUIRED_SOMETIMES: &str = "uploaded_at";
/// Field that contains series. They must keep their length.
const SERIES_FIELD: &str = "samples";

/// Value that no open set contains.
const UNKNOWN_VALUE: &str = "synthetic_unheard_of";
const UNKNOWN_FIELD: &str = "synthetic_new_member";

/// Rewrites a body. Returns `None` if it is not JSON.
pub(crate) fn rewrite(change: &Rewrite, body: &[u8]) -> Option<Vec<u8>> {
    let mut value: Value = serde_json::from_slice(body).ok()?;
    match change {
        Rewrite::UnknownValues { field } => replace_open_values(&mut value, field.as_deref()),
        Rewrite::UnknownMembers => add_unknown_fields(&mut value, false),
        Rewrite::Nulls { lists, optional } => insert_nulls(&mut value, *lists, *optional),
        Rewrite::MissingOffsets => remove_offsets(&mut value),
    }
    serde_json::to_vec(&value).ok()
}

fn replace_open_values(value: &mut Value, only: Option<&str>) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                let is_open = only.map_or(OPEN_SET_FIELDS.contains(&name.as_str()), |only| only == name);
                match field {
                    Value::String(text) if is_open => UNKNOWN_VALUE.clone_into(text),
                    other => replace_open_values(other, only),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| replace_open_values(item, only)),
        _ => {}
    }
}

/// Whether an object is a number map: all its values are numbers.
fn is_number_map(fields: &Map<String, Value>) -> bool {
    !fields.is_empty() && fields.values().all(Value::is_number)
}

/// Returns the length of the series of an object whose values are all lists. Returns `None` for other objects and for empty ones.
fn series_length(fields: &Map<String, Value>) -> Option<usize> {
    let mut lengths = fields.values().map(|value| value.as_array().map(Vec::len));
    let first = lengths.next()??;
    lengths.all(|length| length.is_some()).then_some(first)
}

/// Adds a field of the type that a new version could add. `in_series` is true below [`SERIES_FIELD`].
fn add_unknown_fields(value: &mut Value, in_series: bool) {
    match value {
        Value::Object(fields) => {
            fields.iter_mut().for_each(|(name, field)| add_unknown_fields(field, in_series || name == SERIES_FIELD));
            let new = match series_length(fields).filter(|_| in_series) {
                Some(length) => json!(vec![0.5; length]),
                // The length of new series is not known.
                None if in_series && fields.is_empty() => return,
                None if is_number_map(fields) => json!(0.5),
                None => json!({ "list": [1, null, "text"], "flag": true }),
            };
            fields.insert(UNKNOWN_FIELD.to_owned(), new);
        }
        Value::Array(items) => items.iter_mut().for_each(|item| add_unknown_fields(item, in_series)),
        _ => {}
    }
}

fn insert_nulls(value: &mut Value, lists: bool, optional: bool) {
    match value {
        Value::Array(_) if lists => *value = Value::Null,
        Value::Array(items) => items.iter_mut().filter(|item| item.is_object()).for_each(|item| insert_nulls(item, lists, optional)),
        Value::Object(fields) => {
            for (name, field) in fields {
                match field {
                    Value::Array(_) => insert_nulls(field, lists, optional),
                    Value::Object(_) if name != SERIES_FIELD => insert_nulls(field, lists, optional),
                    Value::Object(_) => {}
                    _ if optional && !REQUIRED_FIELDS.contains(&name.as_str()) && name != REQUIRED_SOMETIMES => *field = Value::Null,
                    _ => {}
                }
            }
        }
        _ => {}
    }
}

/// Removes offsets: `2025-11-21T12:00:00.5Z` becomes `2025-11-21T12:00:00.5`.
fn remove_offsets(value: &mut Value) {
    match value {
        Value::String(text) if text.ends_with('Z') && text.parse::<jiff::Timestamp>().is_ok() => {
            text.pop();
        }
        Value::Object(fields) => fields.values_mut().for_each(remove_offsets),
        Value::Array(items) => items.iter_mut().for_each(remove_offsets),
        _ => {}
    }
}

/// Truncates a JSON object or array, which is then always malformed. An empty body becomes an open brace.
pub(crate) fn truncate_json(body: &[u8], percent: usize) -> Vec<u8> {
    match body.len() {
        0 => b"{".to_vec(),
        length => body[..(length * percent / 100).clamp(1, (length - 1).max(1))].to_vec(),
    }
}

#[cfg(test)]
mod tests;

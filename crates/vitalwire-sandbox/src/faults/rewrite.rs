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
        Rewrite::UnknownMembers => add_unknown_fields(&mut value),
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

fn add_unknown_fields(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.values_mut().for_each(add_unknown_fields);
            let new = if is_number_map(fields) { json!(0.5) } else { json!({ "list": [1, null, "text"], "flag": true }) };
            fields.insert(UNKNOWN_FIELD.to_owned(), new);
        }
        Value::Array(items) => items.iter_mut().for_each(add_unknown_fields),
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
mod tests {
    use super::*;
    use crate::faults::Fault;
    use crate::faults::action::Action;

    fn change(fault: &str) -> Rewrite {
        let Action::Rewrite(change) = fault.parse::<Fault>().unwrap().action else { panic!("{fault}") };
        change
    }

    fn changed(fault: &str, body: &Value) -> Value {
        serde_json::from_slice(&rewrite(&change(fault), body.to_string().as_bytes()).unwrap()).unwrap()
    }

    fn sleep() -> Value {
        json!({
            "sleep_id": "s", "modified_at": "2025-11-21T06:00:00Z", "start_at_timestamp": "2025-11-20T22:00:00.25Z",
            "sleep_date": "2025-11-21", "score": 80, "input_method": "device", "metrics": {"heartrate": 61.5},
            "samples": {"offsets": [0, 1], "values": {"heartrate": [60, 61]}},
            "stages": [{"stage": "awake", "duration": 60000}], "record_ids": [],
        })
    }

    #[test]
    fn values_of_open_sets_become_unknown() {
        let all = changed("unknown_values", &sleep());
        assert_eq!(all["input_method"], "synthetic_unheard_of");
        assert_eq!(all["stages"][0]["stage"], "synthetic_unheard_of");
        assert_eq!((&all["sleep_id"], &all["sleep_date"], &all["score"]), (&json!("s"), &json!("2025-11-21"), &json!(80)));
        let one = changed("unknown_values; member=stage", &sleep());
        assert_eq!(one["input_method"], "device");
        assert_eq!(one["stages"][0]["stage"], "synthetic_unheard_of");
        // The status of a problem is a number, not a member of an open set.
        assert_eq!(changed("unknown_values", &json!({"status": 404})), json!({"status": 404}));
    }

    #[test]
    fn every_object_gets_an_unknown_field() {
        let new = json!({"list": [1, null, "text"], "flag": true});
        let changed_body = changed("unknown_members", &sleep());
        assert_eq!(changed_body["synthetic_new_member"], new);
        assert_eq!(changed_body["stages"][0]["synthetic_new_member"], new);
        assert_eq!(changed_body["metrics"], json!({"heartrate": 61.5, "synthetic_new_member": 0.5}));
        assert_eq!(changed("unknown_members", &json!([[{}], 1])), json!([[{"synthetic_new_member": new}], 1]));
    }

    #[test]
    fn nulls_are_inserted_only_where_allowed() {
        let mut lists = sleep();
        (lists["stages"], lists["record_ids"]) = (Value::Null, Value::Null);
        assert_eq!(changed("nulls", &sleep()), lists);
        let fields = json!({
            "sleep_id": null, "modified_at": "2025-11-21T06:00:00Z", "start_at_timestamp": "2025-11-20T22:00:00.25Z",
            "sleep_date": null, "score": null, "input_method": null, "metrics": {"heartrate": null},
            "samples": {"offsets": [0, 1], "values": {"heartrate": [60, 61]}},
            "stages": [{"stage": null, "duration": null}], "record_ids": [],
        });
        assert_eq!(changed("nulls; what=members", &sleep()), fields);
        let mut both = fields;
        (both["stages"], both["record_ids"]) = (Value::Null, Value::Null);
        assert_eq!(changed("nulls; what=both", &sleep()), both);
        assert_eq!(changed("nulls", &json!([{"record_id": "r"}])), Value::Null);
        assert_eq!(
            changed("nulls; what=members", &json!(["a", {"record_id": "r", "notes": "n"}])),
            json!(["a", {"record_id": "r", "notes": null}])
        );
    }

    #[test]
    fn date_times_lose_their_offset() {
        let changed_body = changed("missing_offsets", &sleep());
        assert_eq!(changed_body["modified_at"], "2025-11-21T06:00:00");
        assert_eq!(changed_body["start_at_timestamp"], "2025-11-20T22:00:00.25");
        assert_eq!(changed_body["sleep_date"], "2025-11-21");
        assert_eq!(
            changed("missing_offsets", &json!(["Z", "AZ", "2025-11-21T06:00:00+01:00"])),
            json!(["Z", "AZ", "2025-11-21T06:00:00+01:00"])
        );
    }

    #[test]
    fn a_malformed_body_is_never_json() {
        for body in ["{}", "[]", "null", "{\"a\":[1,2]}", ""] {
            for percent in [0, 1, 50, 99, 100] {
                let cut = truncate_json(body.as_bytes(), percent);
                assert!(!cut.is_empty() && serde_json::from_slice::<Value>(&cut).is_err(), "{body} {percent}");
            }
        }
        assert_eq!(rewrite(&change("nulls"), b""), None);
    }
}

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
    // A new series is as long as the others. Without others, its length is not known.
    let series = json!({"heartrate": [60, 61], "synthetic_new_member": [0.5, 0.5]});
    assert_eq!(changed_body["samples"], json!({"offsets": [0, 1], "values": series, "synthetic_new_member": new}));
    let nap = changed("unknown_members", &json!({"samples": {"offsets": [], "durations": [], "values": {}}}));
    assert_eq!(nap["samples"]["values"], json!({}));
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

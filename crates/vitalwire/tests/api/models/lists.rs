//! Lists: absent, null and empty are three things in an optional member, and one in an answer.

use serde_json::json;
use vitalwire::models::{LabReport, LabSection, SleepRecord, UserInfo};
use vitalwire::value::ListMember;

use super::members::written;

fn night(stages: &str) -> SleepRecord {
    let text = format!(r#"{{"modified_at":"2025-01-31T07:00:00Z","start_at_timestamp":"2025-01-30T22:00:00Z"{stages}}}"#);
    serde_json::from_str(&text).unwrap()
}

#[test]
fn three_values() {
    let absent = night("");
    assert!(absent.stages.is_absent() && !absent.stages.is_null() && absent.stages.as_slice().is_empty());
    assert_eq!(written(&absent).get("stages"), None);
    let null = night(r#","stages":null"#);
    assert!(null.stages.is_null() && !null.stages.is_absent() && null.stages.iter().next().is_none());
    assert_eq!(written(&null).get("stages"), Some(&json!(null)));
    let empty = night(r#","stages":[]"#);
    assert!(!empty.stages.is_null() && !empty.stages.is_absent());
    assert_eq!(written(&empty).get("stages"), Some(&json!([])));
    assert_eq!(empty.stages, ListMember::List(Vec::new()));
    assert!(absent != null && null != empty && empty != absent);
    assert_eq!((absent.stages.into_list(), null.stages.into_list(), empty.stages.into_list()), (None, None, Some(Vec::new())));
}

#[test]
fn a_list_of_the_wrong_type_is_absent_and_kept() {
    let odd = night(r#","stages":"none","record_ids":{"0":"a"}"#);
    assert!(odd.stages.is_absent() && odd.record_ids.is_absent());
    assert_eq!((odd.extra.get("stages"), odd.extra.get("record_ids")), (Some(json!("none")), Some(json!({"0": "a"}))));
    assert_eq!(written(&odd)["stages"], "none");
}

#[test]
fn the_last_of_repeated_lists_counts() {
    for (members, expected) in [
        (r#","stages":[{}],"stages":null"#, json!(null)),
        (r#","stages":null,"stages":[{}]"#, json!([{}])),
        (r#","stages":"x","stages":[]"#, json!([])),
        (r#","stages":[{}],"stages":"x""#, json!("x")),
        (r#","stages":[{},{}],"stages":[{}]"#, json!([{}])),
    ] {
        assert_eq!(written(&night(members))["stages"], expected, "{members}");
    }
}

#[test]
fn items_keep_their_order_and_their_own_unknown_members() {
    let night = night(r#","stages":[{"stage":"deep","x":1},{},{"stage":"rem","duration":"long","metrics":{"spo2":"?"}}]"#);
    let stages: Vec<_> = night.stages.iter().map(|stage| stage.stage.as_ref().map_or("-", AsRef::as_ref)).collect();
    assert_eq!(stages, ["deep", "-", "rem"]);
    let back = json!([{"stage": "deep", "x": 1}, {}, {"stage": "rem", "duration": "long", "metrics": {"spo2": "?"}}]);
    assert_eq!(written(&night)["stages"], back);
    assert_eq!((&night.stages).into_iter().count(), 3);
}

#[test]
fn lists_within_lists() {
    let report: LabReport = serde_json::from_value(json!({"record_id": "r", "status": "completed", "sections": [
        {"results": [{"value": 7.2, "value_text": null}, {"value": "7,2"}]}, {"results": null}, {"results": 5}, {}]}))
    .unwrap();
    let shapes: Vec<&ListMember<_>> = report.sections.iter().map(|section: &LabSection| &section.results).collect();
    assert_eq!((shapes[0].as_slice().len(), shapes[1].is_null(), shapes[2].is_absent(), shapes[3].is_absent()), (2, true, true, true));
    let results = shapes[0].as_slice();
    assert_eq!((results[0].value, results[1].value, results[1].extra.get("value")), (Some(7.2), None, Some(json!("7,2"))));
    let back = json!([{"results": [{"value": 7.2}, {"value": "7,2"}]}, {"results": null}, {"results": 5}, {}]);
    assert_eq!(written(&report)["sections"], back);
}

#[test]
fn an_item_of_the_wrong_type_is_an_error_at_any_place() {
    for providers in ["[null]", "[{},null]", "[{},\"x\"]", "[[]]", "[{},{},1]"] {
        let text = format!("{{\"integrated_providers\":{providers}}}");
        assert!(serde_json::from_str::<UserInfo>(&text).is_err(), "{text}");
    }
}

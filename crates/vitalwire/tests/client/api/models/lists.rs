//! Lists: absent, null and empty are three things in an optional member, and one in an answer.

use serde_json::json;
use vitalwire::models::{LabReport, LabSection, SleepRecord, UserInfo};
use vitalwire::value::ListMember;
use vitalwire_testkit::{Server, json as json_answer};

use super::members::written;
use crate::api::client;

const TIMES: &str = r#""modified_at":"2025-01-31T07:00:00Z","start_at_timestamp":"2025-01-30T22:00:00Z""#;

fn night(stages: &str) -> SleepRecord {
    serde_json::from_str(&format!("{{{TIMES}{stages}}}")).unwrap()
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

/// The record survives, and the list is kept as it came: offsets of instants and decimals of numbers too.
#[tokio::test]
async fn a_list_with_an_item_of_the_wrong_type_is_kept_whole() {
    for stages in [
        r#"[null]"#,
        r#"[{},null]"#,
        r#"[{"start_at":"2025-01-30T23:00:00+01:00","duration":72.0,"metrics":{"spo2":97.50}},"x",{"stage":"deep"}]"#,
        r#"[[]]"#,
        r#"[{"metrics":{}},{},true]"#,
        r#"[5,{"unknown":[1,{"a":"b"}]}]"#,
    ] {
        let text = format!(r#"{{{TIMES},"stages":{stages},"score":7}}"#);
        let server = Server::always(json_answer(200, &text));
        let received = client(&server).sleeps().get("id").await.unwrap().into_inner();
        for night in [serde_json::from_str::<SleepRecord>(&text).unwrap(), received] {
            assert!(night.stages.is_absent() && night.score == Some(7), "{text}");
            assert_eq!(night.extra.get_text("stages"), Some(stages));
            assert_eq!(serde_json::to_string(&night).unwrap().matches(stages).count(), 1);
        }
    }
}

#[test]
fn the_innermost_list_is_the_one_that_is_kept() {
    let sections = r#"[{"results":[{"value":1.50},"x"],"loinc_code":"a"},{"results":[{"value":2.0}]}]"#;
    let text = format!(r#"{{"record_id":"r","status":"completed","sections":{sections}}}"#);
    let report: LabReport = serde_json::from_str(&text).unwrap();
    let [broken, whole] = report.sections.as_slice() else { panic!("two sections") };
    assert!(broken.results.is_absent() && broken.loinc_code.as_deref() == Some("a"));
    assert_eq!(broken.extra.get_text("results"), Some(r#"[{"value":1.50},"x"]"#));
    assert_eq!(whole.results.as_slice()[0].value, Some(2.0));
}

#[test]
fn texts_in_a_list_are_kept_with_what_is_none() {
    let night = night(r#","record_ids":["a",7,"b"],"stages":[{"stage":"rem"}]"#);
    assert_eq!((night.record_ids.is_absent(), night.extra.get("record_ids")), (true, Some(json!(["a", 7, "b"]))));
    assert_eq!(night.stages.as_slice().len(), 1);
    let user: UserInfo = serde_json::from_str(r#"{"uid":"u","integrated_providers":[{},"x"]}"#).unwrap();
    assert_eq!((user.uid.as_ref().map(AsRef::as_ref), user.extra.get("integrated_providers")), (Some("u"), Some(json!([{}, "x"]))));
}

/// Both are rare, and each has the body read anew.
#[tokio::test]
async fn a_broken_list_beside_a_number_beyond_a_double() {
    for members in
        [r#""stages":["x",{}],"score":1e400"#, r#""score":1e400,"stages":["x",{}]"#, r#""stages":[{"metrics":{"spo2":1e400}},5]"#]
    {
        let server = Server::always(json_answer(200, &format!("{{{TIMES},{members}}}")));
        let night = client(&server).sleeps().get("id").await.unwrap().into_inner();
        assert!(night.stages.is_absent() && night.score.is_none());
        let kept = |name| night.extra.get_text(name).map(|text| format!("\"{name}\":{text}"));
        assert!(kept("stages").is_some_and(|stages| members.contains(&stages)), "{members}");
        assert_eq!(kept("score").is_some(), members.contains("score"), "{members}");
    }
}

/// The last of repeated members counts, as everywhere.
#[test]
fn a_list_that_comes_again_replaces_the_broken_one() {
    for (members, expected) in [
        (r#","stages":[5],"stages":[{}]"#, json!([{}])),
        (r#","stages":[{}],"stages":[5]"#, json!([5])),
        (r#","stages":[5],"stages":null"#, json!(null)),
    ] {
        assert_eq!(written(&night(members))["stages"], expected, "{members}");
    }
}

/// A gap has its place, so that nothing after it shifts.
#[test]
fn a_null_in_a_series_is_not_a_number() {
    let samples = night(r#","samples":{"offsets":[0,null,2.5],"durations":[null]}"#);
    let offsets = samples.samples.as_ref().unwrap().offsets.as_slice();
    assert!(offsets.len() == 3 && offsets[1].is_nan() && (offsets[0], offsets[2]) == (0.0, 2.5));
    assert_eq!(written(&samples)["samples"], json!({"offsets": [0, null, 2.5], "durations": [null]}));
    assert!(samples == samples.clone() && samples != night(r#","samples":{"offsets":[0,1,2.5],"durations":[null]}"#));
}

/// As any list with an item of the wrong type.
#[test]
fn a_series_with_what_is_no_number_is_kept_as_a_whole() {
    for offsets in ["[0,\"1\"]", "[[0]]", "[1,true,null]", "[1e400]", "[{}]"] {
        let night = night(&format!(r#","samples":{{"offsets":{offsets},"durations":[1]}}"#));
        let samples = night.samples.unwrap();
        assert!(samples.offsets.is_absent() && samples.durations.as_slice() == [1.0], "{offsets}");
        assert_eq!(samples.extra.get_text("offsets"), Some(offsets));
    }
}

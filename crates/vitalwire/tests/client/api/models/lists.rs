//! Lists: an optional field distinguishes absent, null and empty lists. Also tests skipped items.

use serde_json::json;
use vitalwire::models::{LabReport, LabSection, SleepRecord, UserInfo};
use vitalwire::value::ListMember;
use vitalwire::{CallOptions, Error, Response, TableId};
use vitalwire_testkit::{Server, json as json_answer};

use super::fields::to_json;
use crate::api::{builder, client};

const TIMES: &str = r#""modified_at":"2025-01-31T07:00:00Z","start_at_timestamp":"2025-01-30T22:00:00Z""#;

fn night(stages: &str) -> SleepRecord {
    serde_json::from_str(&format!("{{{TIMES}{stages}}}")).unwrap()
}

#[test]
fn absent_null_and_empty_lists_are_distinguished() {
    let absent = night("");
    assert!(absent.stages.is_absent() && !absent.stages.is_null() && absent.stages.as_slice().is_empty());
    assert_eq!(to_json(&absent).get("stages"), None);
    let null = night(r#","stages":null"#);
    assert!(null.stages.is_null() && !null.stages.is_absent() && null.stages.iter().next().is_none());
    assert_eq!(to_json(&null).get("stages"), Some(&json!(null)));
    let empty = night(r#","stages":[]"#);
    assert!(!empty.stages.is_null() && !empty.stages.is_absent());
    assert_eq!(to_json(&empty).get("stages"), Some(&json!([])));
    assert_eq!(empty.stages, ListMember::List(Vec::new()));
    assert!(absent != null && null != empty && empty != absent);
    assert_eq!((absent.stages.into_list(), null.stages.into_list(), empty.stages.into_list()), (None, None, Some(Vec::new())));
}

#[test]
fn a_list_of_the_wrong_type_is_absent_and_kept() {
    let odd = night(r#","stages":"none","record_ids":{"0":"a"}"#);
    assert!(odd.stages.is_absent() && odd.record_ids.is_absent());
    assert_eq!((odd.extra.get("stages"), odd.extra.get("record_ids")), (Some(json!("none")), Some(json!({"0": "a"}))));
    assert_eq!(to_json(&odd)["stages"], "none");
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
        assert_eq!(to_json(&night(members))["stages"], expected, "{members}");
    }
}

#[test]
fn items_keep_their_order_and_their_own_unknown_fields() {
    let night = night(r#","stages":[{"stage":"deep","x":1},{},{"stage":"rem","duration":"long","metrics":{"spo2":"?"}}]"#);
    let stages: Vec<_> = night.stages.iter().map(|stage| stage.stage.as_ref().map_or("-", AsRef::as_ref)).collect();
    assert_eq!(stages, ["deep", "-", "rem"]);
    let expected = json!([{"stage": "deep", "x": 1}, {}, {"stage": "rem", "duration": "long", "metrics": {"spo2": "?"}}]);
    assert_eq!(to_json(&night)["stages"], expected);
    assert_eq!((&night.stages).into_iter().count(), 3);
}

#[test]
fn a_list_within_a_list_follows_the_same_rules() {
    let report: LabReport = serde_json::from_value(json!({"record_id": "r", "status": "completed", "sections": [
        {"results": [{"value": 7.2, "value_text": null}, {"value": "7,2"}]}, {"results": null}, {"results": 5}, {}]}))
    .unwrap();
    let shapes: Vec<&ListMember<_>> = report.sections.iter().map(|section: &LabSection| &section.results).collect();
    assert_eq!((shapes[0].as_slice().len(), shapes[1].is_null(), shapes[2].is_absent(), shapes[3].is_absent()), (2, true, true, true));
    let results = shapes[0].as_slice();
    assert_eq!((results[0].value, results[1].value, results[1].extra.get("value")), (Some(7.2), None, Some(json!("7,2"))));
    let expected = json!([{"results": [{"value": 7.2}, {"value": "7,2"}]}, {"results": null}, {"results": 5}, {}]);
    assert_eq!(to_json(&report)["sections"], expected);
}

/// The response lists the skipped items. Deserialization with serde alone skips the same ones.
#[tokio::test]
async fn an_item_of_the_wrong_type_is_skipped() {
    for (stages, stage_count, skipped) in [
        (r#"[null]"#, 0, &[(0, "null")][..]),
        (r#"[{},null]"#, 1, &[(1, "null")]),
        (r#"[{"start_at":"2025-01-30T23:00:00+01:00","duration":72.0,"metrics":{"spo2":97.50}},"x",{"stage":"deep"}]"#, 2, &[(1, "\"x\"")]),
        (r#"[[ ]]"#, 0, &[(0, "[ ]")]),
        (r#"[{"metrics":{}},{},true]"#, 2, &[(2, "true")]),
        (r#"[5,{"unknown":[1,{"a":"b"}]},1e400]"#, 1, &[(0, "5"), (2, "1e400")]),
    ] {
        let text = format!(r#"{{{TIMES},"stages":{stages},"score":7}}"#);
        let server = Server::always(json_answer(200, &text));
        let received = client(&server).sleeps().get("id").await.unwrap();
        let listed: Vec<_> = received.skipped_items().iter().map(|item| (item.json_path(), item.reason(), item.json())).collect();
        let paths: Vec<_> = skipped.iter().map(|(at, json)| (format!("stages[{at}]"), *json)).collect();
        let expected: Vec<_> = paths.iter().map(|(path, json)| (path.as_str(), "expected an object", *json)).collect();
        assert_eq!((listed, received.skipped_count()), (expected, skipped.len() as u64), "{text}");
        for night in [serde_json::from_str::<SleepRecord>(&text).unwrap(), received.into_inner()] {
            assert_eq!((night.stages.as_slice().len(), night.score, night.extra.is_empty()), (stage_count, Some(7), true), "{text}");
        }
    }
}

#[tokio::test]
async fn strict_lists_reject_an_item_that_would_be_skipped() {
    let text = format!(r#"{{{TIMES},"stages":[{{}},"CANARY"]}}"#);
    let server = Server::always(json_answer(200, &text));
    let lenient = client(&server);
    let strict = builder(&server).strict_lists(true).build().unwrap();
    let option = |strict| CallOptions::new().strict_lists(strict);
    let error_path = |response: Result<Response<SleepRecord>, Error>| response.err().map(|error| error.json_path().map(str::to_owned));
    let stage = Some(Some("stages[1]".to_owned()));
    assert_eq!(error_path(strict.sleeps().get("id").await), stage);
    assert_eq!(error_path(lenient.sleeps().get("id").options(option(true)).await), stage);
    assert_eq!(error_path(strict.sleeps().get("id").options(option(false)).await), None);
    let table = strict.sleeps().get("id").table(TableId::SleepStages).await.err().unwrap();
    assert_eq!(table.json_path(), Some("stages[1]"));
    let table = lenient.sleeps().get("id").table(TableId::SleepStages).await.unwrap();
    assert_eq!((table.len(), table.skipped(), table.skipped_items().len()), (1, 1, 1));
    let shown = format!("{table:?} {:?} {:?}", table.metadata(), table.skipped_items());
    assert!(!shown.contains("CANARY"), "{shown}");
}

#[test]
fn an_item_of_an_inner_list_is_skipped_alone() {
    let sections = r#"[{"results":[{"value":1.50},"x"],"loinc_code":"a"},{"results":[{"value":2.0}]}]"#;
    let text = format!(r#"{{"record_id":"r","status":"completed","sections":{sections}}}"#);
    let report: LabReport = serde_json::from_str(&text).unwrap();
    let [broken, whole] = report.sections.as_slice() else { panic!("two sections") };
    assert_eq!((broken.results.as_slice()[0].value, broken.results.as_slice().len()), (Some(1.5), 1));
    assert!(broken.extra.is_empty() && broken.loinc_code.as_deref() == Some("a"));
    assert_eq!(whole.results.as_slice()[0].value, Some(2.0));
}

#[test]
fn texts_in_a_list_remain_if_another_item_is_skipped() {
    let night = night(r#","record_ids":["a",7,"b"],"stages":[{"stage":"rem"}]"#);
    let ids: Vec<&str> = night.record_ids.iter().map(AsRef::as_ref).collect();
    assert_eq!((ids, night.extra.is_empty()), (vec!["a", "b"], true));
    assert_eq!(night.stages.as_slice().len(), 1);
    let user: UserInfo = serde_json::from_str(r#"{"uid":"u","integrated_providers":[{},"x"]}"#).unwrap();
    assert_eq!((user.uid.as_ref().map(AsRef::as_ref), user.integrated_providers.as_slice().len()), (Some("u"), 1));
}

/// Skipped items and such numbers are rare. Each of them causes the body to be decoded again.
#[tokio::test]
async fn a_skipped_item_and_a_number_beyond_a_double_can_occur_together() {
    for members in
        [r#""stages":["x",{}],"score":1e400"#, r#""score":1e400,"stages":["x",{}]"#, r#""stages":[{"metrics":{"spo2":1e400}},5]"#]
    {
        let server = Server::always(json_answer(200, &format!("{{{TIMES},{members}}}")));
        let night = client(&server).sleeps().get("id").await.unwrap();
        assert_eq!((night.stages.as_slice().len(), night.score, night.skipped_count()), (1, None, 1), "{members}");
        assert_eq!(night.extra.get_text("score").is_some(), members.contains("score"), "{members}");
    }
}

/// The last of repeated fields counts.
#[test]
fn a_repeated_list_replaces_an_earlier_one_with_invalid_items() {
    for (members, expected) in [
        (r#","stages":[5],"stages":[{}]"#, json!([{}])),
        (r#","stages":[{}],"stages":[5]"#, json!([])),
        (r#","stages":[5],"stages":null"#, json!(null)),
    ] {
        assert_eq!(to_json(&night(members))["stages"], expected, "{members}");
    }
}

/// A gap keeps its position, so that later numbers are not shifted.
#[test]
fn a_null_in_a_series_is_not_a_number() {
    let samples = night(r#","samples":{"offsets":[0,null,2.5],"durations":[null]}"#);
    let offsets = samples.samples.as_ref().unwrap().offsets.as_slice();
    assert!(offsets.len() == 3 && offsets[1].is_nan() && (offsets[0], offsets[2]) == (0.0, 2.5));
    assert_eq!(to_json(&samples)["samples"], json!({"offsets": [0, null, 2.5], "durations": [null]}));
    assert!(samples == samples.clone() && samples != night(r#","samples":{"offsets":[0,1,2.5],"durations":[null]}"#));
}

/// Skipping an item would shift the later items.
#[test]
fn a_series_with_an_item_that_is_not_a_number_is_kept_as_a_whole() {
    for offsets in ["[0,\"1\"]", "[[0]]", "[1,true,null]", "[1e400]", "[{}]"] {
        let night = night(&format!(r#","samples":{{"offsets":{offsets},"durations":[1]}}"#));
        let samples = night.samples.unwrap();
        assert!(samples.offsets.is_absent() && samples.durations.as_slice() == [1.0], "{offsets}");
        assert_eq!(samples.extra.get_text("offsets"), Some(offsets));
    }
}

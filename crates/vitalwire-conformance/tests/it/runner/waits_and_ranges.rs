//! Waits and ranges.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use vitalwire::client::CancelToken;
use vitalwire_conformance::case::{Call, Options, RangeCall, Wait};
use vitalwire_conformance::runner::{self, Mode};

use crate::runner::operations::cases;
use crate::runner::server::Server;
use crate::runner::{fields, finish, finish_blocking};

fn wait_case(id: &str, arguments: Value, timeout_ms: u64) -> Wait {
    Wait {
        id: id.to_owned(),
        arguments: fields(arguments),
        timeout_ms: Some(timeout_ms),
        interval_ms: Some((1, 2)),
        options: Options::default(),
    }
}

#[test]
fn a_wait_for_an_upload_polls_until_the_analysis_ends() {
    let server = Server::in_order([
        r#"{"record_id": "n", "status": "pending", "uploaded_at": "2025-03-01T12:00:00Z"}"#,
        r#"{"record_id": "n", "status": "new", "uploaded_at": "2025-03-01T12:00:00Z", "modified_at": "2025-03-01T12:00:01Z"}"#,
        r#"{"record_id": "n", "status": "failed", "uploaded_at": "2025-03-01T12:00:00Z", "modified_at": "2025-03-01T12:00:02Z",
            "nutritional_fields": {"energy_kcal": 1.0}}"#,
    ]);
    let wait = wait_case("upload_nutrition_record", json!({"body": "iVBORw0KGgo="}), 60_000);
    let response = finish(runner::wait(&server.client(), &wait, &CancelToken::new(), Mode::Async).unwrap()).unwrap();
    let expected = json!({"record_id": "n", "status": "failed", "uploaded_at": "2025-03-01T12:00:00Z",
        "modified_at": "2025-03-01T12:00:02Z", "nutritional_fields": {"energy_kcal": 1}});
    assert_eq!((response.value, response.basis), (expected, Some("per_serving")));
    assert_eq!(server.lines(), ["POST /v3/nutrition_records", "GET /v3/nutrition_records/n", "GET /v3/nutrition_records/n"]);
}

#[test]
fn a_wait_that_times_out_has_the_last_record() {
    let server = Server::with_script(|_, _| (200, r#"{"record_id": "l", "status": "processing", "sections": null}"#.to_owned()));
    let wait = wait_case("get_lab_report", json!({"lab_report_id": "l"}), 300);
    for failure in [
        finish(runner::wait(&server.client(), &wait, &CancelToken::new(), Mode::Async).unwrap()),
        finish_blocking(runner::wait(&server.client(), &wait, &CancelToken::new(), Mode::Blocking).unwrap()),
    ] {
        let failure = failure.unwrap_err().canonical();
        assert_eq!((&failure["error"], &failure["code"]), (&json!("timeout"), &json!(1401)));
        assert_eq!(failure["last"], json!({"record_id": "l", "status": "processing", "sections": null}));
    }
    assert!(server.lines().iter().all(|line| line == "GET /v3/lab_reports/l"));
}

#[test]
fn the_tables_have_every_wait_and_range() {
    let set = cases();
    let (mut waits, mut splits) = (BTreeSet::new(), BTreeSet::new());
    for case in set.cases() {
        match &case.call {
            Call::Wait(wait) => waits.insert(wait.id.as_str()),
            Call::Range(split) => splits.insert(split.id.as_str()),
            _ => continue,
        };
    }
    let as_set = |ids: &[&'static str]| ids.iter().copied().collect::<BTreeSet<_>>();
    assert_eq!((as_set(runner::WAITS), as_set(runner::SPLITS)), (waits, splits), "each needs a case in tests/conformance/cases");
    let server = Server::with_script(|_, _| (200, r#"{"id": "b", "status": "success"}"#.to_owned()));
    let wait = wait_case("get_policy_benefits", json!({"clinic_id": "c", "patient_id": "p", "policy_id": "q"}), 60_000);
    assert_eq!(
        finish_blocking(runner::wait(&server.client(), &wait, &CancelToken::new(), Mode::Blocking).unwrap()).unwrap().value,
        json!({"id": "b", "status": "success"})
    );
    let wait = wait_case("get_sleep", json!({"sleep_id": "s"}), 1);
    assert_eq!(
        runner::wait(&server.client(), &wait, &CancelToken::new(), Mode::Async).err().unwrap().to_string(),
        "`get_sleep` has no analysis to wait for"
    );
}

fn range_case(days: Option<u32>, hours: Option<u32>) -> RangeCall {
    let arguments = fields(json!({"from_date": "2025-02-27", "to_date": "2025-03-02", "types": ["steps"]}));
    RangeCall {
        id: "daily_statistics".to_owned(),
        arguments,
        days,
        hours,
        concurrency: Some(1),
        collect_errors: false,
        action: None,
        options: Options::default(),
    }
}

/// Responds to a part of two days with one bucket per day.
fn two_day_part(line: &str) -> (u16, String) {
    let day = |name: &str| line.split(['?', '&']).find_map(|pair| pair.strip_prefix(name)).unwrap().to_owned();
    let (from, to) = (day("from_date="), day("to_date="));
    let bucket = |date: &str| json!({"date": date, "values": {"steps": 7.0}});
    (200, json!({"from_date": from, "to_date": to, "statistics": [bucket(&from), bucket(&to)]}).to_string())
}

#[test]
fn the_parts_of_a_range_are_merged() {
    let expected = json!({"from_date": "2025-02-27", "to_date": "2025-03-02", "statistics": [
        {"date": "2025-02-27", "values": {"steps": 7}}, {"date": "2025-02-28", "values": {"steps": 7}},
        {"date": "2025-03-01", "values": {"steps": 7}}, {"date": "2025-03-02", "values": {"steps": 7}}
    ]});
    let server = Server::with_script(|line, _| two_day_part(line));
    let (client, split) = (server.client(), range_case(Some(2), None));
    assert_eq!(finish(runner::split(&client, &split, Mode::Async).unwrap()).unwrap().value, expected);
    assert_eq!(finish_blocking(runner::split(&client, &split, Mode::Blocking).unwrap()).unwrap().value, expected);
    assert_eq!(server.lines().len(), 4);
}

#[test]
fn a_failed_part_fails_the_range_or_is_left_out() {
    let script = |line: &str, _| if line.contains("from_date=2025-02-27") { (403, "{}".to_owned()) } else { two_day_part(line) };
    let client = Server::with_script(script).client();
    let failure = finish(runner::split(&client, &range_case(Some(2), None), Mode::Async).unwrap()).unwrap_err();
    let path = "/v3/queries/statistics/daily";
    let expected = json!({
        "error": "permission", "code": 1102, "status": 403, "attempts": 1, "is_transient": false, "path_template": path
    });
    assert_eq!(failure.canonical(), expected);
    let merged =
        finish_blocking(runner::split(&client, &RangeCall { collect_errors: true, ..range_case(Some(2), None) }, Mode::Blocking).unwrap())
            .unwrap();
    let days: Vec<&Value> = merged.value["statistics"].as_array().unwrap().iter().map(|bucket| &bucket["date"]).collect();
    assert_eq!(days, ["2025-03-01", "2025-03-02"]);
}

#[test]
fn an_invalid_part_length_is_rejected() {
    let client = Server::in_order([]).client();
    assert!(runner::split(&client, &range_case(Some(1), Some(1)), Mode::Async).is_err());
    let failure = finish(runner::split(&client, &range_case(None, Some(1)), Mode::Async).unwrap()).unwrap_err();
    let path = "/v3/queries/statistics/daily";
    let expected = json!({
        "error": "invalid_argument", "code": 1002, "attempts": 0, "is_transient": false, "path_template": path, "argument": "part_length"
    });
    assert_eq!(failure.canonical(), expected);
}

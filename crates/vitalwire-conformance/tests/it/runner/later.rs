//! Waits and splits.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use vitalwire::client::CancelToken;
use vitalwire_conformance::case::{Call, Options, Split, Wait};
use vitalwire_conformance::runner;

use crate::runner::every::cases;
use crate::runner::server::Server;
use crate::runner::{finish, members};

fn a_wait(id: &str, arguments: Value, timeout_ms: u64) -> Wait {
    Wait {
        id: id.to_owned(),
        arguments: members(arguments),
        timeout_ms: Some(timeout_ms),
        interval_ms: Some((1, 2)),
        options: Options::default(),
    }
}

#[test]
fn an_upload_is_waited_for() {
    let server = Server::in_order([
        r#"{"record_id": "n", "status": "pending", "uploaded_at": "2025-03-01T12:00:00Z"}"#,
        r#"{"record_id": "n", "status": "new", "uploaded_at": "2025-03-01T12:00:00Z", "modified_at": "2025-03-01T12:00:01Z"}"#,
        r#"{"record_id": "n", "status": "failed", "uploaded_at": "2025-03-01T12:00:00Z", "modified_at": "2025-03-01T12:00:02Z",
            "nutritional_fields": {"energy_kcal": 1.0}}"#,
    ]);
    let wait = a_wait("upload_nutrition_record", json!({"body": "iVBORw0KGgo="}), 60_000);
    let answer = finish(runner::wait(&server.client(), &wait, &CancelToken::new()).unwrap()).unwrap();
    let expected = json!({"record_id": "n", "status": "failed", "uploaded_at": "2025-03-01T12:00:00Z",
        "modified_at": "2025-03-01T12:00:02Z", "nutritional_fields": {"energy_kcal": 1}});
    assert_eq!((answer.value, answer.basis), (expected, Some("per_serving")));
    assert_eq!(server.lines(), ["POST /v3/nutrition_records", "GET /v3/nutrition_records/n", "GET /v3/nutrition_records/n"]);
}

#[test]
fn a_wait_that_runs_out_has_the_last_record() {
    let server = Server::with_script(|_, _| (200, r#"{"record_id": "l", "status": "processing", "sections": null}"#.to_owned()));
    let wait = a_wait("get_lab_report", json!({"lab_report_id": "l"}), 300);
    for failed in [
        finish(runner::wait(&server.client(), &wait, &CancelToken::new()).unwrap()),
        runner::wait_blocking(&server.client(), &wait, &CancelToken::new()).unwrap(),
    ] {
        let failed = failed.unwrap_err().canonical();
        assert_eq!((&failed["error"], &failed["code"]), (&json!("timeout"), &json!(1401)));
        assert_eq!(failed["last"], json!({"record_id": "l", "status": "processing", "sections": null}));
    }
    assert!(server.lines().iter().all(|line| line == "GET /v3/lab_reports/l"));
}

#[test]
fn every_wait_and_split_is_in_the_table() {
    let set = cases();
    let (mut waits, mut splits) = (BTreeSet::new(), BTreeSet::new());
    for case in set.cases() {
        match &case.call {
            Call::Wait(wait) => waits.insert(wait.id.as_str()),
            Call::Split(split) => splits.insert(split.id.as_str()),
            _ => continue,
        };
    }
    let all = |ids: &[&'static str]| ids.iter().copied().collect::<BTreeSet<_>>();
    assert_eq!((all(runner::WAITS), all(runner::SPLITS)), (waits, splits), "each has a case in tests/conformance/cases");
    let server = Server::with_script(|_, _| (200, r#"{"id": "b", "status": "success"}"#.to_owned()));
    let wait = a_wait("get_policy_benefits", json!({"clinic_id": "c", "patient_id": "p", "policy_id": "q"}), 60_000);
    assert_eq!(
        runner::wait_blocking(&server.client(), &wait, &CancelToken::new()).unwrap().unwrap().value,
        json!({"id": "b", "status": "success"})
    );
    let wait = a_wait("get_sleep", json!({"sleep_id": "s"}), 1);
    assert_eq!(runner::wait(&server.client(), &wait, &CancelToken::new()).err().unwrap().to_string(), "`get_sleep` is not waited for");
}

fn a_split(days: Option<u32>, hours: Option<u32>) -> Split {
    let arguments = members(json!({"from_date": "2025-02-27", "to_date": "2025-03-02", "types": ["steps"]}));
    Split {
        id: "daily_statistics".to_owned(),
        arguments,
        days,
        hours,
        concurrency: Some(1),
        collect_errors: false,
        turn: None,
        options: Options::default(),
    }
}

/// Two days per part: the days of the query, each with its steps.
fn two_days(line: &str) -> (u16, String) {
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
    let server = Server::with_script(|line, _| two_days(line));
    let (client, split) = (server.client(), a_split(Some(2), None));
    assert_eq!(finish(runner::split(&client, &split).unwrap()).unwrap().value, expected);
    assert_eq!(runner::split_blocking(&client, &split).unwrap().unwrap().value, expected);
    assert_eq!(server.lines().len(), 4);
}

#[test]
fn a_part_that_fails() {
    let script = |line: &str, _| if line.contains("from_date=2025-02-27") { (403, "{}".to_owned()) } else { two_days(line) };
    let client = Server::with_script(script).client();
    let failed = finish(runner::split(&client, &a_split(Some(2), None)).unwrap()).unwrap_err();
    let path = "/v3/queries/statistics/daily";
    let expected = json!({
        "error": "permission", "code": 1102, "status": 403, "attempts": 1, "is_transient": false, "path_template": path
    });
    assert_eq!(failed.canonical(), expected);
    let rest = runner::split_blocking(&client, &Split { collect_errors: true, ..a_split(Some(2), None) }).unwrap().unwrap();
    let days: Vec<&Value> = rest.value["statistics"].as_array().unwrap().iter().map(|bucket| &bucket["date"]).collect();
    assert_eq!(days, ["2025-03-01", "2025-03-02"]);
}

#[test]
fn parts_of_no_length_that_can_be() {
    let client = Server::in_order([]).client();
    assert!(runner::split(&client, &a_split(Some(1), Some(1))).is_err());
    let failed = finish(runner::split(&client, &a_split(None, Some(1))).unwrap()).unwrap_err();
    let path = "/v3/queries/statistics/daily";
    let expected = json!({
        "error": "invalid_argument", "code": 1002, "attempts": 0, "is_transient": false, "path_template": path, "argument": "part_length"
    });
    assert_eq!(failed.canonical(), expected);
}

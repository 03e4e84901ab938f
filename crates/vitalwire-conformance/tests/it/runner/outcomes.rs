//! Canonical outcomes of responses and errors.

use std::time::Duration;

use serde_json::{Value, json};
use vitalwire::client::CallOptions;
use vitalwire_conformance::runner::{self, Mode};

use crate::runner::server::Server;
use crate::runner::{fields, finish, send};

#[test]
fn a_night_has_its_canonical_form() {
    // Known fields of the wrong type, unknown fields, nulls, offsets, and whole numbers with a decimal point.
    let server = Server::in_order([r#"{
        "sleep_id": "6F1C9A52-0000-4000-8000-000000000000", "modified_at": "2025-03-02T07:00:00.120000000",
        "start_at_timestamp": "2025-03-01T22:30:00-14:00", "end_at_timestamp": "2025-03-02T06:00:00.000+05:45", "sleep_date": "2025-03-02",
        "input_method": "by_new_means", "provider_slug": "oura", "record_ids": null, "score": 81.0, "user_time_offset_minutes": -90,
        "duration": "long", "metrics": {"hrv_rmssd": 42.50, "new_metric": 1.000001, "steps": null, "hr_max": "high"},
        "samples": {"durations": [300.0, 300], "offsets": [], "values": {"hr": [60.0, 61.5], "odd": "x"}},
        "source": {"device_model": "Ring", "device_product": null}, "new": {"deep": [1.0, null]},
        "stages": [{"stage": "rem", "start_at": "2025-03-02T00:00:00", "duration": 0.5}, {"stage": "dozing"}]
    }"#]);
    let response = send(&server.client(), "get_sleep", json!({"sleep_id": "s"})).unwrap();
    let expected = json!({
        "sleep_id": "6F1C9A52-0000-4000-8000-000000000000", "modified_at": "2025-03-02T07:00:00.12Z",
        "start_at_timestamp": "2025-03-02T12:30:00Z", "end_at_timestamp": "2025-03-02T00:15:00Z", "sleep_date": "2025-03-02",
        "input_method": {"unknown": "by_new_means"}, "provider_slug": "oura", "record_ids": null, "score": 81, "user_time_offset_minutes": -90,
        "duration": {"extra": "long"}, "metrics": {"hrv_rmssd": 42.5, "new_metric": 1.000001, "hr_max": {"extra": "high"}},
        "samples": {"durations": [300, 300], "offsets": [], "values": {"hr": [60, 61.5], "odd": {"extra": "x"}}},
        "source": {"device_model": "Ring"}, "new": {"extra": {"deep": [1, null]}},
        "stages": [{"stage": "rem", "start_at": "2025-03-02T00:00:00Z", "duration": {"extra": 0.5}}, {"stage": {"unknown": "dozing"}}]
    });
    assert_eq!(response.value, expected);
    assert_eq!(response.basis, None);
}

#[test]
fn null_lists_are_empty() {
    let server = Server::in_order(["null", r#"{"statistics": null}"#]);
    let client = server.client();
    assert_eq!(send(&client, "list_lab_reports", json!({})).unwrap().value, json!([]));
    let statistics = send(&client, "interval_statistics", json!({"interval": "hour", "types": ["steps"]})).unwrap();
    assert_eq!(statistics.value, json!({"statistics": []}));
}

#[test]
fn nutritional_numbers_have_the_basis_of_their_operation() {
    let meal = r#"{"record_id": "n", "status": "completed", "uploaded_at": "2025-03-01T12:00:00Z", "modified_at": "2025-03-01T12:00:09Z",
        "nutritional_fields": {"energy_kcal": 250.0}, "ingredients": [{"name": "rice", "nutritional_fields": {"salt_g": 0.1}}]}"#;
    let server =
        Server::with_script(move |line, _| (200, if line == "GET /v3/nutrition_records" { format!("[{meal}]") } else { meal.to_owned() }));
    let client = server.client();
    let basis = |id: &str, arguments: Value| send(&client, id, arguments).unwrap().basis;
    assert_eq!(basis("get_nutrition_record", json!({"nutrition_record_id": "n"})), Some("per_serving"));
    assert_eq!(basis("update_nutrition_record", json!({"nutrition_record_id": "n", "serving_size": 1})), Some("per_100"));
    assert_eq!(basis("upload_nutrition_record", json!({})), Some("unknown"));
    assert_eq!(basis("list_nutrition_records", json!({})), Some("per_serving"));
}

#[test]
fn an_error_has_the_problem_details_of_the_service() {
    let server = Server::with_script(|_, _| {
        let problem = json!({"type": "about:blank", "title": "Unprocessable Entity", "status": 422.0, "detail": "d",
            "errors": [{"location": "query.types", "value": 7.0, "hint": true}], "trace": "t"});
        (422, problem.to_string())
    });
    let failure = send(&server.client(), "get_user_info", json!({})).unwrap_err();
    let expected = json!({
        "error": "invalid_request", "code": 1202, "status": 422, "attempts": 1, "is_transient": false, "path_template": "/v3/userinfo",
        "problem": {"type": "about:blank", "title": "Unprocessable Entity", "status": 422.0, "detail": "d",
            "errors": [{"location": "query.types", "value": 7, "hint": {"extra": true}}], "trace": {"extra": "t"}}
    });
    // The model decides whether 422.0 is an integer.
    let mut actual = failure.canonical();
    assert_eq!(actual["problem"]["status"].as_f64(), Some(422.0));
    actual["problem"]["status"] = json!(422.0);
    assert_eq!(actual, expected);
}

#[test]
fn invalid_arguments_and_invalid_responses_have_canonical_errors() {
    let server = Server::in_order([r#"{"from_date": "2025-01-01", "to_date": "2025-01-02", "statistics": 7}"#]);
    let client = server.client();
    let failure = send(&client, "get_sleep", json!({"sleep_id": ".."})).unwrap_err();
    let invalid_argument = |path: &str, argument: &str| {
        json!({
            "error": "invalid_argument", "code": 1002, "attempts": 0, "is_transient": false, "path_template": path, "argument": argument
        })
    };
    assert_eq!(failure.canonical(), invalid_argument("/v3/queries/sleeps/{sleep_id}", "sleep_id"));
    let arguments = json!({"from_date": "2025-01-01", "to_date": "2025-01-02", "types": ["steps"]});
    let failure = send(&client, "daily_statistics", arguments).unwrap_err();
    let expected = json!({
        "error": "decode", "code": 1501, "status": 200, "attempts": 1, "is_transient": false,
        "path_template": "/v3/queries/statistics/daily", "json_path": "statistics"
    });
    assert_eq!(failure.canonical(), expected);
    let arguments = json!({"nutrition_record_id": "n", "serving_size": "NaN"});
    let failure = send(&client, "update_nutrition_record", arguments).unwrap_err();
    assert_eq!(failure.canonical(), invalid_argument("/v3/nutrition_records/{nutrition_record_id}", "serving_size"));
}

#[test]
fn options_apply_to_one_call() {
    let server = Server::with_script(|_, _| (503, "{}".to_owned()));
    let client = server.client();
    let options = CallOptions::new().max_retries(0).timeout(Duration::from_secs(20));
    let failure = finish(runner::send(&client, "get_user_info", &fields(json!({})), options, Mode::Async).unwrap()).unwrap_err();
    let expected = json!({
        "error": "service", "code": 1302, "status": 503, "attempts": 1, "is_transient": true, "path_template": "/v3/userinfo"
    });
    assert_eq!(failure.canonical(), expected);
    assert_eq!(server.lines(), ["GET /v3/userinfo"]);
}

//! Every operation: its arguments arrive, and its answer comes back as it was.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use vitalwire::client::CallOptions;
use vitalwire_conformance::runner;

use crate::server::Server;
use crate::{members, send};

/// A call in full.
struct Example {
    id: &'static str,
    arguments: Value,
    /// Request line, without version.
    line: &'static str,
    body: Value,
    /// The answer, and its outcome too: all are in canonical form.
    answer: Value,
}

fn example(id: &'static str, arguments: Value, line: &'static str, body: Value, answer: Value) -> Example {
    Example { id, arguments, line, body, answer }
}

#[expect(clippy::too_many_lines, reason = "a table")]
fn examples() -> Vec<Example> {
    let bodiless = Value::Null;
    let meal =
        json!({"record_id": "n-1", "status": "completed", "uploaded_at": "2025-03-01T12:00:00Z", "modified_at": "2025-03-01T12:00:09Z"});
    let report = json!({"record_id": "l-1", "status": "failed"});
    vec![
        example(
            "init_integration",
            json!({"provider_slug": "garmin", "redirect_uri": "https://app.example.org/x", "state": "s 1", "provider_user_id": "p"}),
            "GET /v3/providers/garmin/integration/init_url?provider_user_id=p&redirect_uri=https%3A%2F%2Fapp.example.org%2Fx&state=s+1",
            bodiless.clone(),
            json!({"provider_slug": "garmin", "path": "/consent?x=1"}),
        ),
        example(
            "delete_integration",
            json!({"provider_slug": "not_known_yet"}),
            "DELETE /v3/providers/not_known_yet/integration",
            bodiless.clone(),
            Value::Null,
        ),
        example("get_user_info", json!({}), "GET /v3/userinfo", bodiless.clone(), json!({"uid": "u-1", "integrated_providers": null})),
        example(
            "get_user_properties",
            json!({}),
            "GET /v3/userproperties",
            bodiless.clone(),
            json!({"properties": {"birth_date": "1990-02-28", "height": 1.8}}),
        ),
        example(
            "upload_lab_report",
            json!({"body": "JVBERi0=", "filename": "a.pdf", "wait_on_process": true}),
            "POST /v3/lab_reports",
            json!({"body": "JVBERi0=", "filename": "a.pdf", "wait_on_process": true}),
            json!({"lab_report": report}),
        ),
        example(
            "list_lab_reports",
            json!({"from_timestamp": "2025-01-01T00:00:00Z", "to_timestamp": "2025-02-01T00:00:00Z"}),
            "GET /v3/lab_reports?from_timestamp=2025-01-01T00%3A00%3A00Z&to_timestamp=2025-02-01T00%3A00%3A00Z",
            bodiless.clone(),
            json!([report, report]),
        ),
        example("get_lab_report", json!({"lab_report_id": "l-1"}), "GET /v3/lab_reports/l-1", bodiless.clone(), report.clone()),
        example(
            "upload_nutrition_record",
            json!({
                "body": "iVBORw0KGgo=", "wait_on_process": false, "body_url": "https://pictures.example.org/1", "country_code": "de",
                "language_code": "en", "include_nutrition_fields": ["salt_g", "new_g"], "analysis_mode": "fast",
                "include_nutri_score": true, "include_dish_description": false, "include_ingredients": true,
                "consumed_at": "2025-03-01T12:00:00Z"
            }),
            "POST /v3/nutrition_records",
            json!({
                "body": "iVBORw0KGgo=", "wait_on_process": false, "body_url": "https://pictures.example.org/1", "country_code": "de",
                "language_code": "en", "include_nutrition_fields": ["salt_g", "new_g"], "analysis_mode": "fast",
                "include_nutri_score": true, "include_dish_description": false, "include_ingredients": true,
                "consumed_at": "2025-03-01T12:00:00Z"
            }),
            json!({"record_id": "n-1", "status": "pending", "uploaded_at": "2025-03-01T12:00:00Z"}),
        ),
        example("list_nutrition_records", json!({}), "GET /v3/nutrition_records", bodiless.clone(), json!([meal])),
        example(
            "get_nutrition_record",
            json!({"nutrition_record_id": "n-1"}),
            "GET /v3/nutrition_records/n-1",
            bodiless.clone(),
            meal.clone(),
        ),
        example(
            "update_nutrition_record",
            json!({"nutrition_record_id": "n-1", "serving_size": 250}),
            "PATCH /v3/nutrition_records/n-1",
            json!({"serving_size": 250}),
            meal,
        ),
        example(
            "delete_nutrition_record",
            json!({"nutrition_record_id": "n-1"}),
            "DELETE /v3/nutrition_records/n-1",
            bodiless.clone(),
            Value::Null,
        ),
        example(
            "get_sleep",
            json!({"sleep_id": "s-1", "include_stages": true, "include_samples": false}),
            "GET /v3/queries/sleeps/s-1?include_samples=false&include_stages=true",
            bodiless.clone(),
            json!({"modified_at": "2025-03-02T07:00:00Z", "start_at_timestamp": "2025-03-01T22:30:00Z"}),
        ),
        example(
            "interval_statistics",
            json!({"interval": "hour", "types": ["steps"], "device_types": ["unknown"]}),
            "GET /v3/queries/statistics/interval?device_types=unknown&interval=hour&types=steps",
            bodiless.clone(),
            json!({"statistics": []}),
        ),
        example(
            "daily_statistics",
            json!({
                "from_date": "2025-02-28", "to_date": "2025-03-01", "types": ["steps", "new"], "providers": ["garmin"],
                "exclude_manual": true, "include_record_ids": true
            }),
            "GET /v3/queries/statistics/daily?exclude_manual=true&from_date=2025-02-28&include_record_ids=true&providers=garmin&to_date=2025-03-01&types=steps&types=new",
            bodiless.clone(),
            json!({"from_date": "2025-02-28", "to_date": "2025-03-01", "statistics": []}),
        ),
        example(
            "exchange_token",
            json!({"application_id": 7, "application_user_id": "user-7", "signature": "00ff"}),
            "POST /v3/auth/hmac",
            json!({"application_id": 7, "application_user_id": "user-7", "signature": "00ff"}),
            json!({"access_token": "a-token"}),
        ),
        example(
            "get_policy_benefits",
            json!({"clinic_id": "c", "patient_id": "p", "policy_id": "q"}),
            "GET /public/v1/clinics/c/patients/p/policies/q/benefits",
            bodiless,
            json!({"id": "b-1", "status": "pending"}),
        ),
    ]
}

/// The operations that the specifications and their overlays state.
fn stated() -> BTreeSet<String> {
    let openapi = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../openapi");
    let folders = [openapi.join("overlays"), openapi];
    let files = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap()).map(|entry| entry.unwrap().path());
    let texts: Vec<String> =
        files.filter(|path| path.extension().is_some_and(|kind| kind == "yaml")).map(|path| fs::read_to_string(path).unwrap()).collect();
    texts.iter().flat_map(|text| text.lines()).filter_map(|line| line.trim().strip_prefix("operationId: ")).map(str::to_owned).collect()
}

#[test]
fn the_table_has_every_operation() {
    let ids: BTreeSet<String> = runner::OPERATIONS.iter().map(|id| (*id).to_owned()).collect();
    assert_eq!((ids.len(), &ids), (runner::OPERATIONS.len(), &stated()));
    assert_eq!(ids.len(), 17);
    let shown: BTreeSet<String> = examples().iter().map(|example| example.id.to_owned()).collect();
    assert_eq!(shown, ids);
}

/// Parameters of a query, sorted: their order does not count.
fn sorted(line: &str) -> String {
    let Some((path, query)) = line.split_once('?') else { return line.to_owned() };
    let mut pairs: Vec<&str> = query.split('&').collect();
    pairs.sort_by_key(|pair| pair.split('=').next());
    format!("{path}?{}", pairs.join("&"))
}

#[test]
fn arguments_arrive_and_answers_come_back() {
    for Example { id, arguments, line, body, answer } in examples() {
        let reply = if answer.is_null() { (204, String::new()) } else { (200, answer.to_string()) };
        let server = Server::with(move |_, _| reply.clone());
        let client = server.client();
        let asynchronous = send(&client, id, arguments.clone()).unwrap_or_else(|failed| panic!("{id}: {failed:?}"));
        let blocking = runner::send_blocking(&client, id, &members(arguments), CallOptions::new()).unwrap().unwrap();
        assert_eq!((&asynchronous.value, asynchronous.attempts), (&answer, 1), "{id}");
        assert_eq!(asynchronous, blocking, "{id}");
        for (seen, sent) in server.seen() {
            assert_eq!(sorted(&seen), line, "{id}");
            assert_eq!(serde_json::from_str::<Value>(&sent).unwrap_or_default(), body, "{id}");
        }
        assert_eq!(server.seen().len(), 2, "{id}");
    }
}

#[test]
fn a_mistake_in_the_case_is_none_of_the_client() {
    let server = Server::in_order([]);
    let client = server.client();
    for (id, arguments, text) in [
        ("no_operation", json!({}), "`no_operation` is no operation"),
        ("get_sleep", json!({}), "`get_sleep` needs the argument `sleep_id`"),
        ("get_sleep", json!({"sleep_id": 7}), "the argument `sleep_id` of `get_sleep` is no text"),
        ("get_sleep", json!({"sleep_id": "s", "include": true}), "`get_sleep` has no argument `include`"),
        ("get_user_info", json!({"id": 1}), "`get_user_info` has no argument `id`"),
    ] {
        let (arguments, options) = (members(arguments), CallOptions::new());
        assert_eq!(runner::send(&client, id, &arguments, options.clone()).err().unwrap().to_string(), text);
        assert_eq!(runner::send_blocking(&client, id, &arguments, options).err().unwrap().to_string(), text);
    }
    assert!(server.seen().is_empty());
}

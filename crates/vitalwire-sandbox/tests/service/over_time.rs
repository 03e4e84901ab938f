//! States that change with the sandbox's clock.

use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::{Method, StatusCode};
use serde_json::{Value, json};
use vitalwire_sandbox::{Builder, Sandbox};

use super::pictures;
use super::support::{Service, TODAY, seconds};

const TIME: Duration = Duration::from_secs(40);

fn slow() -> Builder {
    Sandbox::builder().processing(TIME)
}

fn meal() -> Value {
    json!({ "body": pictures::green(b""), "include_ingredients": true })
}

fn report() -> Value {
    json!({ "body": STANDARD.encode(b"HEMATOLOGY\nWhite Blood Count 7.2 K/uL (4.0 - 11.0)\n"), "filename": "a.txt" })
}

fn waiting(mut body: Value) -> Value {
    body["wait_on_process"] = json!(true);
    body
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("no number: {value}"))
}

// statements: nutrition.state.created, nutrition.state.started, nutrition.state.completed, supplement.meal.updated
#[tokio::test]
async fn a_meal_is_pending_processing_completed_updated_and_deleted() {
    let service = Service::with_builder(slow()).await;
    let app = service.sandbox.app().clone();
    let receipt = service.post("/nutrition_records", &meal()).await.ok();
    assert_eq!(receipt["status"], "pending");
    let path = format!("/nutrition_records/{}", receipt["record_id"].as_str().unwrap());
    let status = async || service.get(&path).await.ok()["status"].as_str().unwrap().to_owned();
    assert_eq!(status().await, "pending");
    app.advance(Duration::from_secs(3)).unwrap();
    assert_eq!(status().await, "pending");
    app.advance(Duration::from_secs(1)).unwrap();
    assert_eq!(status().await, "processing");
    app.advance(Duration::from_secs(35)).unwrap();
    assert_eq!(status().await, "processing");
    let early = service.get(&path).await.ok();
    assert!(early.get("dish_name").is_none());
    assert_eq!(early["modified_at"], early["uploaded_at"]);
    service.patch(&path, &json!({ "serving_size": 10 })).await.problem(422);

    app.advance(Duration::from_secs(1)).unwrap();
    let done = service.get(&path).await.ok();
    assert_eq!(done["status"], "completed");
    assert_eq!(seconds(&done["modified_at"]) - seconds(&done["uploaded_at"]), 40);
    // "Defaults to the record update time."
    assert_eq!(done["consumed_at"], done["modified_at"]);
    let listed = service.get("/nutrition_records").await.ok();
    assert!(listed.as_array().unwrap().contains(&done));

    app.advance(Duration::from_secs(60)).unwrap();
    let serving = number(&done["serving_size"]);
    let response = service.patch(&path, &json!({ "serving_size": serving * 2.0 })).await.ok();
    assert_eq!(response["status"], "updated");
    let updated = service.get(&path).await.ok();
    assert_eq!(updated["status"], "updated");
    assert_eq!(seconds(&updated["modified_at"]) - seconds(&done["modified_at"]), 60);
    assert_eq!(updated["consumed_at"], done["consumed_at"]);
    assert_eq!(updated["input_type"], done["input_type"]);
    let twice = |before: &Value, after: &Value| {
        assert!(!before["nutritional_fields"].as_object().unwrap().is_empty());
        for (name, value) in before["nutritional_fields"].as_object().unwrap() {
            let (before, after) = (number(value), number(&after["nutritional_fields"][name]));
            assert!((after - before * 2.0).abs() < 1e-6, "{name}: {before} {after}");
        }
        assert!((number(&after["serving_size"]) - number(&before["serving_size"]) * 2.0).abs() < 1e-6);
    };
    twice(&done, &updated);
    let (before, after) = (done["ingredients"].as_array().unwrap(), updated["ingredients"].as_array().unwrap());
    assert_eq!(before.len(), after.len());
    assert!(!before.is_empty());
    before.iter().zip(after).for_each(|(before, after)| twice(before, after));

    for _ in 0..2 {
        assert_eq!(service.delete(&path).await.status, StatusCode::NO_CONTENT);
        service.get(&path).await.problem(404);
        service.patch(&path, &json!({ "serving_size": 10 })).await.problem(404);
    }
}

// statements: nutrition.state.synchronous
#[tokio::test]
async fn waiting_takes_as_long_as_the_analysis_on_the_sandboxs_clock() {
    let service = Service::with_builder(slow()).await;
    for (path, body) in [("/nutrition_records", meal()), ("/lab_reports", report())] {
        let body = waiting(body);
        let response = service.post(path, &body);
        let moves = async {
            service.wait_for_analysis(path).await;
            for _ in 0..4 {
                service.sandbox.app().advance(TIME / 4).unwrap();
                tokio::time::sleep(Duration::from_millis(30)).await;
            }
        };
        let (response, ()) = tokio::join!(response, moves);
        let response = response.ok();
        let record = response.get("lab_report").unwrap_or(&response);
        assert_eq!(record["status"], "completed");
        assert_eq!(seconds(&record["modified_at"]) - seconds(&record["uploaded_at"]), 40);
    }
}

#[tokio::test]
async fn waiting_on_a_fast_clock_takes_real_time() {
    // 40 seconds at 100 times the speed.
    let service = Service::with_builder(slow().time_scale(100.0)).await;
    let started = Instant::now();
    let record = service.post("/nutrition_records", &waiting(meal())).await.ok();
    assert_eq!(record["status"], "completed");
    assert!(started.elapsed() >= Duration::from_millis(390), "{:?}", started.elapsed());
}

// statements: nutrition.state.timed_out, errors.analysis_failed, supplement.lab.failed
#[tokio::test]
async fn an_analysis_beyond_the_wait_limit_fails_permanently() {
    // The sandbox's clock passes the limit.
    let service = Service::with_builder(slow().wait_limit(Duration::from_secs(30))).await;
    let (meal_body, report_body) = (waiting(meal()), waiting(report()));
    let both = async { tokio::join!(service.post("/nutrition_records", &meal_body), service.post("/lab_reports", &report_body)) };
    let ((meal_answer, report_answer), ()) = tokio::join!(both, async {
        service.wait_for_analysis("/nutrition_records").await;
        service.wait_for_analysis("/lab_reports").await;
        service.sandbox.app().advance(Duration::from_secs(30)).unwrap();
    });
    check_failed(&service, meal_answer.ok(), report_answer.ok()).await;

    // With a stopped clock, the limit applies to real time.
    let service = Service::with_builder(slow().wait_limit(Duration::from_millis(200))).await;
    let responses = tokio::join!(service.post("/nutrition_records", &meal_body), service.post("/lab_reports", &report_body));
    check_failed(&service, responses.0.ok(), responses.1.ok()).await;
    let service =
        Service::with_builder(Sandbox::builder().processing(Duration::from_millis(150)).wait_limit(Duration::from_millis(200))).await;
    let responses = tokio::join!(service.post("/nutrition_records", &meal_body), service.post("/lab_reports", &report_body));
    check_failed(&service, responses.0.ok(), responses.1.ok()).await;
}

async fn check_failed(service: &Service, meal: Value, report: Value) {
    assert_eq!((&meal["status"], &meal["failure_reason"]), (&json!("failed"), &json!("Analysis timed out")));
    let report = &report["lab_report"];
    assert_eq!((&report["status"], &report["parsing_error"]), (&json!("failed"), &json!("Analysis timed out")));
    service.sandbox.app().advance(TIME * 2).unwrap();
    let meal_path = format!("/nutrition_records/{}", meal["record_id"].as_str().unwrap());
    let report_path = format!("/lab_reports/{}", report["record_id"].as_str().unwrap());
    assert_eq!(service.get(&meal_path).await.ok(), meal);
    assert_eq!(service.get(&report_path).await.ok(), *report);
}

// statements: supplement.lab.time
#[tokio::test]
async fn typical_durations_match_the_published_ones() {
    let service = Service::with_builder(Sandbox::builder().typical_processing()).await;
    let uploaded = service.post("/lab_reports", &report()).await.ok();
    let path = format!("/lab_reports/{}", uploaded["lab_report"]["record_id"].as_str().unwrap());
    service.sandbox.app().advance(Duration::from_millis(9_900)).unwrap();
    assert_ne!(service.get(&path).await.ok()["status"], "completed");
    service.sandbox.app().advance(Duration::from_millis(50_100)).unwrap();
    assert_eq!(service.get(&path).await.ok()["status"], "completed");
}

#[tokio::test]
async fn a_database_continues_at_its_state() {
    let folder = std::env::temp_dir().join(format!("vitalwire-sandbox-over-time-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let builder = || slow().database(folder.join("sandbox.db")).benefits_lookup(TIME);
    let benefits = async |service: &Service| {
        let url = format!("{}/public/v1/clinics/c/patients/p/policies/1/benefits", service.sandbox.care_base_url());
        service.send(service.http.get(url).bearer_auth(service.sandbox.care_token())).await.ok()["status"].clone()
    };

    let service = Service::with_builder(builder()).await;
    service.sandbox.app().advance(Duration::from_secs(5)).unwrap();
    let uploaded = service.post("/nutrition_records", &meal()).await.ok();
    let path = format!("/nutrition_records/{}", uploaded["record_id"].as_str().unwrap());
    assert_eq!(benefits(&service).await, "pending");
    let slug = service.get("/userinfo").await.ok()["integrated_providers"][0]["provider_slug"].as_str().unwrap().to_owned();
    service.delete(&format!("/providers/{slug}/integration")).await;
    let reports = service.get("/lab_reports").await.ok();
    let now = service.sandbox.app().now();
    service.sandbox.shutdown().await;

    let service = Service::with_builder(builder()).await;
    assert_eq!(service.sandbox.app().now(), now);
    assert_eq!(service.get(&path).await.ok()["status"], "pending");
    assert_eq!(service.get("/lab_reports").await.ok(), reports);
    let info = service.get("/userinfo").await.ok();
    assert!(info["integrated_providers"].as_array().unwrap().iter().all(|provider| provider["provider_slug"] != slug));
    let second = service.post("/nutrition_records", &meal()).await.ok();
    assert_ne!(second["record_id"], uploaded["record_id"]);
    service.sandbox.app().advance(TIME).unwrap();
    assert_eq!(service.get(&path).await.ok()["status"], "completed");
    assert_eq!(benefits(&service).await, "success");
    service.sandbox.shutdown().await;

    // A start with a later date continues at that date.
    let open = |today| Sandbox::builder().seed(7).today(today).database(folder.join("sandbox.db"));
    let later = open(TODAY.tomorrow().unwrap()).start().await.unwrap();
    assert_eq!(later.app().today(), TODAY.tomorrow().unwrap());
    later.shutdown().await;
    // A start with an earlier date fails, even with that of the first start.
    for today in [TODAY, TODAY.yesterday().unwrap()] {
        let refused = open(today).start().await.unwrap_err().to_string();
        let why =
            format!("the clock of this database shows 2025-11-22 12:00:00 UTC and never goes back: it cannot stop at noon of {today}");
        assert!(refused.ends_with(&why), "{refused}");
    }
    // Without a date, the clock follows the machine's, which is later. Then the earlier date fails too.
    let now = Sandbox::builder().seed(7).database(folder.join("sandbox.db")).start().await.unwrap();
    assert!(now.app().today() > TODAY.tomorrow().unwrap());
    now.shutdown().await;
    assert!(open(TODAY.tomorrow().unwrap()).start().await.is_err());
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Changes a setting in a database file between two starts.
fn change_setting(file: &std::path::Path, name: &str, change: impl FnOnce(&mut Value)) {
    let database = rusqlite::Connection::open(file).unwrap();
    let text: String = database.query_row("SELECT value FROM settings WHERE name = ?1", [name], |row| row.get(0)).unwrap();
    let mut value: Value = serde_json::from_str(&text).unwrap();
    change(&mut value);
    database.execute("UPDATE settings SET value = ?2 WHERE name = ?1", [name, &value.to_string()]).unwrap();
}

#[tokio::test]
async fn setting_the_machine_back_does_not_move_the_sandbox_back() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sandbox.db");
    let start = async || Service::with_builder(Sandbox::builder().time_scale(3_600.0).database(&file)).await;
    let service = start().await;
    tokio::time::sleep(Duration::from_millis(50)).await;
    let uploaded = service.post("/nutrition_records", &meal()).await.ok();
    let path = format!("/nutrition_records/{}", uploaded["record_id"].as_str().unwrap());
    assert_eq!(service.get(&path).await.ok()["status"], "completed");
    let shown = service.sandbox.app().now();
    service.sandbox.shutdown().await;
    // Simulates a machine clock that was two hours ahead at the first start.
    change_setting(&file, "clock", |line| {
        let real: jiff::Timestamp = line["real"].as_str().unwrap().parse().unwrap();
        line["real"] = json!((real + jiff::SignedDuration::from_hours(2)).to_string());
    });
    let service = start().await;
    assert!(service.sandbox.app().now() >= shown, "{} after {shown}", service.sandbox.app().now());
    assert_eq!(service.get(&path).await.ok()["status"], "completed");
}

#[tokio::test]
async fn the_clock_is_set_and_scaled_but_never_goes_back() {
    let service = Service::new().await;
    let app = service.sandbox.app();
    let noon = app.now();
    assert_eq!(app.scale(), 0.0);
    assert!(app.set_time(noon).is_ok());
    let hour = noon + jiff::SignedDuration::from_hours(1);
    app.set_time(hour).unwrap();
    assert_eq!(app.now(), hour);
    assert!(app.set_time(noon).is_err());
    assert!(app.set_scale(f64::NAN).is_err());
    app.set_scale(1e6).unwrap();
    tokio::time::sleep(Duration::from_millis(90)).await;
    // 90,000 seconds are more than a day.
    assert!(app.today() > TODAY);
    service.send(service.request_as(0, Method::GET, "/userinfo")).await.ok();
}

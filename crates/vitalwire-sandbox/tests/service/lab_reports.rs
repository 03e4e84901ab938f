//! Lab reports.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use vitalwire_sandbox::Sandbox;

use super::support::{Service, is_uuid, seconds};

/// Text of a printed report.
const TEXT: &str = "Collected: 2025-11-20\nHEMATOLOGY\nWhite Blood Count 7.2 K/uL (4.0 - 11.0)\nHemoglobin 11.1 L g/dL 12.0-17.5\n";

fn document(contents: &[u8]) -> Value {
    json!({"body": STANDARD.encode(contents), "filename": "blood.pdf"})
}

fn check_complete(report: &Value) {
    assert!(is_uuid(&report["record_id"]));
    assert_eq!(report["status"], "completed");
    assert!(seconds(&report["modified_at"]) >= seconds(&report["uploaded_at"]));
    let first = &report["sections"][0];
    assert_eq!((first["loinc_code"].as_str(), first["original_section_name"].as_str()), (Some("58410-2"), Some("HEMATOLOGY")));
    let white = &first["results"][0];
    assert_eq!(white["loinc_code"], "6690-2");
    assert_eq!(white["original_test_name"], "White Blood Count");
    assert_eq!(white["original_unit_name"], "K/uL");
    for section in report["sections"].as_array().unwrap() {
        for result in section["results"].as_array().unwrap() {
            let number = |name: &str| result[name].as_f64().unwrap();
            let within = number("normal_min") <= number("value") && number("value") <= number("normal_max");
            assert_eq!(result["within_normal_range"], within, "{result}");
            assert!(result["require_human_review"].is_boolean());
            assert_eq!(result["value_text"].as_str().unwrap().parse::<f64>().unwrap(), number("value"));
        }
    }
}

// statements: supplement.error.conditions
#[tokio::test]
async fn seeded_reports_are_listed_and_read() {
    let service = Service::new().await;
    for at in 0..4 {
        let list = service.get_as(at, "/lab_reports").await.ok();
        let list = list.as_array().unwrap();
        assert_eq!(list.len(), 3);
        assert!(list.windows(2).all(|pair| seconds(&pair[0]["uploaded_at"]) < seconds(&pair[1]["uploaded_at"])));
        for report in list {
            check_complete(report);
            assert!(seconds(&report["uploaded_at"]) < service.sandbox.app().now().as_second());
            let id = report["record_id"].as_str().unwrap();
            assert_eq!(&service.get_as(at, &format!("/lab_reports/{id}")).await.ok(), report);
            service.get_as((at + 1) % 4, &format!("/lab_reports/{id}")).await.problem(404);
        }
    }
}

// statements: lab_list.range, lab_list.range.format, supplement.lab.range
#[tokio::test]
async fn the_range_includes_its_start_and_not_its_end() {
    let service = Service::new().await;
    let list = service.get("/lab_reports").await.ok();
    let at: Vec<&str> = (0..3).map(|number| list[number]["uploaded_at"].as_str().unwrap()).collect();
    let count = async |query: String| service.get(&format!("/lab_reports?{query}")).await.ok().as_array().unwrap().len();
    assert_eq!(count(format!("from_timestamp={}&to_timestamp={}", at[0], at[2])).await, 2);
    assert_eq!(count(format!("from_timestamp={}", at[1])).await, 2);
    assert_eq!(count(format!("to_timestamp={}", at[1])).await, 1);
    assert_eq!(count(format!("to_timestamp={}", at[1].trim_end_matches('Z'))).await, 1);
    assert_eq!(count(format!("from_timestamp={}&to_timestamp={}", at[1], at[1])).await, 0);
    let wrong = service.get(&format!("/lab_reports?from_timestamp={}&to_timestamp={}", at[1], at[0])).await;
    assert_eq!(wrong.problem(422), ["query.from_timestamp"]);
    let wrong = service.get("/lab_reports?from_timestamp=yesterday&to_timestamp=2025-13-01T00:00:00Z").await;
    assert_eq!(wrong.problem(422), ["query.from_timestamp", "query.to_timestamp"]);
}

// statements: service.lab_analysis, supplement.lab.first_response, supplement.lab.sample
#[tokio::test]
async fn an_upload_is_processing_first_and_then_completed() {
    let service = Service::new().await;
    let response = service.post("/lab_reports", &document(TEXT.as_bytes())).await.ok();
    assert_eq!(response.as_object().unwrap().len(), 1);
    let report = &response["lab_report"];
    assert_eq!(report.as_object().unwrap().len(), 3);
    assert_eq!(report["status"], "processing");
    seconds(&report["uploaded_at"]);
    let path = format!("/lab_reports/{}", report["record_id"].as_str().unwrap());
    let read = service.get(&path).await.ok();
    check_complete(&read);
    assert_eq!(read["sections"][0]["results"][0]["require_human_review"], false);
    assert_eq!(service.get("/lab_reports").await.ok().as_array().unwrap().len(), 4);
    assert_eq!(service.get_as(1, "/lab_reports").await.ok().as_array().unwrap().len(), 3);
    service.get_as(1, &path).await.problem(404);
}

// statements: lab_upload.mime_detected, supplement.lab.inputs, supplement.lab.failed, supplement.lab.review, supplement.lab.patient
#[tokio::test]
async fn a_synchronous_upload_returns_the_results() {
    let service = Service::new().await;
    let wait = async |contents: &[u8]| {
        let mut body = document(contents);
        body["wait_on_process"] = json!(true);
        service.post("/lab_reports", &body).await.ok()["lab_report"].clone()
    };
    let report = wait(TEXT.as_bytes()).await;
    check_complete(&report);
    assert_eq!(report["collection_date"], "2025-11-20");
    assert_eq!(report["patient_information"], json!({}));
    assert!(report["notes"].as_str().unwrap().contains("blood.pdf (text/plain)"), "the type follows from the content, not from the name");
    let results = &report["sections"][0]["results"];
    assert_eq!((results[0]["value"].as_f64(), results[0]["within_normal_range"].as_bool()), (Some(7.2), Some(true)));
    assert_eq!((results[1]["value"].as_f64(), results[1]["within_normal_range"].as_bool()), (Some(11.1), Some(false)));
    assert_eq!(results.as_array().unwrap().len(), 2);
    let path = format!("/lab_reports/{}", report["record_id"].as_str().unwrap());
    assert_eq!(service.get(&path).await.ok(), report);

    for unread in [&b"\xff\xd8\xff\xe0"[..], b"\0\x01\x02"] {
        let report = wait(unread).await;
        check_complete(&report);
        for section in report["sections"].as_array().unwrap() {
            assert!(section["results"].as_array().unwrap().iter().all(|result| result["require_human_review"] == true));
        }
    }
    for broken in [&b"%PDF-1.7 something"[..], b"Dear Sir or Madam", b"synthetic:unreadable"] {
        let report = wait(broken).await;
        assert_eq!(report["status"], "failed");
        assert!(report["parsing_error"].is_string());
        assert!(report["sections"].is_null());
    }
}

#[tokio::test]
async fn processing_can_take_time() {
    let wait = std::time::Duration::from_secs(40);
    let service = Service::with_builder(Sandbox::builder().processing(wait)).await;
    let report = service.post("/lab_reports", &document(TEXT.as_bytes())).await.ok()["lab_report"].clone();
    let path = format!("/lab_reports/{}", report["record_id"].as_str().unwrap());
    assert_eq!(report["status"], "pending");
    let read = service.get(&path).await.ok();
    assert_eq!(read["status"], "pending");
    assert!(read["sections"].is_null());
    service.sandbox.app().advance(wait / 2).unwrap();
    assert_eq!(service.get(&path).await.ok()["status"], "processing");
    service.sandbox.app().advance(wait / 2).unwrap();
    assert_eq!(service.get(&path).await.ok()["status"], "completed");
}

#[tokio::test]
async fn invalid_uploads_are_rejected() {
    let service = Service::new().await;
    let response = service.post("/lab_reports", &json!({"body": "not base64!", "filename": "a"})).await;
    assert_eq!(response.problem(400), ["body.body"]);
    assert_eq!(service.post("/lab_reports", &json!({})).await.problem(422), ["body.body", "body.filename"]);
    let response = service.post("/lab_reports", &json!({"body": 1, "filename": true, "wait_on_process": "yes"})).await;
    assert_eq!(response.problem(422), ["body.body", "body.filename", "body.wait_on_process"]);
    let response = service.post("/lab_reports", &json!({"body": "", "filename": ""})).await;
    assert_eq!(response.problem(422), ["body.filename"]);
    let response = service.post("/lab_reports", &json!({"body": "", "filename": "a"})).await;
    assert_eq!(response.problem(422), ["body.body"]);
    let request = service.request_as(0, http::Method::POST, "/lab_reports").body("{\"body\":");
    let response = service.send(request).await;
    response.problem(400);
    assert_eq!(response.detail(), "validation failed");
    assert_eq!(service.get("/lab_reports").await.ok().as_array().unwrap().len(), 3, "nothing was stored");
}

//! Operations that write: method, path, JSON body and response.

use serde_json::{Value, json as value};
use vitalwire::open_sets::{AnalysisMode, LabReportStatus, NutrientName, NutritionStatus};
use vitalwire_testkit::{Request, Server, json, response};

use crate::api::{client, instant, only, target};

/// Returns the JSON body of a request.
fn body(seen: &Request) -> Value {
    assert_eq!(seen.header("content-type"), Some("application/json"));
    assert_eq!(seen.header("accept"), Some("application/json"));
    assert!(!seen.line().contains('?'), "no query");
    serde_json::from_slice(&seen.body).unwrap()
}

#[tokio::test]
async fn a_deletion_has_status_204() {
    let server = Server::always(response(204, &[("x-request-id", "req-9")], b""));
    let client = client(&server);
    let response = client.integrations().delete("oura").await.unwrap();
    assert_eq!((response.metadata().status, response.metadata().request_id.as_deref()), (204, Some("req-9")));
    client.nutrition_records().delete("meal-1").await.unwrap();
    let seen = server.requests();
    assert_eq!(seen[0].line(), "DELETE /v3/providers/oura/integration HTTP/1.1");
    assert_eq!(seen[1].line(), "DELETE /v3/nutrition_records/meal-1 HTTP/1.1");
    for seen in seen {
        assert_eq!(seen.header("authorization"), Some("Bearer health-token"));
        assert_eq!(seen.header("content-type"), None);
        assert!(seen.body.is_empty());
    }
}

#[tokio::test]
async fn a_lab_report_is_uploaded_as_base64() {
    let server = Server::always(json(
        200,
        r#"{"lab_report":{"record_id":"r-1","status":"pending","uploaded_at":"2025-01-31T06:30:00Z"},"queue":"slow"}"#,
    ));
    let client = client(&server);
    // 0xfb 0xff 0xfe encodes to `+` and `/` of the standard alphabet. The fourth byte requires padding.
    let document = &[0xfb_u8, 0xff, 0xfe, 0x00];
    let response = client.lab_reports().upload(document, "Bericht µ.pdf").wait_on_process(true).await.unwrap();
    assert_eq!((response.lab_report.record_id.as_str(), &response.lab_report.status), ("r-1", &LabReportStatus::Pending));
    assert_eq!(response.extra.get("queue"), Some(value!("slow")));
    client.lab_reports().upload(vec![0], "small").await.unwrap();
    let seen = server.requests();
    assert_eq!(target(&seen[0]), "POST /v3/lab_reports");
    assert_eq!(seen[0].header("authorization"), Some("Bearer health-token"));
    assert_eq!(body(&seen[0]), value!({"body": "+//+AA==", "filename": "Bericht µ.pdf", "wait_on_process": true}));
    assert_eq!(body(&seen[1]), value!({"body": "AA==", "filename": "small"}), "unset parameters are not sent");
}

#[tokio::test]
async fn a_nutrition_upload_sends_every_parameter() {
    let server = Server::always(json(200, r#"{"record_id":"n-1","status":"processing","uploaded_at":"2025-01-31T06:30:00Z"}"#));
    let client = client(&server);
    let call = client.nutrition_records().upload().body(b"\x89PNG").body_url("https://images.example/1.png");
    let call = call.country_code("de").language_code("en").analysis_mode(AnalysisMode::Fast).wait_on_process(false);
    let call = call.include_nutrition_fields([NutrientName::SaltG, NutrientName::from("vitamin_q_mg")]);
    let call = call.include_nutri_score(true).include_dish_description(false).include_ingredients(true);
    let response = call.consumed_at(instant("2025-01-31T12:00:00.120+02:00")).await.unwrap();
    assert_eq!((response.record_id.as_str(), &response.status), ("n-1", &NutritionStatus::Processing));
    assert!(response.modified_at.is_none(), "the response to an upload lacks it");
    client.nutrition_records().upload().include_nutrition_fields(Vec::<NutrientName>::new()).await.unwrap();
    let seen = server.requests();
    assert_eq!(target(&seen[0]), "POST /v3/nutrition_records");
    assert_eq!(seen[0].header("authorization"), Some("Bearer health-token"));
    let expected = value!({
        "body": "iVBORw==", "body_url": "https://images.example/1.png", "country_code": "de", "language_code": "en",
        "analysis_mode": "fast", "wait_on_process": false, "include_nutrition_fields": ["salt_g", "vitamin_q_mg"],
        "include_nutri_score": true, "include_dish_description": false, "include_ingredients": true,
        "consumed_at": "2025-01-31T10:00:00.12Z",
    });
    assert_eq!(body(&seen[0]), expected);
    assert_eq!(body(&seen[1]), value!({"include_nutrition_fields": []}), "an empty list that is set is sent");
}

#[tokio::test]
async fn a_serving_size_is_sent_as_the_shortest_decimal() {
    let record = r#"{"record_id":"n-1","status":"updated","uploaded_at":"2025-01-31T06:30:00Z","modified_at":"2025-01-31T06:31:00Z"}"#;
    let server = Server::always(json(200, record));
    let client = client(&server);
    for (size, text) in [(250.0, "250"), (0.01, "0.01"), (72.5, "72.5"), (1e300, "1e300"), (0.1 + 0.2, "0.30000000000000004")] {
        let response = client.nutrition_records().update("n-1", size).await.unwrap();
        assert_eq!(response.status, NutritionStatus::Updated);
        let seen = server.requests().pop().unwrap();
        assert_eq!(target(&seen), "PATCH /v3/nutrition_records/n-1");
        assert_eq!(seen.header("authorization"), Some("Bearer health-token"));
        body(&seen);
        let sent = String::from_utf8(seen.body).unwrap();
        let number = sent.strip_prefix("{\"serving_size\":").and_then(|rest| rest.strip_suffix('}')).unwrap().replace("e+", "e");
        assert_eq!(number, text);
    }
}

#[tokio::test]
async fn the_token_exchange_sends_no_token() {
    let server = Server::always(json(200, r#"{"access_token":"fresh"}"#));
    let signature = "0a".repeat(32);
    let response = client(&server).tokens().exchange(9_007_199_254_740_993, "user-1_A.b", &*signature).await.unwrap();
    assert_eq!(response.access_token, "fresh");
    let seen = only(&server);
    assert_eq!(target(&seen), "POST /v3/auth/hmac");
    assert_eq!(seen.header("authorization"), None);
    let expected = value!({"application_id": 9_007_199_254_740_993_i64, "application_user_id": "user-1_A.b", "signature": signature});
    assert_eq!(body(&seen), expected);
}

#[tokio::test]
async fn the_token_exchange_works_without_a_token() {
    let server = Server::always(json(200, r#"{"access_token":"fresh"}"#));
    let client = vitalwire::Client::builder().base_url(server.url()).no_proxy().build().unwrap();
    assert!(client.tokens().exchange(1, "u", "00").await.is_ok());
    assert_eq!(only(&server).header("authorization"), None);
}

//! Webhooks.

use serde_json::{Value, json};
use vitalwire_conformance::case::{Body, Webhook, WebhookKind};
use vitalwire_conformance::runner;

fn decode(kind: WebhookKind, body: &str, signature: Option<&str>, keys: &[&str]) -> (Value, Option<&'static str>) {
    let keys = keys.iter().map(|key| (*key).to_owned()).collect();
    let case = Webhook { kind, body: Body::Text(body.to_owned()), signature: signature.map(str::to_owned), keys };
    match runner::webhook(&case, body.as_bytes()) {
        Ok(response) => (response.value, response.basis),
        Err(failure) => (failure.canonical(), None),
    }
}

const EVENTS: &str = r#"[{"application_user_id":"user-7","timestamp":"2025-03-01T22:30:00.123456789","event_type":"record_change","metrics":["steps"]},{"event_type":"new","activity_types":null}]"#;

#[test]
fn events_are_decoded() {
    let expected = json!([
        {"application_user_id": "user-7", "timestamp": "2025-03-01T22:30:00.123456789Z", "event_type": "record_change", "metrics": ["steps"]},
        {"event_type": {"unknown": "new"}, "activity_types": null}
    ]);
    assert_eq!(decode(WebhookKind::Events, EVENTS, None, &[]).0, expected);
    // printf '%s' "$EVENTS" | openssl dgst -sha256 -hmac new-webhook-key-1
    let signature = "c58de20d78264c90b261782e7523258d793c822e03661eaeca2c9029c61e329d";
    assert_eq!(decode(WebhookKind::Events, EVENTS, Some(signature), &["old-webhook-key-1", "new-webhook-key-1"]).0, expected);
}

#[test]
fn a_wrong_signature_is_an_error() {
    let expected = json!({"error": "signature", "code": 1502, "attempts": 0, "is_transient": false});
    assert_eq!(decode(WebhookKind::Events, EVENTS, Some(&"00".repeat(32)), &["new-webhook-key-1"]).0, expected);
    assert_eq!(decode(WebhookKind::Events, EVENTS, Some(""), &["new-webhook-key-1"]).0, expected);
}

#[test]
fn records_are_decoded() {
    let report = r#"{"application_user_id":"user-7","record_id":"l-1","status":"completed","sections":[{"results":[{"value":5.0}]}]}"#;
    let expected =
        json!({"application_user_id": "user-7", "record_id": "l-1", "status": "completed", "sections": [{"results": [{"value": 5}]}]});
    assert_eq!(decode(WebhookKind::LabReport, report, None, &[]).0, expected);
    let meal = r#"{"record_id":"n-1","status":"completed","uploaded_at":"2025-03-01T12:00:00Z","modified_at":"2025-03-01T12:00:09Z","nutritional_fields":{"salt_g":0.50}}"#;
    let expected = json!({"record_id": "n-1", "status": "completed", "uploaded_at": "2025-03-01T12:00:00Z",
        "modified_at": "2025-03-01T12:00:09Z", "nutritional_fields": {"salt_g": 0.5}});
    assert_eq!(decode(WebhookKind::Nutrition, meal, None, &[]), (expected, Some("unknown")));
    let failure = decode(WebhookKind::Nutrition, "[]", None, &[]).0;
    assert_eq!((&failure["error"], &failure["code"]), (&json!("decode"), &json!(1501)));
}

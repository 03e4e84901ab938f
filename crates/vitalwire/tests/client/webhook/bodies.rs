//! Tests of parsing the three kinds of webhook bodies.

use vitalwire::open_sets::{LabReportStatus, NutritionStatus, ProviderSlug, WebhookEventType};
use vitalwire::value::NumberBasis;
use vitalwire::webhook::{
    Verifier, WebhookKind, content_key, detect_kind, parse_events, parse_lab_report, parse_nutrition, sign, skipped_items,
};
use vitalwire::{Error, ErrorKind, OpenSet as _};

use super::{EVENTS, kind};

fn json_path(error: &Error) -> Option<String> {
    error.json_path().map(str::to_owned)
}

#[test]
fn reads_events_of_several_users() {
    let events = parse_events(EVENTS).unwrap();
    let users: Vec<_> = events.iter().map(|event| event.application_user_id.as_deref().unwrap()).collect();
    assert_eq!(users, ["user-7", "user-8", "user-9"]);

    let change = &events[0];
    assert_eq!(change.event_type, Some(WebhookEventType::RecordChange));
    assert_eq!(change.provider_slug, Some(ProviderSlug::Garmin));
    assert_eq!(change.metrics.as_slice(), ["steps", "hrv_avg"]);
    assert!(change.activity_types.is_null());
    let text = |at: Option<vitalwire::value::Timestamp>| at.unwrap().to_string();
    assert_eq!(text(change.timestamp), "2025-03-30T01:59:59.123456789Z");
    // Times without an offset are UTC. 03:30 at +02:00 is 01:30 UTC.
    assert_eq!(text(change.earliest_record_start_at), "2025-03-29T22:00:00Z");
    assert_eq!(text(change.latest_record_end_at), "2025-03-30T01:30:00.5Z");

    assert_eq!(events[1].event_type, Some(WebhookEventType::ProviderIntegrationDeleted));
    assert!(events[1].metrics.is_absent());
}

#[test]
fn an_unknown_event_keeps_its_fields() {
    let event = &parse_events(EVENTS).unwrap()[2];
    assert_eq!(event.event_type.as_ref().unwrap().as_ref(), "moon_phase_changed");
    assert_eq!(event.extra.get("phase").unwrap()["of"], "moon");
    assert_eq!(event.timestamp, None);
}

#[test]
fn null_and_an_empty_list_have_no_events() {
    for body in ["null", "[]", " null\n"] {
        assert!(parse_events(body.as_bytes()).unwrap().is_empty(), "{body}");
    }
}

#[test]
fn an_optional_field_of_a_wrong_type_is_an_extra() {
    let events = parse_events(br#"[{"timestamp":"noon","metrics":"steps","application_user_id":7}]"#).unwrap();
    assert_eq!((events[0].timestamp, events[0].application_user_id.as_deref()), (None, None));
    assert_eq!(events[0].extra.get("timestamp").unwrap(), "noon");
    assert_eq!(events[0].extra.get("metrics").unwrap(), "steps");
    assert_eq!(events[0].extra.get("application_user_id").unwrap(), 7);
}

#[test]
fn a_byte_order_mark_is_part_of_the_signature_and_is_ignored() {
    let body = "\u{feff}[{\"application_user_id\":\"user-7\"}]";
    let verifier = Verifier::new(["a-webhook-key-of-yours"]).unwrap();
    let events = verifier.verify_and_parse_events(body.as_bytes(), sign(body, "a-webhook-key-of-yours")).unwrap();
    assert_eq!(events[0].application_user_id.as_deref(), Some("user-7"));
    let without = body.trim_start_matches('\u{feff}');
    assert_eq!(kind(verifier.verify(body.as_bytes(), sign(without, "a-webhook-key-of-yours"))), ErrorKind::Signature);
    assert_eq!((detect_kind(body.as_bytes()), content_key(body.as_bytes())), (WebhookKind::Events, content_key(without.as_bytes())));
}

#[test]
fn other_bodies_are_decode_errors() {
    let single = br#"{"application_user_id":"user-7","event_type":"record_change"}"#;
    for body in [&single[..], b"", b"[", b"[{}", b"\"text\"", b"1", b"<html></html>", b"[{}]x", b"\xff[]", b"\xef\xbb\xbf\xef\xbb\xbf[]"] {
        assert_eq!(kind(parse_events(body)), ErrorKind::Decode, "{}", String::from_utf8_lossy(body));
    }
    let error = parse_events(single).unwrap_err();
    assert_eq!((error.to_string().as_str(), json_path(&error).as_deref()), ("decode: expected a list, at byte 0", Some("byte 0")));
}

#[test]
fn other_events_are_kept_if_one_is_invalid() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    for bad in ["null", "5", "\"x\"", &deep] {
        let body = format!(r#"[{{"event_type":"a"}},{bad},{{"event_type":"b","metrics":["steps",1,"floors"]}}]"#);
        let events = parse_events(body.as_bytes()).unwrap();
        let types: Vec<_> = events.iter().map(|event| event.event_type.as_ref().unwrap().as_str()).collect();
        assert_eq!((types, events[1].metrics.as_slice()), (vec!["a", "b"], &["steps".to_owned(), "floors".to_owned()][..]));
        let skipped = skipped_items(body.as_bytes(), WebhookKind::Events).unwrap();
        let reported: Vec<_> = skipped.as_slice().iter().map(|item| (item.json_path(), item.reason(), item.json())).collect();
        assert_eq!(reported, [("[1]", "expected an object", bad), ("[2].metrics[1]", "expected a string", "1")]);
        assert_eq!(detect_kind(body.as_bytes()), WebhookKind::Events);
    }
    assert_eq!(kind(skipped_items(b"[]", WebhookKind::Unknown)), ErrorKind::InvalidArgument);
    assert_eq!(kind(skipped_items(b"{}", WebhookKind::Events)), ErrorKind::Decode);
}

#[test]
fn reads_a_lab_report_with_its_user() {
    let body = br#"{"application_user_id":"user-7","record_id":"0b9d","status":"completed","uploaded_at":"2025-01-02T03:04:05.000000001Z",
        "sections":[{"loinc_code":"58410-2","original_name":"HEMATOLOGY"}],"require_human_review":true}"#;
    let report = parse_lab_report(body).unwrap();
    assert_eq!(report.application_user_id.as_deref(), Some("user-7"));
    assert_eq!(report.record_id.as_str(), "0b9d");
    assert_eq!(report.status, LabReportStatus::Completed);
    assert_eq!(report.uploaded_at.unwrap().to_string(), "2025-01-02T03:04:05.000000001Z");
    assert_eq!(report.sections.as_slice().len(), 1);
    // A field that the document does not have is an extra.
    assert_eq!(report.extra.get("require_human_review").unwrap(), true);
}

#[test]
fn a_failed_record_is_not_an_error() {
    let body = br#"{"application_user_id":"user-7","record_id":"a1","status":"failed","uploaded_at":"2025-01-02T03:04:05Z",
        "modified_at":"2025-01-02T03:04:35","failure_reason":"Unable to identify food items","ingredients":null}"#;
    let record = parse_nutrition(body).unwrap();
    assert_eq!(record.status, NutritionStatus::Failed);
    assert_eq!(record.failure_reason.as_deref(), Some("Unable to identify food items"));
    assert_eq!(record.modified_at.unwrap().to_string(), "2025-01-02T03:04:35Z");
    assert!(record.ingredients.is_null());
}

#[test]
fn the_basis_of_a_nutrition_webhook_is_unknown() {
    let body = br#"{"record_id":"a1","status":"brewing","uploaded_at":"2025-01-02T03:04:05Z","modified_at":"2025-01-02T03:04:35Z",
        "nutritional_fields":{"calories_kcal":250}}"#;
    let record = parse_nutrition(body).unwrap();
    assert_eq!(record.status.as_ref(), "brewing");
    assert_eq!(record.nutritional_fields.unwrap().basis(), NumberBasis::Unknown);
}

#[test]
fn a_missing_required_field_is_an_error_with_its_path() {
    let lab = parse_lab_report(br#"{"status":"completed"}"#).unwrap_err();
    assert_eq!((lab.kind(), lab.reason(), json_path(&lab).as_deref()), (ErrorKind::Decode, Some("missing"), Some("record_id")));
    let meal = parse_nutrition(br#"{"record_id":"a1"}"#).unwrap_err();
    assert_eq!((meal.reason(), json_path(&meal).as_deref()), (Some("missing"), Some("status")));
    // The times of a record are not required in its webhook.
    assert!(parse_nutrition(br#"{"record_id":"a1","status":"completed","uploaded_at":"CANARY"}"#).is_ok());
    for body in ["null", "[]", "{}", ""] {
        assert_eq!(kind(parse_lab_report(body.as_bytes())), ErrorKind::Decode, "{body}");
        assert_eq!(kind(parse_nutrition(body.as_bytes())), ErrorKind::Decode, "{body}");
    }
}

//! Tests of detecting the kind of a body.

use vitalwire::webhook::{WebhookKind, detect_kind, parse_events};

use super::EVENTS;

fn detect(body: &str) -> WebhookKind {
    detect_kind(body.as_bytes())
}

#[test]
fn lists_of_objects_are_events() {
    assert_eq!(detect_kind(EVENTS), WebhookKind::Events);
    for body in ["[]", " [ {} ] ", "null", "[null,{}]"] {
        assert_eq!(detect(body), WebhookKind::Events, "{body}");
        parse_events(body.as_bytes()).unwrap();
    }
}

#[test]
fn fields_of_only_one_kind_of_record_decide() {
    let start = r#"{"application_user_id":"u","record_id":"r","status":"completed","uploaded_at":"2025-01-01T00:00:00Z","modified_at":"2025-01-01T00:00:00Z""#;
    // Fields that the interface has for only one of the two records.
    let lab = [
        "collection_date",
        "result_date",
        "lab_information",
        "patient_information",
        "notes",
        "original_record_id",
        "parsing_error",
        "sections",
    ];
    let nutrition = [
        "dish_name",
        "dish_name_translated",
        "dish_description",
        "dish_description_translated",
        "serving_size",
        "unit",
        "consumed_at",
        "failure_reason",
        "ingredients",
        "input_type",
        "nutri_score",
        "nutritional_fields",
        "user_time_offset_minutes",
    ];
    for (names, expected) in [(&lab[..], WebhookKind::LabReport), (&nutrition[..], WebhookKind::Nutrition)] {
        for name in names {
            // Only names count, even if the value is null or of an unexpected type.
            for value in ["null", "5", "\"x\"", "[{}]"] {
                assert_eq!(detect(&format!(r#"{start},"{name}":{value}}}"#)), expected, "{name} {value}");
            }
            assert_eq!(detect(&format!(r#"{{"{name}":null,"moon":1}}"#)), expected, "{name} alone");
        }
    }
}

#[test]
fn short_bodies_are_unknown() {
    for body in [
        r#"{"application_user_id":"u","record_id":"r","status":"completed"}"#,
        r#"{"application_user_id":"u","record_id":"r","status":"processing","uploaded_at":"2025-01-01T00:00:00Z"}"#,
        r#"{"record_id":"r","status":"failed","uploaded_at":"2025-01-01T00:00:00Z","modified_at":"2025-01-01T00:00:00Z"}"#,
        r#"{"record_id":"r","status":"updated","moon":"full"}"#,
        "{}",
    ] {
        assert_eq!(detect(body), WebhookKind::Unknown, "{body}");
    }
}

#[test]
fn contradictory_and_other_bodies_are_unknown() {
    for body in [
        r#"{"sections":[],"dish_name":"Soup"}"#,
        r#"{"event_type":"record_change","metrics":["steps"]}"#,
        "[1]",
        "5",
        "\"text\"",
        "",
        "{",
        "<html>",
    ] {
        assert_eq!(detect(body), WebhookKind::Unknown, "{body}");
    }
    assert_eq!(detect_kind(b"\xff"), WebhookKind::Unknown);
}

#[test]
fn bodies_with_many_fields_are_detected() {
    let members: Vec<String> = (0..20_000).map(|at| format!("\"m{at}\":{at}")).collect();
    assert_eq!(detect(&format!("{{{}}}", members.join(","))), WebhookKind::Unknown);
    assert_eq!(detect(&format!("{{{},\"dish_name\":1}}", members.join(","))), WebhookKind::Nutrition);
}

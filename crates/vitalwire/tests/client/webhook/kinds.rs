//! Guessing what a body is, and saying so where that cannot be.

use vitalwire::webhook::{WebhookKind, detect_kind, parse_events};

use super::EVENTS;

fn of(body: &str) -> WebhookKind {
    detect_kind(body.as_bytes())
}

#[test]
fn lists_of_objects_are_events() {
    assert_eq!(detect_kind(EVENTS), WebhookKind::Events);
    for body in ["[]", " [ {} ] ", "null", "[null,{}]"] {
        assert_eq!(of(body), WebhookKind::Events, "{body}");
        parse_events(body.as_bytes()).unwrap();
    }
}

#[test]
fn a_member_that_only_one_record_has_decides() {
    let start = r#"{"application_user_id":"u","record_id":"r","status":"completed","uploaded_at":"2025-01-01T00:00:00Z","modified_at":"2025-01-01T00:00:00Z""#;
    // The members that the interface lists for one of the two records and not for the other.
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
            // By name: also where the value is null, or of a type that nobody expects.
            for value in ["null", "5", "\"x\"", "[{}]"] {
                assert_eq!(of(&format!(r#"{start},"{name}":{value}}}"#)), expected, "{name} {value}");
            }
            assert_eq!(of(&format!(r#"{{"{name}":null,"moon":1}}"#)), expected, "{name} alone");
        }
    }
}

#[test]
fn short_bodies_cannot_be_told_apart() {
    for body in [
        r#"{"application_user_id":"u","record_id":"r","status":"completed"}"#,
        r#"{"application_user_id":"u","record_id":"r","status":"processing","uploaded_at":"2025-01-01T00:00:00Z"}"#,
        r#"{"record_id":"r","status":"failed","uploaded_at":"2025-01-01T00:00:00Z","modified_at":"2025-01-01T00:00:00Z"}"#,
        r#"{"record_id":"r","status":"updated","moon":"full"}"#,
        "{}",
    ] {
        assert_eq!(of(body), WebhookKind::Unknown, "{body}");
    }
}

#[test]
fn neither_and_both_cannot_be_told() {
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
        assert_eq!(of(body), WebhookKind::Unknown, "{body}");
    }
    assert_eq!(detect_kind(b"\xff"), WebhookKind::Unknown);
}

#[test]
fn many_members_do_not_matter() {
    let members: Vec<String> = (0..20_000).map(|at| format!("\"m{at}\":{at}")).collect();
    assert_eq!(of(&format!("{{{}}}", members.join(","))), WebhookKind::Unknown);
    assert_eq!(of(&format!("{{{},\"dish_name\":1}}", members.join(","))), WebhookKind::Nutrition);
}

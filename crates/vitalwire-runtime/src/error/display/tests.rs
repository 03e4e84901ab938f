use super::super::problem::parse_problem;
use super::super::{Error, ErrorKind};

fn with_problem(body: &str) -> Error {
    let mut error = Error::new(ErrorKind::InvalidRequest);
    error = error.with_problem(parse_problem(body.as_bytes()), &["validation failed"]);
    error.inner.status = Some(422);
    error
}

#[test]
fn a_text_contains_only_allowed_details() {
    let mut error = with_problem(
        r#"{"detail":"validation failed","errors":[{"location":"body.items[3].x","value":"CANARY","message":"CANARY"},{"location":"jane doe CANARY"}]}"#,
    );
    error.inner.operation = Some("update_nutrition_record");
    error.inner.http_method = Some("PATCH");
    error.inner.path_template = Some("/v3/nutrition_records/{record_id}");
    error.inner.request_id = Some("req-1_A.b".to_owned());
    error.inner.attempts = 2;
    let expected = "invalid_request: validation failed, at body.items[3].x, status 422, PATCH /v3/nutrition_records/{record_id}, request id req-1_A.b, 2 attempts";
    assert_eq!(error.to_string(), expected);
    assert_eq!(format!("{error:?}"), format!("Error({expected})"));
}

#[test]
fn an_unknown_detail_and_a_malformed_request_id_are_hidden() {
    let mut error = with_problem(r#"{"detail":"no user CANARY","title":"CANARY"}"#);
    error.inner.request_id = Some("CANARY jane@example.org".to_owned());
    assert_eq!(error.to_string(), "invalid_request: status 422");
    assert_eq!(error.request_id(), Some("CANARY jane@example.org"));
    error.inner.request_id = Some("x".repeat(65));
    assert_eq!(error.to_string(), "invalid_request: status 422");
}

#[test]
fn at_most_eight_locations_are_shown() {
    let entries: Vec<_> = (0..1000).map(|i| format!(r#"{{"location":"body.a{i}"}}"#)).collect();
    let error = with_problem(&format!(r#"{{"errors":[{}]}}"#, entries.join(",")));
    assert!(error.to_string().contains("body.a7"));
    assert!(!error.to_string().contains("body.a8"));
}

#[test]
fn a_location_as_long_as_a_token_is_hidden() {
    let (name, token) = ("a".repeat(40), "a".repeat(41));
    for (location, is_shown) in [(format!("body.{name}[3]"), true), (format!("body.{token}"), false), (format!("x[{token}]"), false)] {
        let error = with_problem(&format!(r#"{{"errors":[{{"location":"{location}"}}]}}"#));
        assert_eq!(error.to_string().contains(&location), is_shown, "{location}");
    }
}

#[test]
fn a_location_is_shown_once() {
    let error = with_problem(r#"{"errors":[{"location":"query.types"},{"location":"query.to"},{"location":"query.types"}]}"#);
    assert_eq!(error.to_string(), "invalid_request: at query.types and query.to, status 422");
}

#[test]
fn an_error_takes_one_machine_word() {
    assert_eq!(size_of::<Error>(), size_of::<usize>());
    fn threads<T: Send + Sync + 'static>() {}
    threads::<Error>();
}

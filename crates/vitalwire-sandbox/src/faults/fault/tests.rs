use super::super::action::{ErrorBody, Rewrite};
use super::super::wire::ConnectionEnd;
use super::*;

fn parse_error(text: &str) -> String {
    text.parse::<Fault>().unwrap_err().to_string()
}

#[test]
fn every_fault_parses_from_its_name_alone() {
    for entry in &FAULTS {
        let fault: Fault = entry.name.parse().unwrap();
        assert_eq!(fault.kind.kind, entry.kind);
        assert_eq!(fault.to_string(), entry.name);
        assert_eq!(fault.times, None);
    }
}

#[test]
fn settings_round_trip_through_text() {
    let text = "status; status=429; retry_after=2; operation=get_sleep; user=person-1; times=always; delay_ms=5";
    let fault: Fault = text.parse().unwrap();
    let Action::Status(status) = &fault.action else { panic!("{fault}") };
    assert_eq!((status.status.as_u16(), status.body, &status.detail), (429, ErrorBody::Problem, &None));
    assert_eq!((status.retry_after, status.retry_after_date), (Some(2), None));
    assert_eq!(fault.operation.map(|operation| operation.id), Some("get_sleep"));
    assert_eq!(fault.user.as_deref(), Some("person-1"));
    assert_eq!(fault.times, Some(RequestCount::Always));
    assert_eq!(fault.delay, Duration::from_millis(5));
    assert_eq!(fault.to_string(), text);
    let fault: Fault = "truncate;route=GET /v3/lab_reports/{lab_report_id} ;percent=0".parse().unwrap();
    assert_eq!(fault.operation.map(|operation| operation.id), Some("get_lab_report"));
    assert!(matches!(fault.action, Action::Truncate { percent: 0, end: ConnectionEnd::Close }));
    let action = |text: &str| text.parse::<Fault>().unwrap().action;
    assert!(matches!(action("truncate; then=hang"), Action::Truncate { percent: 50, end: ConnectionEnd::Hang }));
    assert!(matches!(action("wrong_length; by=-3"), Action::WrongLength { by: -3, end: ConnectionEnd::Close }));
    assert!(matches!(action("slow; bytes=7"), Action::Slow { size: 7, pause } if pause == Duration::from_millis(50)));
    assert!(matches!(action("nulls; what=lists"), Action::Rewrite(Rewrite::Nulls { lists: true, optional: false })));
    assert!(matches!(action("gzip; stream=cut"), Action::Gzip { megabytes: 0, cut: true }));
    assert!(matches!(action("big_body"), Action::BigBody { megabytes: 64 }));
    assert_eq!("delay".parse::<Fault>().unwrap().delay, DEFAULT_DELAY);
    assert_eq!("delay; delay_ms=0".parse::<Fault>().unwrap().delay, Duration::ZERO);
}

#[test]
fn invalid_faults_are_rejected_with_the_known_names() {
    assert_eq!(
        parse_error("earthquake"),
        "kind: unknown fault; expected one of: delay, status, slow, reset_before, reset_after, reset_mid_body, truncate, wrong_length, \
             malformed_json, html, unknown_values, unknown_members, nulls, missing_offsets, gzip, big_body"
    );
    assert_eq!(parse_error("slow; speed=1"), "speed: unknown setting; slow has: bytes, pause_ms, operation, route, user, times, delay_ms");
    assert_eq!(parse_error("status; status=99"), "status: expected an integer from 200 to 599");
    assert_eq!(parse_error("nulls; what=all"), "what: expected one of: lists, members, both");
    assert_eq!(parse_error("gzip; times=0"), "times: expected a number from 1 to 1000000, or always");
    assert_eq!(parse_error("html; user=a b"), "user: expected 1 to 128 letters, digits, '-', '_' or '.'");
    assert_eq!(parse_error("html; times=1; times=2"), "times: must not be set more than once");
    assert_eq!(parse_error("html; operation=get_sleep; route=GET /v3/userinfo"), "route: expected either operation or route");
    let operations = parse_error("html; operation=get_rich");
    assert!(operations.starts_with("operation: unknown operation; expected one of: ") && operations.contains(", exchange_token"));
    let routes = parse_error("html; route=GET /v3");
    assert!(routes.starts_with("route: unknown route; expected one of: ") && routes.contains(", POST /v3/auth/hmac"));
    // All errors are reported at once.
    assert_eq!(parse_error("html; times=x; a; delay_ms=-1").matches(": ").count(), 4);
    let many = format!("html{}", "; a".repeat(1_000)).parse::<Fault>().unwrap_err();
    assert_eq!(many.0.len(), 100);
    for text in ["", ";", "html; =", "html; detail=x", "status; detail=", &"x".repeat(10_000)] {
        assert!(text.parse::<Fault>().is_err(), "{text}");
    }
}

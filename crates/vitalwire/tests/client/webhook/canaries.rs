//! Tests that texts contain nothing of a body, a key, a signature or a redirect.

use std::error::Error as _;

use vitalwire::Error;
use vitalwire::consent::ConsentRedirect;
use vitalwire::webhook::{Verifier, content_key, parse_events, parse_lab_report, parse_nutrition, sign};

/// Checks that a text does not contain the canary value, also not as hex digits or numbers.
fn assert_no_canary(text: &str) {
    let low = text.to_lowercase();
    assert!(!low.contains("canary") && !low.contains("63616e617279") && !low.contains("67, 65, 78"), "{text}");
}

fn assert_error_without_canary(error: &Error) {
    assert_no_canary(&error.to_string());
    assert_no_canary(&format!("{error:?} {error:#?}"));
    let mut source = error.source();
    while let Some(error) = source {
        assert_no_canary(&format!("{error} {error:?}"));
        source = error.source();
    }
}

#[test]
fn keys_bodies_and_signatures_are_hidden() {
    let builder = Verifier::builder().key("CANARY-webhook-key").keys(["CANARY-webhook-key-2"]);
    assert_eq!(format!("{builder:?}"), "VerifierBuilder { keys: 2, body_limit: 33554432 }");
    let verifier = builder.body_limit(64).build().unwrap();
    assert_eq!(format!("{verifier:?}"), "Verifier { keys: 2, body_limit: 64 }");
    let right = sign("CANARY", "CANARY-webhook-key");
    for (body, signature) in [
        ("CANARY".repeat(20), right.clone()),
        ("CANARY!".to_owned(), right.clone()),
        ("CANARY".to_owned(), "CANARY".to_owned()),
        ("CANARY".to_owned(), format!("CANARY{}", &right[6..])),
    ] {
        let error = verifier.verify(body.as_bytes(), &signature).unwrap_err();
        assert_error_without_canary(&error);
        assert!(!format!("{error} {error:?}").contains(&right[8..24]));
    }
    assert_error_without_canary(&verifier.verify_and_parse_events(b"CANARY", &right).unwrap_err());
}

#[test]
fn models_and_their_errors_are_hidden() {
    for body in [
        r#"[{"CANARY":1},"CANARY"]"#,
        r#"{"record_id":"CANARY","CANARY":"CANARY"}"#,
        r#"{"record_id":{"CANARY":"CANARY"},"status":"CANARY"}"#,
        r#"{"record_id":"r","status":["CANARY"]}"#,
        r#"{"record_id":"r","status":"s","sections":[{"results":[{"CANARY":"#,
        "CANARY",
    ] {
        let errors = [parse_events(body.as_bytes()).err(), parse_lab_report(body.as_bytes()).err(), parse_nutrition(body.as_bytes()).err()];
        assert!(errors.iter().flatten().count() >= 2, "{body}");
        errors.iter().flatten().for_each(assert_error_without_canary);
    }
    let events = parse_events(
        br#"[{"application_user_id":"CANARY","event_type":"CANARY","metrics":["CANARY"],"provider_slug":"CANARY","CANARY":"CANARY"}]"#,
    )
    .unwrap();
    assert_no_canary(&format!("{events:?} {events:#?}"));
    assert_no_canary(&format!("{:?}", content_key(b"CANARY")));
}

#[test]
fn redirects_are_hidden() {
    let redirect =
        ConsentRedirect::parse("?user_id=CANARY&provider_slug=CANARY&state=CANARY&error=CANARY&CANARY=CANARY", Some("CANARY")).unwrap();
    assert_no_canary(&format!("{redirect:?} {redirect:#?}"));
    assert_eq!(
        format!("{redirect:?}"),
        "ConsentRedirect { user_id: .., provider_slug: .., state: .., outcome: Failed(Failure(..)), extra: 1 parameters }"
    );
    for (text, state) in [
        ("?state=CANARY", Some("CANARY-2")),
        ("?user_id=CANARY", Some("CANARY")),
        ("?user_id=CANARY&user_id=CANARY2", None),
        ("?user_id=CANARY%ff", None),
        ("?CANARY=CANARY", None),
        ("?state=CANARY", Some("")),
    ] {
        assert_error_without_canary(&ConsentRedirect::parse(text, state).unwrap_err());
    }
}

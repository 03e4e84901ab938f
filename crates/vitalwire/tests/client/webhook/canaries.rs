//! Nothing of a body, a key, a signature or a return in any text.

use std::error::Error as _;

use vitalwire::Error;
use vitalwire::consent::ConsentRedirect;
use vitalwire::webhook::{Verifier, content_key, parse_events, parse_lab_report, parse_nutrition, sign};

/// In no text, also not in hex, which is how a signature would show itself.
fn clean(text: &str) {
    let low = text.to_lowercase();
    assert!(!low.contains("canary") && !low.contains("63616e617279") && !low.contains("67, 65, 78"), "{text}");
}

fn clean_error(error: &Error) {
    clean(&error.to_string());
    clean(&format!("{error:?} {error:#?}"));
    let mut source = error.source();
    while let Some(error) = source {
        clean(&format!("{error} {error:?}"));
        source = error.source();
    }
}

#[test]
fn keys_bodies_and_signatures_stay_hidden() {
    let builder = Verifier::builder().key("CANARY-key").keys(["CANARY-2"]);
    assert_eq!(format!("{builder:?}"), "VerifierBuilder { keys: 2, body_limit: 33554432 }");
    let verifier = builder.body_limit(64).build().unwrap();
    assert_eq!(format!("{verifier:?}"), "Verifier { keys: 2, body_limit: 64 }");
    let right = sign("CANARY", "CANARY-key");
    for (body, signature) in [
        ("CANARY".repeat(20), right.clone()),
        ("CANARY!".to_owned(), right.clone()),
        ("CANARY".to_owned(), "CANARY".to_owned()),
        ("CANARY".to_owned(), format!("CANARY{}", &right[6..])),
    ] {
        let error = verifier.verify(body.as_bytes(), &signature).unwrap_err();
        clean_error(&error);
        assert!(!format!("{error} {error:?}").contains(&right[8..24]));
    }
    clean_error(&verifier.verify_and_parse_events(b"CANARY", &right).unwrap_err());
}

#[test]
fn models_and_their_errors_stay_hidden() {
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
        errors.iter().flatten().for_each(clean_error);
    }
    let events = parse_events(
        br#"[{"application_user_id":"CANARY","event_type":"CANARY","metrics":["CANARY"],"provider_slug":"CANARY","CANARY":"CANARY"}]"#,
    )
    .unwrap();
    clean(&format!("{events:?} {events:#?}"));
    clean(&format!("{:?}", content_key(b"CANARY")));
}

#[test]
fn returns_stay_hidden() {
    let back =
        ConsentRedirect::parse("?user_id=CANARY&provider_slug=CANARY&state=CANARY&error=CANARY&CANARY=CANARY", Some("CANARY")).unwrap();
    clean(&format!("{back:?} {back:#?}"));
    assert_eq!(
        format!("{back:?}"),
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
        clean_error(&ConsentRedirect::parse(text, state).unwrap_err());
    }
}

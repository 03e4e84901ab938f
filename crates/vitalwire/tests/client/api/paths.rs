//! Hostile path arguments: refused, or one segment that says exactly what was given.

use vitalwire::Client;
use vitalwire::client::BoxFuture;
use vitalwire::error::{Error, ErrorKind};
use vitalwire_testkit::{Server, json};

use crate::api::client;

type Send = fn(Client, String) -> BoxFuture<'static, Result<(), Error>>;

/// An operation with a hostile text in one place of its path.
struct Place {
    argument: &'static str,
    /// Method, what is before the segment and what is after it.
    around: (&'static str, &'static str, &'static str),
    send: Send,
}

macro_rules! place {
    ($argument:literal, $method:literal $before:literal $after:literal, |$client:ident, $text:ident| $call:expr) => {
        Place {
            argument: $argument,
            around: ($method, $before, $after),
            send: |$client, $text| Box::pin(async move { $call.await.map(drop) }),
        }
    };
}

fn places() -> Vec<Place> {
    vec![
        place!("provider_slug", "GET" "/v3/providers/" "/integration/init_url", |c, id| c.integrations().init_url(id)),
        place!("provider_slug", "DELETE" "/v3/providers/" "/integration", |c, id| c.integrations().delete(id)),
        place!("lab_report_id", "GET" "/v3/lab_reports/" "", |c, id| c.lab_reports().get(id)),
        place!("nutrition_record_id", "GET" "/v3/nutrition_records/" "", |c, id| c.nutrition_records().get(id)),
        place!("nutrition_record_id", "PATCH" "/v3/nutrition_records/" "", |c, id| c.nutrition_records().update(id, 1.0)),
        place!("nutrition_record_id", "DELETE" "/v3/nutrition_records/" "", |c, id| c.nutrition_records().delete(id)),
        place!("sleep_id", "GET" "/v3/queries/sleeps/" "", |c, id| c.sleeps().get(id)),
        place!("clinic_id", "GET" "/public/v1/clinics/" "/patients/p/policies/q/benefits", |c, id| c.care().benefits(id, "p", "q")),
        place!("patient_id", "GET" "/public/v1/clinics/c/patients/" "/policies/q/benefits", |c, id| c.care().benefits("c", id, "q")),
        place!("policy_id", "GET" "/public/v1/clinics/c/patients/p/policies/" "/benefits", |c, id| c.care().benefits("c", "p", id)),
    ]
}

#[tokio::test]
async fn what_could_name_another_path_is_refused() {
    let server = Server::always(json(500, "{}"));
    let client = client(&server);
    for place in places() {
        for hostile in ["", ".", "..", "\n", "a\r\nHost: x", "\0", "a\tb", "\u{7f}", "\u{85}", "a\u{1b}[2J"] {
            let error = (place.send)(client.clone(), hostile.to_owned()).await.expect_err(hostile);
            assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{} {hostile:?}", place.argument);
            assert_eq!((error.argument(), error.attempts(), error.status()), (Some(place.argument), 0, None), "{hostile:?}");
            assert!(error.operation().is_some() && error.path_template().unwrap().contains(&format!("{{{}}}", place.argument)));
            let text = error.to_string();
            assert!(!text.contains("Host") && !text.contains('\u{1b}'), "{text}");
        }
    }
    assert_eq!(server.count(), 0, "nothing was sent");
}

#[tokio::test]
async fn everything_else_travels_as_one_segment() {
    let server = Server::always(json(404, "{}"));
    let client = client(&server);
    let long = "é/".repeat(5000);
    for (text, segment) in [
        ("a/b", "a%2Fb"),
        ("/", "%2F"),
        ("../x", "..%2Fx"),
        ("..\\x", "..%5Cx"),
        ("%2e%2e", "%252e%252e"),
        ("%2E", "%252E"),
        ("%", "%25"),
        ("...", "..."),
        (".hidden", ".hidden"),
        ("a?b=c", "a%3Fb%3Dc"),
        ("a#b", "a%23b"),
        ("a;b:c@d&e+f g,h", "a%3Bb%3Ac%40d%26e%2Bf%20g%2Ch"),
        ("//evil.example/x", "%2F%2Fevil.example%2Fx"),
        ("https://evil.example", "https%3A%2F%2Fevil.example"),
        ("{id}", "%7Bid%7D"),
        ("\"<>^`|'", "%22%3C%3E%5E%60%7C%27"),
        ("µ", "%C2%B5"),
        ("😀", "%F0%9F%98%80"),
        ("\u{ff0e}\u{ff0e}", "%EF%BC%8E%EF%BC%8E"),
        ("\u{202e}\u{200d}", "%E2%80%AE%E2%80%8D"),
        ("Az09-._~", "Az09-._~"),
        (&long, &"%C3%A9%2F".repeat(5000)),
    ] {
        for place in places() {
            let before = server.count();
            let error = (place.send)(client.clone(), text.to_owned()).await.expect_err("404");
            assert_eq!(error.kind(), ErrorKind::NotFound, "{text:.40}");
            let seen = &server.requests()[before..];
            let (method, head, tail) = place.around;
            assert_eq!(seen[0].line(), format!("{method} {head}{segment}{tail} HTTP/1.1"));
            assert_eq!(seen.len(), 1);
        }
    }
}

/// The address is then longer than an HTTP message of the library can hold (65,534 bytes): the argument is to blame, not the network.
#[tokio::test]
async fn an_endless_argument_is_refused_by_name() {
    let server = Server::always(json(500, "{}"));
    let client = client(&server);
    for place in places() {
        for text in ["x".repeat(100_000), "😀".repeat(25_000), "x".repeat(5_000_000)] {
            let error = (place.send)(client.clone(), text).await.expect_err("too long");
            assert_eq!(
                (error.kind(), error.argument(), error.attempts()),
                (ErrorKind::InvalidArgument, Some(place.argument), 0),
                "{error}"
            );
        }
    }
    let endless = client.integrations().init_url("whoop").state("x".repeat(100_000)).await.unwrap_err();
    assert_eq!((endless.kind(), endless.attempts()), (ErrorKind::InvalidArgument, 0), "{endless}");
    assert_eq!(endless.operation(), Some("init_integration"));
    assert_eq!(server.count(), 0, "nothing was sent");
}

/// Two arguments that are each short enough, but not together.
#[tokio::test]
async fn an_address_that_is_too_long_as_a_whole_is_refused_too() {
    let server = Server::always(json(404, "{}"));
    let client = client(&server);
    let half = "x".repeat(40_000);
    let error = client.care().benefits(&*half, &*half, "q").await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::InvalidArgument, 0), "{error}");
    assert_eq!(server.count(), 0);
    let error = client.care().benefits(&*half, "p", "q").await.unwrap_err();
    assert_eq!((error.kind(), server.count()), (ErrorKind::NotFound, 1), "one of them alone is sent");
}

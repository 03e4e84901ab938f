//! Hostile path arguments are rejected, or sent as a single encoded segment.

use vitalwire::Client;
use vitalwire::client::BoxFuture;
use vitalwire::error::{Error, ErrorKind};
use vitalwire_testkit::{Server, json};

use crate::api::client;

type SendCall = fn(Client, String) -> BoxFuture<'static, Result<(), Error>>;

/// An argument in the path of an operation.
struct PathArgument {
    argument: &'static str,
    /// HTTP method, and the path before and after the argument.
    target: (&'static str, &'static str, &'static str),
    send: SendCall,
}

macro_rules! path_argument {
    ($argument:literal, $method:literal $before:literal $after:literal, |$client:ident, $text:ident| $call:expr) => {
        PathArgument {
            argument: $argument,
            target: ($method, $before, $after),
            send: |$client, $text| Box::pin(async move { $call.await.map(drop) }),
        }
    };
}

fn path_arguments() -> Vec<PathArgument> {
    vec![
        path_argument!("provider_slug", "GET" "/v3/providers/" "/integration/init_url", |c, id| c.integrations().init_url(id)),
        path_argument!("provider_slug", "DELETE" "/v3/providers/" "/integration", |c, id| c.integrations().delete(id)),
        path_argument!("lab_report_id", "GET" "/v3/lab_reports/" "", |c, id| c.lab_reports().get(id)),
        path_argument!("nutrition_record_id", "GET" "/v3/nutrition_records/" "", |c, id| c.nutrition_records().get(id)),
        path_argument!("nutrition_record_id", "PATCH" "/v3/nutrition_records/" "", |c, id| c.nutrition_records().update(id, 1.0)),
        path_argument!("nutrition_record_id", "DELETE" "/v3/nutrition_records/" "", |c, id| c.nutrition_records().delete(id)),
        path_argument!("sleep_id", "GET" "/v3/queries/sleeps/" "", |c, id| c.sleeps().get(id)),
        path_argument!("clinic_id", "GET" "/public/v1/clinics/" "/patients/p/policies/q/benefits", |c, id| c.care().benefits(id, "p", "q")),
        path_argument!("patient_id", "GET" "/public/v1/clinics/c/patients/" "/policies/q/benefits", |c, id| c.care().benefits("c", id, "q")),
        path_argument!("policy_id", "GET" "/public/v1/clinics/c/patients/p/policies/" "/benefits", |c, id| c.care().benefits("c", "p", id)),
    ]
}

#[tokio::test]
async fn an_argument_that_could_change_the_path_is_rejected() {
    let server = Server::always(json(500, "{}"));
    let client = client(&server);
    for path in path_arguments() {
        for hostile in ["", ".", "..", "\n", "a\r\nHost: x", "\0", "a\tb", "\u{7f}", "\u{85}", "a\u{1b}[2J"] {
            let error = (path.send)(client.clone(), hostile.to_owned()).await.expect_err(hostile);
            assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{} {hostile:?}", path.argument);
            assert_eq!((error.argument(), error.attempts(), error.status()), (Some(path.argument), 0, None), "{hostile:?}");
            assert!(error.operation().is_some() && error.path_template().unwrap().contains(&format!("{{{}}}", path.argument)));
            let text = error.to_string();
            assert!(!text.contains("Host") && !text.contains('\u{1b}'), "{text}");
        }
    }
    assert_eq!(server.count(), 0, "nothing was sent");
}

#[tokio::test]
async fn any_other_argument_is_sent_as_one_segment() {
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
        for path in path_arguments() {
            let before = server.count();
            let error = (path.send)(client.clone(), text.to_owned()).await.expect_err("404");
            assert_eq!(error.kind(), ErrorKind::NotFound, "{text:.40}");
            let seen = &server.requests()[before..];
            let (method, head, tail) = path.target;
            assert_eq!(seen[0].line(), format!("{method} {head}{segment}{tail} HTTP/1.1"));
            assert_eq!(seen.len(), 1);
        }
    }
}

/// The HTTP library supports URLs of up to 65,534 bytes. A longer URL is an error of the argument, not of the network.
#[tokio::test]
async fn an_argument_that_is_too_long_is_rejected_by_name() {
    let server = Server::always(json(500, "{}"));
    let client = client(&server);
    for path in path_arguments() {
        for text in ["x".repeat(100_000), "😀".repeat(25_000), "x".repeat(5_000_000)] {
            let error = (path.send)(client.clone(), text).await.expect_err("too long");
            assert_eq!((error.kind(), error.argument(), error.attempts()), (ErrorKind::InvalidArgument, Some(path.argument), 0), "{error}");
        }
    }
    let error = client.integrations().init_url("whoop").state("x".repeat(100_000)).await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::InvalidArgument, 0), "{error}");
    assert_eq!(error.operation(), Some("init_integration"));
    assert_eq!(server.count(), 0, "nothing was sent");
}

/// Two arguments that are only too long together.
#[tokio::test]
async fn arguments_that_are_too_long_together_are_rejected() {
    let server = Server::always(json(404, "{}"));
    let client = client(&server);
    let half = "x".repeat(40_000);
    let error = client.care().benefits(&*half, &*half, "q").await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::InvalidArgument, 0), "{error}");
    assert_eq!(server.count(), 0);
    let error = client.care().benefits(&*half, "p", "q").await.unwrap_err();
    assert_eq!((error.kind(), server.count()), (ErrorKind::NotFound, 1), "a single long argument is sent");
}

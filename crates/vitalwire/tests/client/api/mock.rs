//! Answers that are not what they should be. What holds for every operation is tried by the conformance runner, which calls each by its id.

use vitalwire::client::CallOptions;
use vitalwire::error::ErrorKind;
use vitalwire_testkit::{Server, response, json};

use crate::api::{builder, client};

const HEADERS: [(&str, &str); 2] = [("content-type", "application/json"), ("x-request-id", "req-77")];

/// No double holds it. Where a crate of the program lets serde_json hold any number, it is read, and is no object.
#[tokio::test]
async fn a_number_that_never_ends_is_a_decode_error() {
    let error = client(&Server::always(json(200, &"9".repeat(100_000)))).user().info().await.unwrap_err();
    assert_eq!((error.kind(), error.json_path().is_some_and(|place| place.starts_with("byte "))), (ErrorKind::Decode, true), "{error}");
}

/// What nobody declared costs an answer nothing, as long as it is JSON.
#[tokio::test]
async fn anything_in_an_unknown_member_is_kept_as_it_came() {
    let deep = "{\"canary\":".repeat(100_000) + "1" + &"}".repeat(100_000);
    // A program may hold any number, where one of its crates wants that of serde_json.
    let any_number = serde_json::from_str::<serde_json::Value>("1e999").is_ok();
    for (value, readable) in
        [(&*deep, false), ("1e999", any_number), ("\"\\ud800\"", false), ("123456789012345678901", true), ("[ 1.50 ]", true)]
    {
        let body = format!("{{\"later\":{value}}}");
        let user = client(&Server::always(json(200, &body))).user().info().await.unwrap();
        assert_eq!(user.extra.get_text("later"), Some(value));
        assert_eq!(user.extra.get("later").is_some(), readable, "{value:.20}");
        assert_eq!(serde_json::to_string(&user.into_inner()).unwrap(), body);
    }
}

#[tokio::test]
async fn trailing_garbage_is_refused_and_white_space_is_not() {
    let list = |tail: &str| format!("[]{tail}");
    for (tail, fits) in [("", true), (" \r\n", true), ("x", false), ("[]", false), ("\0", false), (",", false), ("\u{a0}", false)] {
        let server = Server::always(response(200, &HEADERS, list(tail).as_bytes()));
        let outcome = client(&server).lab_reports().list().await;
        assert_eq!(outcome.is_ok(), fits, "{tail:?}");
        if let Err(error) = outcome {
            assert_eq!((error.kind(), error.reason()), (ErrorKind::Decode, Some("malformed JSON")), "{tail:?}");
        }
        let server = Server::always(json(200, &format!("{{}}{tail}")));
        assert_eq!(client(&server).user().info().await.is_ok(), fits, "{tail:?}");
    }
}

#[tokio::test]
async fn depth_is_no_matter_below_the_limit() {
    let body = format!("{{\"later\":{}7{}}}", "[".repeat(100), "]".repeat(100));
    let server = Server::always(json(200, &body));
    let user = client(&server).user().info().await.unwrap();
    let later = user.extra.get("later").unwrap();
    let mut value = &later;
    for _ in 0..100 {
        value = &value[0];
    }
    assert_eq!(*value, 7);
}

#[tokio::test]
async fn a_body_over_the_clients_limit_is_refused_unread() {
    let server = Server::always(json(200, &format!("{{\"canary\":\"{}\"}}", "x".repeat(2000))));
    let client = builder(&server).max_response_bytes(1000).build().unwrap();
    let error = client.user().info().options(CallOptions::new().max_retries(0)).await.unwrap_err();
    assert_eq!((error.kind(), error.status()), (ErrorKind::TooLarge, Some(200)));
}

//! Invalid and unusual response bodies. The conformance cases test the rules that hold for every operation.

use vitalwire::client::CallOptions;
use vitalwire::error::ErrorKind;
use vitalwire_testkit::{Server, json, response};

use crate::api::{builder, client};

const HEADERS: [(&str, &str); 2] = [("content-type", "application/json"), ("x-request-id", "req-77")];

/// No double can represent the number. If serde_json supports arbitrary numbers, the body is parsed, but it is not an object.
#[tokio::test]
async fn a_number_of_100000_digits_is_a_decode_error() {
    let error = client(&Server::always(json(200, &"9".repeat(100_000)))).user().info().await.unwrap_err();
    assert_eq!((error.kind(), error.json_path().is_some_and(|path| path.starts_with("byte "))), (ErrorKind::Decode, true), "{error}");
}

/// An undeclared field never makes decoding fail, as long as it is valid JSON.
#[tokio::test]
async fn an_unknown_field_keeps_any_value_as_received() {
    let deep = "{\"canary\":".repeat(100_000) + "1" + &"}".repeat(100_000);
    // Any crate of the program can enable arbitrary numbers in serde_json.
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
async fn trailing_characters_are_rejected_except_white_space() {
    let list = |tail: &str| format!("[]{tail}");
    for (tail, is_valid) in [("", true), (" \r\n", true), ("x", false), ("[]", false), ("\0", false), (",", false), ("\u{a0}", false)] {
        let server = Server::always(response(200, &HEADERS, list(tail).as_bytes()));
        let outcome = client(&server).lab_reports().list().await;
        assert_eq!(outcome.is_ok(), is_valid, "{tail:?}");
        if let Err(error) = outcome {
            assert_eq!((error.kind(), error.reason()), (ErrorKind::Decode, Some("malformed JSON")), "{tail:?}");
        }
        let server = Server::always(json(200, &format!("{{}}{tail}")));
        assert_eq!(client(&server).user().info().await.is_ok(), is_valid, "{tail:?}");
    }
}

#[tokio::test]
async fn nesting_below_the_limit_is_decoded() {
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
async fn a_body_over_the_size_limit_is_rejected() {
    let server = Server::always(json(200, &format!("{{\"canary\":\"{}\"}}", "x".repeat(2000))));
    let client = builder(&server).max_response_bytes(1000).build().unwrap();
    let error = client.user().info().options(CallOptions::new().max_retries(0)).await.unwrap_err();
    assert_eq!((error.kind(), error.status()), (ErrorKind::TooLarge, Some(200)));
}

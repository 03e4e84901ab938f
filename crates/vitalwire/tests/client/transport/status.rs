//! Tests that the kind of an error depends on the status and not on the body.

use vitalwire::client::CallOptions;
use vitalwire::error::ErrorKind;
use vitalwire_testkit::{Server, json, response};

use crate::transport::{client, get};

const HTML: &[u8] = b"<html><body>CANARY</body></html>";

#[tokio::test]
async fn an_html_error_has_the_kind_of_its_status() {
    for (status, kind) in
        [(401, ErrorKind::Authentication), (413, ErrorKind::TooLarge), (408, ErrorKind::Timeout), (502, ErrorKind::Service)]
    {
        let server = Server::always(response(status, &[("content-type", "text/html"), ("x-request-id", "req-9")], HTML));
        let error = get(&client(&server)).options(CallOptions::new().max_retries(0)).await.unwrap_err();
        assert_eq!((error.kind(), error.status(), error.request_id()), (kind, Some(status), Some("req-9")));
        assert!(error.problem().is_none());
        assert!(!format!("{error} {error:?}").contains("CANARY"));
        assert_eq!(error.headers().unwrap()["content-type"], "text/html");
    }
}

#[tokio::test]
async fn an_invalid_error_body_does_not_change_the_kind() {
    let deep = "[".repeat(500_000);
    for body in ["", "null", "{", "[]", "\"text\"", &deep, "{\"detail\":"] {
        let server = Server::always(json(422, body));
        let error = get(&client(&server)).await.unwrap_err();
        assert_eq!((error.kind(), error.status()), (ErrorKind::InvalidRequest, Some(422)));
        assert!(error.problem().is_none());
    }
}

#[tokio::test]
async fn problem_details_are_read_with_any_content_type() {
    let body = r#"{"type":"about:blank","title":"Unprocessable Entity","status":422,"detail":"validation failed",
        "errors":[{"location":"body.serving_size","message":"expected at least 0.01","value":0}]}"#;
    for content_type in ["application/problem+json", "application/json; charset=utf-8", "text/plain"] {
        let server = Server::always(response(422, &[("content-type", content_type)], body.as_bytes()));
        let error = get(&client(&server)).await.unwrap_err();
        let problem = error.problem().unwrap();
        assert_eq!(problem.detail.as_deref(), Some("validation failed"));
        assert_eq!(problem.errors.as_slice()[0].value.as_ref().unwrap().to_value().unwrap(), 0);
        assert_eq!(error.to_string(), "invalid_request: validation failed, at body.serving_size, status 422, GET (raw)");
    }
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let elsewhere = Server::always(json(200, "{}"));
    for status in [301, 302, 303, 307, 308] {
        let server = Server::always(response(status, &[("location", &elsewhere.url())], b""));
        let error = get(&client(&server)).await.unwrap_err();
        assert_eq!((error.kind(), error.status(), error.attempts()), (ErrorKind::UnexpectedStatus, Some(status), 1));
    }
    assert_eq!(elsewhere.connections(), 0, "the token is sent to no other server");
}

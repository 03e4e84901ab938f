//! Tests of raw requests and of call options.

use http::Method;
use vitalwire::client::{CallOptions, Client, Service};
use vitalwire::error::ErrorKind;
use vitalwire_testkit::{Server, json};

use crate::transport::{builder, client, get};

#[tokio::test]
async fn a_request_is_sent_as_built() {
    let server = Server::always(json(200, "{\"a\":1}"));
    let client = builder(&server).base_url(server.url() + "/gate/").user_agent("app/2").build().unwrap();
    let response = client
        .request(Method::POST, Service::Health, "/v3/x%2Fy")
        .query("name", "a b&c=\u{e9}")
        .query("name", "2")
        .header("x-trace", "abc")
        .json(&serde_json::json!({"b": [1, 2]}))
        .send()
        .await
        .unwrap();
    assert_eq!((&response.body[..], response.headers()["content-type"].as_bytes()), (&b"{\"a\":1}"[..], &b"application/json"[..]));
    let seen = &server.requests()[0];
    assert_eq!(seen.line(), "POST /gate/v3/x%2Fy?name=a+b%26c%3D%C3%A9&name=2 HTTP/1.1");
    assert_eq!(seen.header("x-trace"), Some("abc"));
    assert_eq!(seen.header("content-type"), Some("application/json"));
    assert_eq!(seen.body, b"{\"b\":[1,2]}");
    assert!(seen.header("user-agent").unwrap().starts_with("vitalwire/") && seen.header("user-agent").unwrap().ends_with(" app/2"));
    assert_eq!(seen.header("api-version"), None);
}

#[tokio::test]
async fn options_add_to_the_request() {
    let server = Server::always(json(200, "{}"));
    let options = CallOptions::new().header("accept", "text/csv").header("x-a", "1").header("x-a", "2").query("extra", "1");
    client(&server).request(Method::GET, Service::Health, "/x").query("own", "0").options(options).await.unwrap();
    let seen = &server.requests()[0];
    assert_eq!(seen.line(), "GET /x?own=0&extra=1 HTTP/1.1");
    assert_eq!(seen.header("accept"), Some("text/csv"));
    assert_eq!(seen.head.matches("x-a: ").count(), 2);
}

#[tokio::test]
async fn hostile_paths_and_headers_are_errors_before_a_request() {
    let server = Server::always(json(200, "{}"));
    let client = client(&server);
    for path in [
        "",
        "v3/CANARY",
        "//CANARY.example/",
        "https://CANARY.example/",
        "@CANARY.example/",
        "/../CANARY",
        "/%2e%2e/CANARY",
        "/a?CANARY",
        "/a\r\nx: CANARY",
    ] {
        let error = client.request(Method::GET, Service::Health, path).await.unwrap_err();
        assert_eq!((error.kind(), error.argument()), (ErrorKind::InvalidArgument, Some("path")), "{path}");
        assert!(!format!("{error} {error:?}").contains("CANARY"));
    }
    for (name, value) in [
        ("authorization", "x"),
        ("Host", "x"),
        ("content-length", "1"),
        ("x y", "1"),
        ("x", "a\r\nb: CANARY"),
        ("Transfer-Encoding", "chunked"),
    ] {
        let error = get(&client).header(name, value).await.unwrap_err();
        assert_eq!((error.kind(), error.argument()), (ErrorKind::InvalidArgument, Some("header")), "{name}");
        assert!(!format!("{error} {error:?}").contains("CANARY"));
    }
    assert_eq!(server.connections(), 0);
}

/// `http::Uri` allows at most 65,534 bytes, including scheme and host.
#[tokio::test]
async fn a_too_long_url_is_an_invalid_argument() {
    let server = Server::always(json(200, "{}"));
    let client = client(&server);
    let room = 65_534 - server.url().len();
    let path = |length: usize| format!("/{}", "a".repeat(length - 1));
    assert_eq!(client.request(Method::GET, Service::Health, path(room)).await.unwrap().status(), 200);
    let call = |length| client.request(Method::GET, Service::Health, path(length));
    for error in [
        call(room + 1).await.unwrap_err(),
        // `?canary=1` adds nine bytes.
        call(room - 8).query("canary", "1").await.unwrap_err(),
        call(room - 8).options(CallOptions::new().query("canary", "1")).await.unwrap_err(),
        client.user().info().options(CallOptions::new().query("canary", "c".repeat(70_000))).await.unwrap_err(),
    ] {
        assert_eq!((error.kind(), error.attempts()), (ErrorKind::InvalidArgument, 0), "{error}");
        assert_eq!(error.reason(), Some("the arguments are too long for a URL"));
    }
    assert_eq!(server.count(), 1);
}

#[test]
fn https_is_required_except_for_loopback() {
    for url in ["http://api.example.org", "http://192.0.2.7", "http://10.0.2.2:8080/x"] {
        let error = Client::builder().base_url(url).build().unwrap_err();
        assert_eq!((error.kind(), error.argument()), (ErrorKind::Configuration, Some("base_url")));
        assert!(Client::builder().base_url(url).allow_plain_http(true).build().is_ok());
        let error = Client::builder().care_base_url(url).build().unwrap_err();
        assert_eq!((error.kind(), error.argument()), (ErrorKind::Configuration, Some("care_base_url")));
    }
    assert!(Client::builder().base_url("https://api.example.org/x").build().is_ok());
}

//! Tests of mock responses, through raw access.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use http::Method;

use super::{Exchange, MockResponse, MockResponses, RecordedBody, RecordedRequest, RecordedResponse};
use crate::client::{CallOptions, CancelToken, Client, ClientBuilder, RawRequest};
use crate::error::ErrorKind;
use crate::operation::testing::INTERFACE;

fn builder(responses: &MockResponses) -> ClientBuilder {
    Client::builder(&INTERFACE).mock_responses(responses)
}

fn get(client: &Client, path: &str) -> RawRequest {
    client.request(Method::GET, &INTERFACE.services[0], path)
}

#[tokio::test]
async fn responses_are_used_in_order_and_the_last_one_repeats() {
    let responses = MockResponses::new().on("raw", MockResponse::json("1")).on("raw", MockResponse::json("2"));
    let client = builder(&responses).build().unwrap();
    for body in ["1", "2", "2"] {
        assert_eq!(get(&client, "/v3/thing").send().await.unwrap().body, body);
    }
    responses.add("raw", MockResponse::json("3"));
    assert_eq!(get(&client, "/v3/thing").send().await.unwrap().body, "3");
    responses.clear("raw");
    assert!(get(&client, "/v3/thing").send().await.is_err());
}

#[tokio::test]
async fn retries_deadlines_and_cancellation_work_with_mock_responses() {
    let responses = MockResponses::new()
        .on("raw", MockResponse::status(503).header("retry-after", "0"))
        .on("raw", MockResponse::no_connection())
        .on("raw", MockResponse::json("{}"));
    let seen = Arc::new(Mutex::new(Vec::new()));
    let events = Arc::clone(&seen);
    let client = builder(&responses).on_attempt(move |event| events.lock().unwrap().push((event.attempt, event.status, event.error)));
    let client = client.build().unwrap();
    assert_eq!(get(&client, "/v3/thing").send().await.unwrap().meta.attempts, 3);
    let expected = [(1, Some(503), Some(ErrorKind::Service)), (2, None, Some(ErrorKind::Transport)), (3, Some(200), None)];
    assert_eq!(*seen.lock().unwrap(), expected);

    let slow = builder(&MockResponses::new().on("raw", MockResponse::json("{}").delay(Duration::from_secs(60)))).build().unwrap();
    let started = Instant::now();
    let error = get(&slow, "/v3/thing").options(CallOptions::new().timeout(Duration::from_millis(50))).send().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Timeout);
    let token = CancelToken::new();
    let cancel = token.clone();
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(50)).await;
        cancel.cancel();
    });
    assert_eq!(
        get(&slow, "/v3/thing").options(CallOptions::new().cancel_token(&token)).send().await.unwrap_err().kind(),
        ErrorKind::Cancelled
    );
    assert!(started.elapsed() < Duration::from_secs(20), "the call did not wait for the response");
}

#[tokio::test]
async fn problems_limits_and_codings_are_treated_as_those_of_a_service() {
    let responses = MockResponses::new()
        .on("raw", MockResponse::problem(404, "CANARY"))
        .on("raw", MockResponse::json("0123456789"))
        .on("raw", MockResponse::json("x").header("content-encoding", "br"));
    let error = get(&builder(&responses).build().unwrap(), "/v3/thing").send().await.unwrap_err();
    assert_eq!((error.kind(), error.status()), (ErrorKind::NotFound, Some(404)));
    assert_eq!(error.problem().and_then(|problem| problem.status), Some(404));
    assert!(!error.to_string().contains("CANARY"), "{error}");
    let client = builder(&responses).max_response_bytes(9).build().unwrap();
    assert_eq!(get(&client, "/v3/thing").send().await.unwrap_err().kind(), ErrorKind::TooLarge);
    assert_eq!(get(&client, "/v3/thing").send().await.unwrap_err().kind(), ErrorKind::Decode);
}

#[tokio::test]
async fn requests_can_be_read_but_are_not_shown() {
    let responses = MockResponses::new().on("raw", MockResponse::json("\"CANARY\""));
    let client =
        builder(&responses).base_url(&INTERFACE.services[0], "https://health.example/gate/").token(&INTERFACE.services[0], "CANARY");
    let client = client.build().unwrap();
    let request = client.request(Method::POST, &INTERFACE.services[0], "/v3/things/CANARY%2F1").query("a b", "CANARY").json(&"CANARY");
    request.send().await.unwrap();
    let requested = responses.requests();
    let [only] = requested.as_slice() else { panic!("one attempt was made") };
    assert_eq!((only.operation, only.http_method.as_str(), only.path.as_str()), ("raw", "POST", "/v3/things/CANARY%2F1"));
    assert_eq!(only.query, [("a b".to_owned(), "CANARY".to_owned())]);
    assert_eq!(only.body, "\"CANARY\"");
    let shown = format!("{responses:?} {requested:?} {:?} {client:?}", MockResponse::json("CANARY").header("x", "CANARY"));
    assert!(!shown.contains("CANARY"), "{shown}");
}

#[tokio::test]
async fn an_error_names_the_operation_without_a_mock_response() {
    let client = builder(&MockResponses::new().on("get_thing", MockResponse::status(200))).build().unwrap();
    let error = get(&client, "/v3/thing").send().await.unwrap_err();
    assert_eq!((error.kind(), error.argument(), error.attempts()), (ErrorKind::Configuration, Some("mock_responses.raw"), 1));
    assert!(error.to_string().contains("the operation has no mock response, argument mock_responses.raw"), "{error}");
    for invalid in [
        MockResponse::status(100),
        MockResponse::status(999),
        MockResponse::status(200).header("a b", "c"),
        MockResponse::status(200).header("a", "b\r\nc: d"),
    ] {
        let client = builder(&MockResponses::new().on("raw", invalid)).build().unwrap();
        let error = get(&client, "/v3/thing").send().await.unwrap_err();
        assert_eq!((error.kind(), error.argument()), (ErrorKind::Configuration, Some("mock_responses.raw")), "{error}");
    }
}

#[tokio::test]
async fn a_callback_that_panics_or_calls_the_client_does_not_affect_the_call() {
    let responses = MockResponses::new().on("raw", MockResponse::json("{}"));
    let inner = builder(&responses).build().unwrap();
    let client = builder(&responses).on_attempt(|_| panic!("in a callback")).on_attempt(move |_| {
        tokio::spawn(get(&inner, "/v3/from-the-callback").send());
    });
    let client = client.build().unwrap();
    assert_eq!(get(&client, "/v3/thing").send().await.unwrap().status(), 200);
    while responses.requests().len() < 2 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

fn exchange(path: &str, query: &str, status: u16, body: &[u8]) -> String {
    let request = RecordedRequest { method: "GET".into(), path: path.into(), query: query.into(), body: None };
    let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
    Exchange::new(request, RecordedResponse { status, took_ms: 3, headers, body: RecordedBody::from_bytes(body) }).to_text().unwrap()
}

#[tokio::test]
async fn recorded_exchanges_are_chosen_by_path_and_query_in_order() {
    let folder = std::env::temp_dir().join(format!("vitalwire-exchanges-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    assert_eq!(MockResponses::from_folder(&folder).unwrap_err().argument(), Some("mock_responses"));
    assert_eq!(MockResponses::from_folder(folder.join("absent")).unwrap_err().argument(), Some("mock_responses"));
    write("1.json", &exchange("/v3/thing", "b=2&a=%C3%A4", 200, b"{\"long\":0.10000000000000000001}"));
    write("2.json", &exchange("/v3/thing", "b=2&a=%C3%A4", 404, b"<html>"));
    write("3.json", &exchange("/v3/bytes", "", 200, &[0, 255]));
    write("notes.txt", "not an exchange");
    let responses = MockResponses::from_folder(&folder).unwrap();
    let client = builder(&responses).build().unwrap();
    let thing = || get(&client, "/v3/thing").query("a", "\u{e4}").query("b", "2");
    assert_eq!(thing().send().await.unwrap().body, "{\"long\":0.10000000000000000001}");
    assert_eq!(thing().send().await.unwrap_err().status(), Some(404));
    assert_eq!(get(&client, "/v3/bytes").send().await.unwrap().body.as_ref(), [0, 255]);
    let error = get(&client, "/v3/thing").send().await.unwrap_err();
    assert!(error.to_string().contains("no recorded exchange has this method, path and query, argument mock_responses.raw"), "{error}");
    responses.add("raw", MockResponse::json("9"));
    assert_eq!(thing().send().await.unwrap().body, "9", "a response set by the test takes precedence over recorded ones");

    for bad in ["", "{}", "[]", &exchange("/", "", 200, b"").replace("exchange\": 1", "exchange\": 2")] {
        write("4.json", bad);
        assert_eq!(MockResponses::from_folder(&folder).unwrap_err().kind(), ErrorKind::Configuration, "{bad}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

//! Answers from memory, by raw access; the rest of what a call is stays real.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use http::Method;

use super::{Answer, Answers, Exchange, RecordedBody, RecordedRequest, RecordedResponse};
use crate::client::{CallOptions, CancelToken, Client, ClientBuilder, RawRequest};
use crate::error::ErrorKind;
use crate::operation::testing::INTERFACE;

fn builder(answers: &Answers) -> ClientBuilder {
    Client::builder(&INTERFACE).answers(answers).retry_delay_scale(0.0)
}

fn get(client: &Client, path: &str) -> RawRequest {
    client.request(Method::GET, &INTERFACE.services[0], path)
}

#[tokio::test]
async fn answers_come_in_turn_and_the_last_one_stays() {
    let answers = Answers::new().on("raw", Answer::json("1")).on("raw", Answer::json("2"));
    let client = builder(&answers).build().unwrap();
    for body in ["1", "2", "2"] {
        assert_eq!(get(&client, "/v3/thing").send().await.unwrap().body, body);
    }
    answers.add("raw", Answer::json("3"));
    assert_eq!(get(&client, "/v3/thing").send().await.unwrap().body, "3");
    answers.clear("raw");
    assert!(get(&client, "/v3/thing").send().await.is_err());
}

#[tokio::test]
async fn retries_deadlines_and_cancelling_are_real() {
    let answers = Answers::new()
        .on("raw", Answer::status(503).header("retry-after", "0"))
        .on("raw", Answer::no_connection())
        .on("raw", Answer::json("{}"));
    let seen = Arc::new(Mutex::new(Vec::new()));
    let events = Arc::clone(&seen);
    let client = builder(&answers).on_attempt(move |event| events.lock().unwrap().push((event.attempt, event.status, event.error)));
    let client = client.build().unwrap();
    assert_eq!(get(&client, "/v3/thing").send().await.unwrap().meta.attempts, 3);
    let expected = [(1, Some(503), Some(ErrorKind::Service)), (2, None, Some(ErrorKind::Transport)), (3, Some(200), None)];
    assert_eq!(*seen.lock().unwrap(), expected);

    let slow = builder(&Answers::new().on("raw", Answer::json("{}").after(Duration::from_secs(60)))).build().unwrap();
    let begun = Instant::now();
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
    assert!(begun.elapsed() < Duration::from_secs(20), "no answer was waited for");
}

#[tokio::test]
async fn problems_limits_and_codings_are_read_as_from_a_service() {
    let answers = Answers::new()
        .on("raw", Answer::problem(404, "CANARY"))
        .on("raw", Answer::json("0123456789"))
        .on("raw", Answer::json("x").header("content-encoding", "br"));
    let error = get(&builder(&answers).build().unwrap(), "/v3/thing").send().await.unwrap_err();
    assert_eq!((error.kind(), error.status()), (ErrorKind::NotFound, Some(404)));
    assert_eq!(error.problem().and_then(|problem| problem.status), Some(404));
    assert!(!error.to_string().contains("CANARY"), "{error}");
    let client = builder(&answers).max_response_bytes(9).build().unwrap();
    assert_eq!(get(&client, "/v3/thing").send().await.unwrap_err().kind(), ErrorKind::TooLarge);
    assert_eq!(get(&client, "/v3/thing").send().await.unwrap_err().kind(), ErrorKind::Decode);
}

#[tokio::test]
async fn what_was_requested_can_be_read_and_is_not_shown() {
    let answers = Answers::new().on("raw", Answer::json("\"CANARY\""));
    let client = builder(&answers).base_url(&INTERFACE.services[0], "https://health.example/gate/").token(&INTERFACE.services[0], "CANARY");
    let client = client.build().unwrap();
    let request = client.request(Method::POST, &INTERFACE.services[0], "/v3/things/CANARY%2F1").query("a b", "CANARY").json(&"CANARY");
    request.send().await.unwrap();
    let requested = answers.requested();
    let [only] = requested.as_slice() else { panic!("one attempt was made") };
    assert_eq!((only.operation, only.http_method.as_str(), only.path.as_str()), ("raw", "POST", "/v3/things/CANARY%2F1"));
    assert_eq!(only.query, [("a b".to_owned(), "CANARY".to_owned())]);
    assert_eq!(only.body, "\"CANARY\"");
    let shown = format!("{answers:?} {requested:?} {:?} {client:?}", Answer::json("CANARY").header("x", "CANARY"));
    assert!(!shown.contains("CANARY"), "{shown}");
}

#[tokio::test]
async fn an_operation_without_an_answer_is_named() {
    let client = builder(&Answers::new().on("get_thing", Answer::status(200))).build().unwrap();
    let error = get(&client, "/v3/thing").send().await.unwrap_err();
    assert_eq!((error.kind(), error.argument(), error.attempts()), (ErrorKind::Configuration, Some("answers.raw"), 1));
    assert!(error.to_string().contains("no answer is given for this operation, argument answers.raw"), "{error}");
    for unfit in
        [Answer::status(100), Answer::status(999), Answer::status(200).header("a b", "c"), Answer::status(200).header("a", "b\r\nc: d")]
    {
        let client = builder(&Answers::new().on("raw", unfit)).build().unwrap();
        let error = get(&client, "/v3/thing").send().await.unwrap_err();
        assert_eq!((error.kind(), error.argument()), (ErrorKind::Configuration, Some("answers.raw")), "{error}");
    }
}

#[tokio::test]
async fn a_hook_that_panics_or_calls_the_client_harms_nothing() {
    let answers = Answers::new().on("raw", Answer::json("{}"));
    let inner = builder(&answers).build().unwrap();
    let client = builder(&answers).on_attempt(|_| panic!("in a hook")).on_attempt(move |_| {
        tokio::spawn(get(&inner, "/v3/from-the-hook").send());
    });
    let client = client.build().unwrap();
    assert_eq!(get(&client, "/v3/thing").send().await.unwrap().status(), 200);
    while answers.requested().len() < 2 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

fn exchange(path: &str, query: &str, status: u16, body: &[u8]) -> String {
    let request = RecordedRequest { method: "GET".into(), path: path.into(), query: query.into(), body: None };
    let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
    Exchange::new(request, RecordedResponse { status, took_ms: 3, headers, body: RecordedBody::of(body) }).to_text().unwrap()
}

#[tokio::test]
async fn a_folder_is_answered_by_path_and_query_in_turn() {
    let folder = std::env::temp_dir().join(format!("vitalwire-exchanges-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    assert_eq!(Answers::from_folder(&folder).unwrap_err().argument(), Some("answers"));
    assert_eq!(Answers::from_folder(folder.join("absent")).unwrap_err().argument(), Some("answers"));
    write("1.json", &exchange("/v3/thing", "b=2&a=%C3%A4", 200, b"{\"long\":0.10000000000000000001}"));
    write("2.json", &exchange("/v3/thing", "b=2&a=%C3%A4", 404, b"<html>"));
    write("3.json", &exchange("/v3/bytes", "", 200, &[0, 255]));
    write("notes.txt", "not an exchange");
    let answers = Answers::from_folder(&folder).unwrap();
    let client = builder(&answers).build().unwrap();
    let thing = || get(&client, "/v3/thing").query("a", "\u{e4}").query("b", "2");
    assert_eq!(thing().send().await.unwrap().body, "{\"long\":0.10000000000000000001}");
    assert_eq!(thing().send().await.unwrap_err().status(), Some(404));
    assert_eq!(get(&client, "/v3/bytes").send().await.unwrap().body.as_ref(), [0, 255]);
    let error = get(&client, "/v3/thing").send().await.unwrap_err();
    assert!(error.to_string().contains("no recorded exchange has this path and query, argument answers.raw"), "{error}");
    answers.add("raw", Answer::json("9"));
    assert_eq!(thing().send().await.unwrap().body, "9", "a given answer goes before recorded ones");

    for bad in ["", "{}", "[]", &exchange("/", "", 200, b"").replace("exchange\": 1", "exchange\": 2")] {
        write("4.json", bad);
        assert_eq!(Answers::from_folder(&folder).unwrap_err().kind(), ErrorKind::Configuration, "{bad}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

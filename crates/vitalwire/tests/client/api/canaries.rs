//! A marker in every text, name and id: no `Debug` of a model, a parameter, a call, an answer or an error shows it.

use std::collections::BTreeSet;
use std::fmt::Debug;

use serde_json::{Value, json};
use vitalwire::client::{CallOptions, Client};
use vitalwire::value::{Base64, Date, Timestamp};
use vitalwire_testkit::{Server, response};

use crate::api::builder;
use crate::api::models::shape::{Kind, Shape};
use crate::api::models::{Model, Visit, each, shapes};

const CANARY: &str = "CANARY";
/// Numbers are health data too; these digits are in no name, size or address.
/// Long enough to stand in no time or port that a text shows.
const DIGITS: &str = "739197391973919";
const INTEGER: i64 = 739_197_391_973_919;
const NUMBER: f64 = 739_197_391_973_919.5;

fn shows_nothing(what: &str, value: &(impl Debug + ?Sized)) {
    let texts = [format!("{value:?}"), format!("{value:#?}")];
    for text in texts {
        assert!(!text.to_uppercase().contains(CANARY) && !text.contains(DIGITS), "{what}: {text}");
        assert!(!text.contains("2073-"), "{what} shows a date: {text}");
    }
}

/// A value of a kind with the marker in all that can hold it.
fn marked(kind: Kind) -> Value {
    match kind {
        Kind::Text | Kind::Id | Kind::Open => json!(CANARY),
        Kind::Integer => json!(INTEGER),
        Kind::Number => json!(NUMBER),
        Kind::Boolean => json!(true),
        Kind::Instant => json!("2073-03-09T07:39:19.739197391Z"),
        Kind::Date => json!("2073-03-09"),
        Kind::Any => json!({CANARY: [CANARY, INTEGER]}),
        Kind::Object(shape) => marked_object(shape),
        Kind::List(item) => json!([marked(*item), marked(*item)]),
        Kind::Numbers => json!({CANARY: NUMBER, "salt_g": INTEGER, "steps": CANARY, "canary text": {CANARY: CANARY}}),
        Kind::Series => json!({CANARY: [NUMBER, INTEGER], "heartrate": [INTEGER], "odd": CANARY}),
    }
}

fn marked_object(shape: &Shape) -> Value {
    let members = shape.members().map(|(name, kind)| ((*name).to_owned(), marked(*kind)));
    let unknown = [(CANARY.to_owned(), json!({CANARY: CANARY})), ("x".to_owned(), json!("739197391973919"))];
    Value::Object(members.chain(unknown).collect())
}

/// Every optional member of a type it does not expect, so that all of it is kept aside.
fn displaced(shape: &Shape) -> Value {
    let required = shape.required.iter().map(|(name, kind)| ((*name).to_owned(), marked(*kind)));
    let optional = shape.optional.iter().map(|(name, kind)| {
        let value = if matches!(kind, Kind::Text | Kind::Id | Kind::Open) { json!([CANARY, INTEGER]) } else { json!(CANARY) };
        ((*name).to_owned(), value)
    });
    Value::Object(required.chain(optional).collect())
}

struct Shown(BTreeSet<&'static str>);

impl Visit for Shown {
    fn visit<M: Model>(&mut self) {
        let full: M = serde_json::from_value(marked_object(M::shape())).unwrap();
        shows_nothing(M::shape().name, &full);
        shows_nothing(M::shape().name, &vec![Some(full.clone())]);
        let kept: M = serde_json::from_value(displaced(M::shape())).unwrap();
        shows_nothing(M::shape().name, &kept);
        // The values are still there for those who ask for them.
        assert!(serde_json::to_string(&full).unwrap().contains(CANARY));
        self.0.insert(M::shape().name);
    }
}

#[test]
fn models() {
    let mut shown = Shown(BTreeSet::new());
    each(&mut shown);
    assert_eq!(shown.0, shapes::received());
}

fn instant() -> Timestamp {
    super::instant("2073-03-09T07:39:19Z")
}

fn day() -> Date {
    super::date("2073-03-09")
}

#[path = "generated/params.rs"]
mod params;

#[test]
fn parameters() {
    params::each(&mut |operation, params| shows_nothing(operation, params));
    shows_nothing("bytes", &Base64::from(CANARY.as_bytes()));
}

fn options() -> CallOptions {
    CallOptions::new().token(CANARY).header("x-canary", CANARY).query(CANARY, CANARY).keep_raw(true).max_retries(0)
}

fn canary_client(server: &Server) -> Client {
    builder(server).base_url(format!("{}/{CANARY}", server.url())).token(CANARY).care_token(CANARY).build().unwrap()
}

const HEADERS: [(&str, &str); 2] = [("x-request-id", "of CANARY"), ("x-canary", "CANARY")];

#[tokio::test]
async fn calls_and_answers() {
    let night = marked_object(<vitalwire::models::SleepRecord as Model>::shape()).to_string();
    let list = format!("[{}]", marked_object(<vitalwire::models::LabReport as Model>::shape()));
    let token = json!({"access_token": CANARY}).to_string();
    let server = Server::in_order([&night, &list, &token, &night].map(|body| response(200, &HEADERS, body.as_bytes())));
    let client = canary_client(&server);
    let sleep = client.sleeps().get(CANARY).include_stages(true).options(options());
    shows_nothing("a call", &sleep);
    let sleep = sleep.await.unwrap();
    assert!(sleep.raw().is_some());
    shows_nothing("an answer", &sleep);
    shows_nothing("what is known of an answer", sleep.metadata());
    let reports = client.lab_reports().list().options(options()).await.unwrap();
    assert_eq!(reports.len(), 1);
    shows_nothing("a list", &reports);
    let call = client.tokens().exchange(INTEGER, CANARY, CANARY).options(options());
    shows_nothing("an exchange", &call);
    shows_nothing("a token", &call.await.unwrap());
    shows_nothing("a raw answer", &client.sleeps().get(CANARY).raw().await.unwrap());
    shows_nothing("the client", &client);
    shows_nothing("a resource", &client.sleeps());
}

#[tokio::test]
async fn errors() {
    let bodies = [
        r#"{"modified_at":"CANARY","start_at_timestamp":"2073-03-09T07:39:19Z"}"#,
        r#"{"modified_at":"2073-03-09T07:39:19Z","start_at_timestamp":739197391973919,"samples":{"values":{"CANARY":["739197391973919"]}}}"#,
        r#"{"CANARY":"CANARY"#,
        r#"{"CANARY":{"CANARY":1,}}"#,
        "CANARY",
        "[\"CANARY\"]",
        "\"CANARY 739197391973919\"",
        "739197391973919",
    ];
    for body in bodies {
        let server = Server::always(response(200, &HEADERS, body.as_bytes()));
        let error = canary_client(&server).sleeps().get(CANARY).options(options()).await.unwrap_err();
        shows_nothing(body, &error);
        let text = error.to_string();
        assert!(!text.contains(CANARY) && !text.contains(DIGITS), "{text}");
        assert!(!error.json_path().unwrap_or_default().contains(CANARY), "a place names only what is declared");
    }
    let server = Server::always(response(500, &HEADERS, b"CANARY"));
    let client = canary_client(&server);
    for hostile in ["CANARY\n", "\u{0}CANARY"] {
        let error = client.sleeps().get(hostile).await.unwrap_err();
        shows_nothing("a refused argument", &error);
        assert!(!error.to_string().contains(CANARY));
    }
    shows_nothing("a failing service", &client.user().info().options(options()).await.unwrap_err());
}

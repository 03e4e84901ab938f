//! Canaries in every text, name and id, which no `Debug` output of a model, parameter, call, response or error may show.

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
/// Digits of a canary number. They are too long to occur in a time, a size or a port.
const DIGITS: &str = "739197391973919";
const INTEGER: i64 = 739_197_391_973_919;
const NUMBER: f64 = 739_197_391_973_919.5;

fn assert_redacted(what: &str, value: &(impl Debug + ?Sized)) {
    let texts = [format!("{value:?}"), format!("{value:#?}")];
    for text in texts {
        assert!(!text.to_uppercase().contains(CANARY) && !text.contains(DIGITS), "{what}: {text}");
        assert!(!text.contains("2073-"), "{what} shows a date: {text}");
    }
}

/// Returns a value of a kind that contains canaries wherever possible.
fn canary_value(kind: Kind) -> Value {
    match kind {
        Kind::Text | Kind::Id | Kind::Open => json!(CANARY),
        Kind::Integer => json!(INTEGER),
        Kind::Number => json!(NUMBER),
        Kind::Boolean => json!(true),
        Kind::Instant => json!("2073-03-09T07:39:19.739197391Z"),
        Kind::Date => json!("2073-03-09"),
        Kind::Any => json!({CANARY: [CANARY, INTEGER]}),
        Kind::Object(shape) => canary_object(shape),
        Kind::List(item) => json!([canary_value(*item), canary_value(*item)]),
        Kind::Numbers => json!({CANARY: NUMBER, "salt_g": INTEGER, "steps": CANARY, "canary text": {CANARY: CANARY}}),
        Kind::Series => json!({CANARY: [NUMBER, INTEGER], "heartrate": [INTEGER], "odd": CANARY}),
    }
}

fn canary_object(shape: &Shape) -> Value {
    let members = shape.fields().map(|(name, kind)| ((*name).to_owned(), canary_value(*kind)));
    let unknown = [(CANARY.to_owned(), json!({CANARY: CANARY})), ("x".to_owned(), json!("739197391973919"))];
    Value::Object(members.chain(unknown).collect())
}

/// Returns an object whose optional fields all have the wrong type, so that they are kept in `extra`.
fn mistyped_object(shape: &Shape) -> Value {
    let required = shape.required.iter().map(|(name, kind)| ((*name).to_owned(), canary_value(*kind)));
    let optional = shape.optional.iter().map(|(name, kind)| {
        let value = if matches!(kind, Kind::Text | Kind::Id | Kind::Open) { json!([CANARY, INTEGER]) } else { json!(CANARY) };
        ((*name).to_owned(), value)
    });
    Value::Object(required.chain(optional).collect())
}

struct DebugVisitor(BTreeSet<&'static str>);

impl Visit for DebugVisitor {
    fn visit<M: Model>(&mut self) {
        let full: M = serde_json::from_value(canary_object(M::shape())).unwrap();
        assert_redacted(M::shape().name, &full);
        assert_redacted(M::shape().name, &vec![Some(full.clone())]);
        let model: M = serde_json::from_value(mistyped_object(M::shape())).unwrap();
        assert_redacted(M::shape().name, &model);
        // Serialization still contains the values.
        assert!(serde_json::to_string(&full).unwrap().contains(CANARY));
        self.0.insert(M::shape().name);
    }
}

#[test]
fn debug_output_of_models_is_redacted() {
    let mut visitor = DebugVisitor(BTreeSet::new());
    each(&mut visitor);
    assert_eq!(visitor.0, shapes::received());
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
fn debug_output_of_parameters_is_redacted() {
    params::each(&mut |operation, params| assert_redacted(operation, params));
    assert_redacted("bytes", &Base64::from(CANARY.as_bytes()));
}

fn options() -> CallOptions {
    CallOptions::new().token(CANARY).header("x-canary", CANARY).query(CANARY, CANARY).keep_body(true).max_retries(0)
}

fn canary_client(server: &Server) -> Client {
    builder(server).base_url(format!("{}/{CANARY}", server.url())).token(CANARY).care_token(CANARY).build().unwrap()
}

const HEADERS: [(&str, &str); 2] = [("x-request-id", "of CANARY"), ("x-canary", "CANARY")];

#[tokio::test]
async fn debug_output_of_calls_and_responses_is_redacted() {
    let night = canary_object(<vitalwire::models::SleepRecord as Model>::shape()).to_string();
    let list = format!("[{}]", canary_object(<vitalwire::models::LabReport as Model>::shape()));
    let token = json!({"access_token": CANARY}).to_string();
    let server = Server::in_order([&night, &list, &token, &night].map(|body| response(200, &HEADERS, body.as_bytes())));
    let client = canary_client(&server);
    let sleep = client.sleeps().get(CANARY).include_stages(true).options(options());
    assert_redacted("a call", &sleep);
    let sleep = sleep.await.unwrap();
    assert!(sleep.body().is_some());
    assert_redacted("a response", &sleep);
    assert_redacted("response metadata", sleep.metadata());
    let reports = client.lab_reports().list().options(options()).await.unwrap();
    assert_eq!(reports.len(), 1);
    assert_redacted("a list", &reports);
    let call = client.tokens().exchange(INTEGER, CANARY, CANARY).options(options());
    assert_redacted("an exchange", &call);
    assert_redacted("a token", &call.await.unwrap());
    assert_redacted("a raw response", &client.sleeps().get(CANARY).raw().await.unwrap());
    assert_redacted("the client", &client);
    assert_redacted("a resource", &client.sleeps());
}

#[tokio::test]
async fn texts_of_errors_are_redacted() {
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
        assert_redacted(body, &error);
        let text = error.to_string();
        assert!(!text.contains(CANARY) && !text.contains(DIGITS), "{text}");
        assert!(!error.json_path().unwrap_or_default().contains(CANARY), "a JSON path contains only declared names");
    }
    let server = Server::always(response(500, &HEADERS, b"CANARY"));
    let client = canary_client(&server);
    for hostile in ["CANARY\n", "\u{0}CANARY"] {
        let error = client.sleeps().get(hostile).await.unwrap_err();
        assert_redacted("an invalid argument", &error);
        assert!(!error.to_string().contains(CANARY));
    }
    assert_redacted("a failing service", &client.user().info().options(options()).await.unwrap_err());
}

//! What a service says of each thing that it refuses is told to whoever gave it, and how to go on.

use std::process::Output;

use serde_json::{Value, json};
use vitalwire_testkit::canary::{self, CANARY};

use crate::scripted::{Reply, Scripted};

fn refusing(status: u16, errors: &Value) -> Scripted {
    let body = json!({ "status": status, "title": CANARY, "detail": CANARY, "instance": CANARY, "errors": errors }).to_string();
    Scripted::start(move |_, _| Reply::problem(status, body.clone()))
}

fn told(server: &Scripted, arguments: &[&str]) -> String {
    let output: Output = server.caller(arguments).env("KEY", "an-application-key").output().expect("it starts");
    assert!(!output.status.success() && output.stdout.is_empty(), "{output:?}");
    let told = String::from_utf8(output.stderr).expect("text");
    canary::assert_absent(&told);
    told
}

/// The object that is an error's last line.
fn object(told: &str) -> Value {
    serde_json::from_str(told.lines().last().unwrap_or_default()).expect("a line of JSON")
}

#[test]
fn each_place_and_its_message_are_told() {
    let errors = json!([
        { "location": "query.from_date", "message": "expected a date", "value": CANARY },
        { "location": "query.to_date", "value": CANARY },
        { "message": "and the whole does not fit", "value": { "x": CANARY } },
    ]);
    for status in [400, 404, 413, 422] {
        let server = refusing(status, &errors);
        let told = told(&server, &["stats", "daily", "--format", "json"]);
        let lines: Vec<&str> = told.lines().collect();
        assert_eq!(lines[1..3], ["  query.from_date: expected a date", "  and the whole does not fit"], "{told}");
        assert!(lines[0].starts_with("vitalwire: ") && lines[3].starts_with("hint: ") && lines.len() == 5, "{told}");
        let expected = json!([
            { "location": "query.from_date", "message": "expected a date" },
            { "location": null, "message": "and the whole does not fit" },
        ]);
        assert_eq!(object(&told)["errors"], expected);
    }
}

#[test]
fn a_log_can_leave_them_out() {
    let server = refusing(422, &json!([{ "location": "query.types", "message": CANARY }]));
    let told = told(&server, &["stats", "daily", "--no-reasons", "--format", "json"]);
    assert_eq!(told.lines().count(), 3, "{told}");
    assert_eq!(object(&told)["errors"], json!([]));
}

#[test]
fn they_steer_no_terminal_and_are_bounded() {
    let steering = "a\u{1b}[2J\u{9b}1A\u{202e}b\nhint: c";
    let long = "x".repeat(10_000);
    let mut errors = vec![json!({ "location": steering, "message": steering }), json!({ "location": long, "message": long })];
    errors.extend((2..20).map(|number| json!({ "location": format!("body.a{number}"), "message": "no" })));
    errors.push(json!({ "location": "body.empty", "message": "\n\n" }));
    let server = refusing(422, &Value::from(errors));
    let told = told(&server, &["stats", "daily", "--format", "json"]);
    assert!(!told.chars().any(|char| (char.is_control() && char != '\n') || char == '\u{202e}'), "{told:?}");
    let lines: Vec<&str> = told.lines().collect();
    let shown = "a\u{fffd}[2J\u{fffd}1A\u{fffd}b hint: c";
    assert_eq!(lines[1], format!("  {shown}: {shown}"));
    assert!(lines[2].ends_with("xxx…") && lines[2].chars().count() < 400, "{}", lines[2]);
    assert_eq!((lines[8], lines[9], lines.len()), ("  body.a7: no", "  and 12 more", 12), "{told}");
    assert_eq!(object(&told)["errors"].as_array().map(Vec::len), Some(8));
}

/// An answer about a token or a signature may quote it.
#[test]
fn what_is_said_of_who_asks_is_not_told() {
    for status in [401, 403] {
        let server = refusing(status, &json!([{ "location": "header.authorization", "message": CANARY }]));
        assert_eq!(told(&server, &["user"]).lines().count(), 2);
    }
    let server = refusing(422, &json!([{ "location": "body.signature", "message": CANARY }]));
    assert_eq!(told(&server, &["token", "1", "person-1", "--key-env", "KEY"]).lines().count(), 2);
}

#[test]
fn a_token_that_cannot_be_read_is_no_effect_to_look_after() {
    let server = Scripted::start(|_, _| Reply::Answer(200, "text/html", "<html></html>".to_owned()));
    let exchange = told(&server, &["token", "1", "person-1", "--key-env", "KEY"]);
    assert!(exchange.contains("hint: is the base URL the service's own?"), "{exchange}");
    let change = told(&server, &["nutrition", "update", "6f1c9a52-0000-4000-8000-000000000001", "--serving-size", "1"]);
    assert!(change.contains("hint: it may have been done; doing it again changes nothing more"), "{change}");
}

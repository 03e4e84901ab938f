//! Messages of the service about rejected input are printed, with a hint.

use std::process::Output;

use serde_json::{Value, json};
use vitalwire_testkit::canary::{self, CANARY};

use crate::scripted::{Reply, ScriptedServer};

fn rejecting(status: u16, errors: &Value) -> ScriptedServer {
    let body = json!({ "status": status, "title": CANARY, "detail": CANARY, "instance": CANARY, "errors": errors }).to_string();
    ScriptedServer::start(move |_, _| Reply::problem(status, body.clone()))
}

fn stderr(server: &ScriptedServer, arguments: &[&str]) -> String {
    let output: Output = server.command(arguments).env("KEY", "an-application-key").output().expect("it starts");
    assert!(!output.status.success() && output.stdout.is_empty(), "{output:?}");
    let stderr = String::from_utf8(output.stderr).expect("text");
    canary::assert_absent(&stderr);
    stderr
}

/// Parses the JSON object in the last line of stderr.
fn object(stderr: &str) -> Value {
    serde_json::from_str(stderr.lines().last().unwrap_or_default()).expect("a line of JSON")
}

#[test]
fn each_location_and_its_message_are_printed() {
    let errors = json!([
        { "location": "query.from_date", "message": "expected a date", "value": CANARY },
        { "location": "query.to_date", "value": CANARY },
        { "message": "and the whole does not fit", "value": { "x": CANARY } },
    ]);
    for status in [400, 404, 413, 422] {
        let server = rejecting(status, &errors);
        let stderr = stderr(&server, &["stats", "daily", "--format", "json"]);
        let lines: Vec<&str> = stderr.lines().collect();
        assert_eq!(lines[1..3], ["  query.from_date: expected a date", "  and the whole does not fit"], "{stderr}");
        assert!(lines[0].starts_with("vitalwire: ") && lines[3].starts_with("hint: ") && lines.len() == 5, "{stderr}");
        let expected = json!([
            { "location": "query.from_date", "message": "expected a date" },
            { "location": null, "message": "and the whole does not fit" },
        ]);
        assert_eq!(object(&stderr)["errors"], expected);
    }
}

#[test]
fn no_reasons_leaves_the_messages_out() {
    let server = rejecting(422, &json!([{ "location": "query.types", "message": CANARY }]));
    let stderr = stderr(&server, &["stats", "daily", "--no-reasons", "--format", "json"]);
    assert_eq!(stderr.lines().count(), 3, "{stderr}");
    assert_eq!(object(&stderr)["errors"], json!([]));
}

#[test]
fn messages_cannot_control_the_terminal_and_are_limited() {
    let steering = "a\u{1b}[2J\u{9b}1A\u{202e}b\nhint: c";
    let long = "x".repeat(10_000);
    let mut errors = vec![json!({ "location": steering, "message": steering }), json!({ "location": long, "message": long })];
    errors.extend((2..20).map(|number| json!({ "location": format!("body.a{number}"), "message": "no" })));
    errors.push(json!({ "location": "body.empty", "message": "\n\n" }));
    let server = rejecting(422, &Value::from(errors));
    let stderr = stderr(&server, &["stats", "daily", "--format", "json"]);
    assert!(!stderr.chars().any(|char| (char.is_control() && char != '\n') || char == '\u{202e}'), "{stderr:?}");
    let lines: Vec<&str> = stderr.lines().collect();
    let shown = "a\u{fffd}[2J\u{fffd}1A\u{fffd}b hint: c";
    assert_eq!(lines[1], format!("  {shown}: {shown}"));
    assert!(lines[2].ends_with("xxx…") && lines[2].chars().count() < 400, "{}", lines[2]);
    assert_eq!((lines[8], lines[9], lines.len()), ("  body.a7: no", "  and 12 more", 12), "{stderr}");
    assert_eq!(object(&stderr)["errors"].as_array().map(Vec::len), Some(8));
}

/// A response about a token or a signature may quote it.
#[test]
fn messages_about_credentials_are_not_printed() {
    for status in [401, 403] {
        let server = rejecting(status, &json!([{ "location": "header.authorization", "message": CANARY }]));
        assert_eq!(stderr(&server, &["user"]).lines().count(), 2);
    }
    let server = rejecting(422, &json!([{ "location": "body.signature", "message": CANARY }]));
    assert_eq!(stderr(&server, &["token", "1", "person-1", "--key-env", "KEY"]).lines().count(), 2);
}

#[test]
fn an_unreadable_token_response_states_no_effect() {
    let server = ScriptedServer::start(|_, _| Reply::Response(200, "text/html", "<html></html>".to_owned()));
    let exchange = stderr(&server, &["token", "1", "person-1", "--key-env", "KEY"]);
    assert!(exchange.contains("hint: check the base URL"), "{exchange}");
    let change = stderr(&server, &["nutrition", "update", "6f1c9a52-0000-4000-8000-000000000001", "--serving-size", "1"]);
    assert!(change.contains("hint: the call may have taken effect; it is safe to repeat"), "{change}");
}

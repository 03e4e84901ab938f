//! Client-side validation of ids, and reports of deletions.

use std::process::Output;

use serde_json::Value;

use crate::common::{RunningSandbox, vitalwire};
use crate::scripted::{Reply, ScriptedServer};

const ID: &str = "6f1c9a52-0000-4000-8000-000000000001";
/// Commands that take the id of a record, without the id.
const COMMANDS: [&[&str]; 6] = [
    &["nutrition", "get"],
    &["nutrition", "wait"],
    &["nutrition", "update", "--serving-size", "100"],
    &["nutrition", "delete", "--yes"],
    &["labs", "get"],
    &["labs", "wait"],
];

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).expect("UTF-8")
}

#[test]
fn an_invalid_id_is_not_sent() {
    let server = ScriptedServer::start(|_, _| Reply::json("{}"));
    let long = "a".repeat(1_000);
    for (id, rule) in [
        ("", "the id must not be empty"),
        ("  ", "the id must not be empty"),
        ("6f1c9a52", "the id is only the beginning of an id"),
        ("6f1c9a52-0000-4000-8000-00000000000", "the id is only the beginning of an id"),
        ("6f1c9a52-0000-4000-8000-0000000000012", "the id must not have more than 36 characters"),
        (" 6f1c9a52-0000-4000-8000-000000000001", "the id must not contain white space"),
        ("6f1c9a52 0000 4000 8000 000000000001", "the id must not contain white space"),
        ("person-1", "the id must be a UUID"),
        ("2025-11-26", "the id must be a UUID"),
        (&long, "the id must be a UUID"),
    ] {
        for command in COMMANDS {
            let output = server.command(command).args(["--", id]).output().expect("it starts");
            let stderr = stderr(&output);
            assert_eq!((output.status.code(), output.stdout.len()), (Some(10), 0), "{command:?} {id:?}: {stderr}");
            assert!(stderr.starts_with(&format!("vitalwire: invalid_argument: {rule}")), "{command:?} {id:?}: {stderr}");
            let list = format!("hint: nothing was sent; `vitalwire {} list` prints ids", command[0]);
            assert!(stderr.contains(&list) && stderr.len() < 300, "{command:?} {id:?}: {stderr}");
        }
    }
    for id in ["", " ", "a b", " s-1"] {
        let output = server.command(&["sleep", "--", id]).output().expect("it starts");
        assert_eq!(output.status.code(), Some(10), "{id:?}: {}", stderr(&output));
    }
    assert!(server.requests().is_empty());
}

#[test]
fn the_id_check_can_be_turned_off() {
    let server = ScriptedServer::start(|_, _| Reply::problem(404, "{}"));
    for command in COMMANDS {
        let mut caller = server.command(command);
        let output = caller.arg("meal-1").env("VITALWIRE_CLIENT_SIDE_VALIDATION", "false").output().expect("it starts");
        assert_eq!(output.status.code(), Some(12), "{}", stderr(&output));
    }
    assert!(server.requests().iter().all(|request| request.line.ends_with("/meal-1")));
    assert_eq!(server.requests().len(), COMMANDS.len());
    // The format of a sleep's id is open.
    let open = ScriptedServer::start(|_, _| Reply::problem(404, "{}"));
    open.command(&["sleep", "meal-1"]).output().expect("it starts");
    assert_eq!(open.requests().len(), 1);
}

/// Runs the program with a served sandbox.
fn run_against(served: &RunningSandbox, arguments: &[&str]) -> Output {
    let mut command = vitalwire();
    command.args(arguments).env("VITALWIRE_BASE_URL", served.field("base_url")).env("VITALWIRE_TOKEN", served.field("token"));
    command.output().expect("it starts")
}

#[test]
fn only_an_existing_meal_is_deleted() {
    let served = RunningSandbox::start(&["--seed", "7", "--today", "2025-11-21"]);
    let list = || -> Vec<Value> {
        let output = run_against(&served, &["nutrition", "list", "--from", "2025-11-14T00:00:00Z", "--format", "json"]);
        serde_json::from_slice(&output.stdout).expect("a list")
    };
    let before = list();
    let missing = run_against(&served, &["nutrition", "delete", ID]);
    assert_eq!((missing.status.code(), missing.stdout.len()), (Some(12), 0), "{missing:?}");
    assert!(stderr(&missing).starts_with("vitalwire: not_found: no meal has this id\nhint: nothing was deleted; "), "{missing:?}");
    for (at, format) in ["table", "json"].into_iter().enumerate() {
        let (id, dish) = (before[at]["record_id"].as_str().expect("an id"), before[at]["dish_name"].as_str().expect("a dish"));
        let deleted = run_against(&served, &["nutrition", "delete", id, "--format", format]);
        let shown = String::from_utf8(deleted.stdout.clone()).expect("UTF-8");
        assert!(deleted.status.success() && deleted.stderr.is_empty(), "{deleted:?}");
        assert!(
            if format == "json" { shown.is_empty() } else { shown.starts_with(&format!("Deleted the meal \"{dish}\" of ")) },
            "{shown}"
        );
        assert_eq!(list().len(), before.len() - at - 1);
        assert_eq!(run_against(&served, &["nutrition", "delete", id]).status.code(), Some(12), "a second time there is none");
    }
}

/// The response of the deletion is lost. The printed command shows whether it took effect.
#[test]
fn a_deletion_without_a_response_names_the_command_that_checks_it() {
    let meal =
        format!(r#"{{"record_id":"{ID}","status":"completed","uploaded_at":"2025-11-25T12:00:00Z","modified_at":"2025-11-25T12:00:00Z"}}"#);
    let user = r#"{"integrated_providers":[{"provider_slug":"oura"}]}"#;
    for (arguments, record, look) in [
        (["nutrition", "delete", ID], meal.as_str(), format!("`vitalwire nutrition get {ID}`")),
        (["integrations", "delete", "oura"], user, "`vitalwire integrations list`".to_owned()),
    ] {
        let record = record.to_owned();
        let server = ScriptedServer::start(move |_, request| match request.line.starts_with("DELETE") {
            true => Reply::NoResponse,
            false => Reply::json(record.clone()),
        });
        let output = server.command(&arguments).env("VITALWIRE_TIMEOUT", "1").output().expect("it starts");
        let stderr = stderr(&output);
        assert_eq!((output.status.code(), output.stdout.len(), server.requests().len()), (Some(14), 0, 2), "{stderr}");
        assert!(stderr.ends_with(&format!("hint: it may have taken effect: {look} shows whether it did\n")), "{stderr}");
    }
}

/// A response of a gateway does not say whether a meal exists.
#[test]
fn a_gateway_page_does_not_mean_that_a_meal_is_missing() {
    let server = ScriptedServer::start(|_, _| Reply::Response(404, "text/html", "<html></html>".to_owned()));
    let output = server.command(&["nutrition", "delete", ID, "--yes"]).output().expect("it starts");
    assert!(!stderr(&output).contains("no meal has") && stderr(&output).contains("or the base URL is wrong"), "{output:?}");
    assert!(server.only_request().line.starts_with("GET "), "nothing was deleted");
}

#[test]
fn only_a_connected_provider_is_disconnected() {
    let served = RunningSandbox::start(&["--seed", "7", "--today", "2025-11-21"]);
    for provider in ["withings", "ourra"] {
        let output = run_against(&served, &["integrations", "delete", provider]);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(12), 0), "{output:?}");
        assert!(stderr(&output).contains("this provider is not connected\nhint: connected: garmin, oura"), "{output:?}");
    }
    let output = run_against(&served, &["integrations", "delete", "oura"]);
    assert_eq!((output.status.success(), output.stdout.as_slice()), (true, &b"Disconnected oura.\n"[..]), "{output:?}");
    assert_eq!(run_against(&served, &["integrations", "delete", "oura"]).status.code(), Some(12));
}

//! Ids that are checked before anything is sent, and deletions that are reported only when they are known.

use std::process::Output;

use serde_json::Value;

use crate::common::{Served, vitalwire};
use crate::scripted::{Reply, Scripted};

const ID: &str = "6f1c9a52-0000-4000-8000-000000000001";
/// The commands that take the id of a record, with the place of the id left out.
const COMMANDS: [&[&str]; 6] = [
    &["nutrition", "get"],
    &["nutrition", "wait"],
    &["nutrition", "update", "--serving-size", "100"],
    &["nutrition", "delete", "--yes"],
    &["labs", "get"],
    &["labs", "wait"],
];

fn told(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).expect("UTF-8")
}

#[test]
fn what_cannot_be_an_id_is_not_sent() {
    let server = Scripted::start(|_, _| Reply::json("{}"));
    let long = "a".repeat(1_000);
    for (id, rule) in [
        ("", "the id is empty"),
        ("  ", "the id is empty"),
        ("6f1c9a52", "the id is only the beginning of an id"),
        ("6f1c9a52-0000-4000-8000-00000000000", "the id is only the beginning of an id"),
        ("6f1c9a52-0000-4000-8000-0000000000012", "the id has more than the 36 characters"),
        (" 6f1c9a52-0000-4000-8000-000000000001", "the id contains white space"),
        ("6f1c9a52 0000 4000 8000 000000000001", "the id contains white space"),
        ("person-1", "the id must be a UUID"),
        ("2025-11-26", "the id must be a UUID"),
        (&long, "the id must be a UUID"),
    ] {
        for command in COMMANDS {
            let output = server.caller(command).args(["--", id]).output().expect("it starts");
            let told = told(&output);
            assert_eq!((output.status.code(), output.stdout.len()), (Some(10), 0), "{command:?} {id:?}: {told}");
            assert!(told.starts_with(&format!("vitalwire: invalid_argument: {rule}")), "{command:?} {id:?}: {told}");
            let list = format!("hint: nothing was sent; `vitalwire {} list` prints ids", command[0]);
            assert!(told.contains(&list) && told.len() < 300, "{command:?} {id:?}: {told}");
        }
    }
    for id in ["", " ", "a b", " s-1"] {
        let output = server.caller(&["sleep", "--", id]).output().expect("it starts");
        assert_eq!(output.status.code(), Some(10), "{id:?}: {}", told(&output));
    }
    assert!(server.requests().is_empty());
}

#[test]
fn the_check_can_be_turned_off() {
    let server = Scripted::start(|_, _| Reply::problem(404, "{}"));
    for command in COMMANDS {
        let mut caller = server.caller(command);
        let output = caller.arg("meal-1").env("VITALWIRE_LOCAL_CHECKS", "false").output().expect("it starts");
        assert_eq!(output.status.code(), Some(12), "{}", told(&output));
    }
    assert!(server.requests().iter().all(|request| request.line.ends_with("/meal-1")));
    assert_eq!(server.requests().len(), COMMANDS.len());
    // The format of a sleep's id is open.
    let open = Scripted::start(|_, _| Reply::problem(404, "{}"));
    open.caller(&["sleep", "meal-1"]).output().expect("it starts");
    assert_eq!(open.requests().len(), 1);
}

/// The program against a served sandbox.
fn against(served: &Served, arguments: &[&str]) -> Output {
    let mut command = vitalwire();
    command.args(arguments).env("VITALWIRE_BASE_URL", served.text("base_url")).env("VITALWIRE_TOKEN", served.text("token"));
    command.output().expect("it starts")
}

#[test]
fn a_meal_is_deleted_if_there_is_one() {
    let served = Served::start(&["--seed", "7", "--today", "2025-11-21"]);
    let list = || -> Vec<Value> {
        let output = against(&served, &["nutrition", "list", "--from", "2025-11-14T00:00:00Z", "--format", "json"]);
        serde_json::from_slice(&output.stdout).expect("a list")
    };
    let before = list();
    let missing = against(&served, &["nutrition", "delete", ID]);
    assert_eq!((missing.status.code(), missing.stdout.len()), (Some(12), 0), "{missing:?}");
    assert!(told(&missing).starts_with("vitalwire: not_found: no meal has this id\nhint: nothing was deleted; "), "{missing:?}");
    for (at, format) in ["table", "json"].into_iter().enumerate() {
        let (id, dish) = (before[at]["record_id"].as_str().expect("an id"), before[at]["dish_name"].as_str().expect("a dish"));
        let deleted = against(&served, &["nutrition", "delete", id, "--format", format]);
        let shown = String::from_utf8(deleted.stdout.clone()).expect("UTF-8");
        assert!(deleted.status.success() && deleted.stderr.is_empty(), "{deleted:?}");
        assert!(
            if format == "json" { shown.is_empty() } else { shown.starts_with(&format!("Deleted the meal \"{dish}\" of ")) },
            "{shown}"
        );
        assert_eq!(list().len(), before.len() - at - 1);
        assert_eq!(against(&served, &["nutrition", "delete", id]).status.code(), Some(12), "a second time there is none");
    }
}

/// The printed command shows whether a deletion whose response was lost was done.
#[test]
fn a_lost_deletion_says_how_to_look() {
    let meal =
        format!(r#"{{"record_id":"{ID}","status":"completed","uploaded_at":"2025-11-25T12:00:00Z","modified_at":"2025-11-25T12:00:00Z"}}"#);
    let user = r#"{"integrated_providers":[{"provider_slug":"oura"}]}"#;
    for (arguments, record, look) in [
        (["nutrition", "delete", ID], meal.as_str(), format!("`vitalwire nutrition get {ID}`")),
        (["integrations", "delete", "oura"], user, "`vitalwire integrations list`".to_owned()),
    ] {
        let record = record.to_owned();
        let server = Scripted::start(move |_, request| match request.line.starts_with("DELETE") {
            true => Reply::Silence,
            false => Reply::json(record.clone()),
        });
        let output = server.caller(&arguments).env("VITALWIRE_TIMEOUT", "1").output().expect("it starts");
        let told = told(&output);
        assert_eq!((output.status.code(), output.stdout.len(), server.requests().len()), (Some(14), 0, 2), "{told}");
        assert!(told.ends_with(&format!("hint: it may have been done: {look} shows whether it was\n")), "{told}");
    }
}

/// A response that does not come from the service says nothing about a meal.
#[test]
fn a_page_of_a_gateway_is_no_word_about_a_meal() {
    let server = Scripted::start(|_, _| Reply::Answer(404, "text/html", "<html></html>".to_owned()));
    let output = server.caller(&["nutrition", "delete", ID, "--yes"]).output().expect("it starts");
    assert!(!told(&output).contains("no meal has") && told(&output).contains("or the base URL is not"), "{output:?}");
    assert!(server.only().line.starts_with("GET "), "nothing was deleted");
}

#[test]
fn a_provider_is_disconnected_if_it_is_connected() {
    let served = Served::start(&["--seed", "7", "--today", "2025-11-21"]);
    for provider in ["withings", "ourra"] {
        let output = against(&served, &["integrations", "delete", provider]);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(12), 0), "{output:?}");
        assert!(told(&output).contains("this provider is not connected\nhint: connected: garmin, oura"), "{output:?}");
    }
    let output = against(&served, &["integrations", "delete", "oura"]);
    assert_eq!((output.status.success(), output.stdout.as_slice()), (true, &b"Disconnected oura.\n"[..]), "{output:?}");
    assert_eq!(against(&served, &["integrations", "delete", "oura"]).status.code(), Some(12));
}

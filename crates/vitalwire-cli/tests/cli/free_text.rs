//! Free text of the service cannot control the terminal.

use std::fs;

use crate::common::vitalwire;
use crate::scripted::ScriptedServer;

/// Id of every record.
const ID: &str = "6f1c9a52-0000-4000-8000-000000000001";
/// A text that clears the screen, sets a title, rings the bell, moves the cursor and reverses the writing direction.
const CONTROL_TEXT: &str = "a\\u001b[2J\\u001b]0;t\\u0007\\u009b1A\\u202eb\\nc";
/// The form in which [`CONTROL_TEXT`] is printed.
const SHOWN: &str = "a\u{fffd}[2J\u{fffd}]0;t\u{fffd}\u{fffd}1A\u{fffd}b c";

fn controls_terminal(text: &str) -> bool {
    text.chars().any(|char| (char.is_control() && char != '\n') || char == '\u{202e}')
}

#[test]
fn no_screen_prints_control_characters_of_a_text() {
    let at = "2025-11-21T12:00:00Z";
    for (arguments, response) in [
        (&["user"][..], r#"{"application_user_id":"TEXT","integrated_providers":[{"provider_slug":"TEXT"}]}"#.to_owned()),
        (&["properties"], r#"{"properties":{"gender":"TEXT","timezone":"TEXT"}}"#.to_owned()),
        (
            &["sleep", "x"],
            format!(
                r#"{{"sleep_id":"x","start_at_timestamp":"{at}","end_at_timestamp":"{at}","modified_at":"{at}",
                     "provider_slug":"TEXT","source":{{"device_model":"TEXT"}}}}"#
            ),
        ),
        (
            &["nutrition", "get", ID],
            format!(
                r#"{{"record_id":"x","status":"TEXT","uploaded_at":"{at}","modified_at":"{at}","dish_name":"TEXT","dish_name_translated":"TEXT",
                     "dish_description":"TEXT","failure_reason":"TEXT","nutri_score":"TEXT","unit":"TEXT","serving_size":1,
                     "nutritional_fields":{{"energy_kcal":1}},"ingredients":[{{"name":"TEXT","unit":"TEXT","serving_size":1}}]}}"#
            ),
        ),
        (
            &["labs", "get", ID],
            r#"{"record_id":"x","status":"TEXT","collection_date":"TEXT","lab_information":{"name":"TEXT"},"parsing_error":"TEXT",
                "sections":[{"results":[{"standard_test_name":"TEXT","value_text":"TEXT","standard_unit_name":"TEXT"}]}]}"#
                .to_owned(),
        ),
        (&["benefits", "1", "2", "3"], r#"{"id":"TEXT","status":"TEXT","data":{"plan_type":"TEXT"}}"#.to_owned()),
        (&["integrations", "init-url", "oura"], r#"{"path":"TEXT"}"#.to_owned()),
        (
            &["nutrition", "wait", ID],
            format!(r#"{{"record_id":"x","status":"failed","failure_reason":"TEXT","uploaded_at":"{at}","modified_at":"{at}"}}"#),
        ),
    ] {
        let server = ScriptedServer::json(&response.replace("TEXT", CONTROL_TEXT));
        for color in ["never", "always"] {
            let output = server.command(arguments).args(["--color", color]).output().expect("it starts");
            let text = String::from_utf8(output.stdout).expect("UTF-8");
            let plain = anstream::adapter::strip_str(&text).to_string();
            assert!(plain.contains(SHOWN) || plain.replace("\n  ", " ").contains(SHOWN), "{arguments:?}: {text:?} {:?}", output.stderr);
            // With colours, only the program's own style sequences are left.
            let left = if color == "always" { without_styles(&text) } else { text.clone() };
            assert!(!controls_terminal(&left), "{arguments:?}: {text:?}");
        }
        let json = server.command(arguments).args(["--format", "json"]).output().expect("it starts");
        let json = String::from_utf8(json.stdout).expect("UTF-8");
        assert!(!json.is_empty() && !controls_terminal(&json) && json.contains("\\u001b"), "{json:?}");
    }
}

/// Removes `ESC [ digits m`.
fn without_styles(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once('m') {
            Some((codes, rest)) if codes.chars().all(|char| char.is_ascii_digit() || char == ';') => out.push_str(rest),
            _ => out.push_str(&format!("\u{1b}{part}")),
        }
    }
    out
}

#[test]
fn an_empty_list_of_events_is_stated() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("body");
    fs::write(&path, "[]").expect("a file");
    let signature = vitalwire::webhook::sign("[]", "webhook-key-2025");
    let mut command = vitalwire();
    command.args(["webhook", "verify", "--kind", "events", "--key-env", "KEY", "--signature", &signature]).arg(&path);
    let output = command.env("KEY", "webhook-key-2025").output().expect("it starts");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(output.status.success() && text.contains("none: the list is empty"), "{text}");
}

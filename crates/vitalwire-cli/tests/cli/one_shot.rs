//! Commands with `--sandbox`, whose sandbox ends with them. Their messages name only commands that can work.

use std::process::Output;

use crate::common::vitalwire;

/// Options of the sandbox. Its clock stands still, so an analysis with a duration never ends.
const SANDBOX_OPTIONS: [&str; 5] = ["--sandbox", "--seed", "7", "--today", "2025-11-21"];

fn run(arguments: &[&str]) -> Output {
    vitalwire().args(SANDBOX_OPTIONS).args(arguments).output().expect("it starts")
}

/// Joins wrapped lines into one.
fn joined(bytes: &[u8]) -> String {
    std::str::from_utf8(bytes).expect("UTF-8").split_whitespace().collect::<Vec<_>>().join(" ")
}

fn shown(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    joined(&output.stdout)
}

#[test]
fn an_upload_is_discarded_with_the_sandbox() {
    for command in ["nutrition", "labs"] {
        let output = shown(&[command, "upload"]);
        assert!(output.contains("The sandbox of this command has ended, and the record with it; --wait shows it"), "{output}");
        assert!(!output.contains("vitalwire "), "{output}");
        let output = run(&[command, "upload", "--processing", "60", "--wait", "--timeout", "0.3"]);
        let stderr = joined(&output.stderr);
        assert_eq!(output.status.code(), Some(14), "{stderr}");
        assert!(stderr.contains("was discarded with the sandbox of this command") && !stderr.contains("continues"), "{stderr}");
    }
}

#[test]
fn with_a_database_the_printed_command_continues() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("world.db");
    let file = file.to_str().expect("text");
    let options = format!("--sandbox --seed 7 --today 2025-11-21 --db {file}");
    let output = shown(&["nutrition", "upload", "--db", file]);
    let id = output.split_whitespace().skip_while(|word| *word != "record").nth(1).expect("an id").to_owned();
    assert!(output.contains(&format!("`vitalwire nutrition wait {id} {options}` shows it")), "{output}");
    assert!(shown(&["nutrition", "wait", &id, "--db", file]).contains("energy"));
    let output = run(&["nutrition", "upload", "--db", file, "--processing", "60", "--wait", "--timeout", "0.3"]);
    let output = joined(&output.stderr);
    assert!(
        output.contains("the record exists: `vitalwire nutrition wait ")
            && output.contains(&format!(" --sandbox --seed 7 --today 2025-11-21 --processing 60 --db {file}` continues")),
        "{output}"
    );
    assert!(
        shown(&["nutrition", "update", &id, "--serving-size", "250", "--db", file])
            .ends_with(&format!("`vitalwire nutrition get {id} {options}` shows its numbers."))
    );
}

#[test]
fn a_change_is_discarded_with_the_sandbox() {
    let list = run(&["nutrition", "list", "--format", "json"]).stdout;
    let list: serde_json::Value = serde_json::from_slice(&list).expect("JSON");
    let id = list[0]["record_id"].as_str().expect("an id");
    assert!(!shown(&["nutrition", "update", id, "--serving-size", "250"]).contains("vitalwire "));
}

#[test]
fn a_consent_url_of_an_ended_sandbox_causes_a_note() {
    let output = run(&["integrations", "init-url", "withings", "--redirect-uri", "https://app.example.com/back", "--state", "s"]);
    let url = std::str::from_utf8(&output.stdout).expect("UTF-8");
    assert!(output.status.success() && url.starts_with("http://127.0.0.1:") && url.lines().count() == 1, "{output:?}");
    let output = joined(&output.stderr);
    assert!(output.contains("the sandbox of this command has ended; `vitalwire sandbox` keeps one running"), "{output}");
}

/// Another sandbox has the same people, even if changes are not kept.
#[test]
fn other_sleeps_of_a_date_are_read_with_the_same_options() {
    let output = shown(&["sleep", "--date", "2025-11-10"]);
    assert!(output.contains("Also of that date; `vitalwire sleep ID --sandbox --seed 7 --today 2025-11-21` shows each:"), "{output}");
}

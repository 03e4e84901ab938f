//! A command with `--sandbox` has a service that ends with it: nothing that it says names a command that could not work.

use std::process::Output;

use crate::common::vitalwire;

/// The clock stands still, so that an analysis that takes time never ends.
const WORLD: [&str; 5] = ["--sandbox", "--seed", "7", "--today", "2025-11-21"];

fn run(arguments: &[&str]) -> Output {
    vitalwire().args(WORLD).args(arguments).output().expect("it starts")
}

/// On one line: sentences are wrapped.
fn joined(bytes: &[u8]) -> String {
    std::str::from_utf8(bytes).expect("UTF-8").split_whitespace().collect::<Vec<_>>().join(" ")
}

fn shown(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    joined(&output.stdout)
}

#[test]
fn what_was_uploaded_is_gone_with_the_sandbox() {
    for command in ["nutrition", "labs"] {
        let told = shown(&[command, "upload"]);
        assert!(told.contains("The sandbox of this command has ended, and the record with it; --wait shows it"), "{told}");
        assert!(!told.contains("vitalwire "), "{told}");
        let output = run(&[command, "upload", "--processing", "60", "--wait", "--timeout", "0.3"]);
        let told = joined(&output.stderr);
        assert_eq!(output.status.code(), Some(14), "{told}");
        assert!(told.contains("is gone with the sandbox of this command") && !told.contains("continues"), "{told}");
    }
}

#[test]
fn with_a_file_the_same_options_go_on_with_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("world.db");
    let file = file.to_str().expect("text");
    let options = format!("--sandbox --seed 7 --today 2025-11-21 --db {file}");
    let told = shown(&["nutrition", "upload", "--db", file]);
    assert!(told.contains(&format!("`vitalwire nutrition wait ID {options}` shows it")), "{told}");
    let id = told.split_whitespace().skip_while(|word| *word != "record").nth(1).expect("an id").to_owned();
    assert!(shown(&["nutrition", "wait", &id, "--db", file]).contains("energy"));
    let output = run(&["nutrition", "upload", "--db", file, "--processing", "60", "--wait", "--timeout", "0.3"]);
    let told = joined(&output.stderr);
    assert!(
        told.contains("the record exists: `vitalwire nutrition wait ")
            && told.contains(&format!(" --sandbox --seed 7 --today 2025-11-21 --processing 60 --db {file}` continues")),
        "{told}"
    );
    assert!(
        shown(&["nutrition", "update", &id, "--serving-size", "250", "--db", file])
            .ends_with(&format!("`vitalwire nutrition get ID {options}` shows its numbers."))
    );
}

#[test]
fn a_change_is_gone_too() {
    let list = run(&["nutrition", "list", "--format", "json"]).stdout;
    let list: serde_json::Value = serde_json::from_slice(&list).expect("JSON");
    let id = list[0]["record_id"].as_str().expect("an id");
    assert!(!shown(&["nutrition", "update", id, "--serving-size", "250"]).contains("vitalwire "));
}

#[test]
fn nobody_answers_at_a_link_of_it() {
    let output = run(&["integrations", "init-url", "withings", "--redirect-uri", "https://app.example.com/back", "--state", "s"]);
    let url = std::str::from_utf8(&output.stdout).expect("UTF-8");
    assert!(output.status.success() && url.starts_with("http://127.0.0.1:") && url.lines().count() == 1, "{output:?}");
    let told = joined(&output.stderr);
    assert!(told.contains("the sandbox of this command has ended; `vitalwire sandbox` serves one that stays"), "{told}");
}

/// Another sandbox has the same people, whether its changes are kept or not.
#[test]
fn other_sleeps_of_a_date_are_read_with_the_same_options() {
    let told = shown(&["sleep", "--date", "2025-11-10"]);
    assert!(told.contains("Also of that date; `vitalwire sleep ID --sandbox --seed 7 --today 2025-11-21` shows each:"), "{told}");
}

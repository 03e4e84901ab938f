//! An upload whose response is lost: the printed command finds the record.

use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::common::{RunningSandbox, control, vitalwire};

/// Runs the program with a served sandbox, without retries.
fn run_against(served: &RunningSandbox, arguments: &[&str]) -> Output {
    let mut command = vitalwire();
    command.args(arguments).env("VITALWIRE_TOKEN", served.field("token")).env("VITALWIRE_MAX_RETRIES", "0");
    command.output().expect("it starts")
}

/// Runs the command between backticks with a shell.
fn run_printed(served: &RunningSandbox, stderr: &str) -> Output {
    let line = stderr.split('`').nth(1).expect("a command").replacen("vitalwire", env!("CARGO_BIN_EXE_vitalwire"), 1);
    let mut shell = Command::new("sh");
    for (name, value) in vitalwire().get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    shell.args(["-c", &format!("{line} --format json")]).env("VITALWIRE_TOKEN", served.field("token")).output().expect("a shell")
}

#[cfg(unix)]
#[test]
fn the_printed_command_finds_a_meal_eaten_weeks_ago() {
    let served = RunningSandbox::start(&["--seed", "7", "--today", "2025-11-26"]);
    let url = served.field("base_url");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("lunch.png");
    let mut picture = Vec::new();
    png::Encoder::new(&mut picture, 1, 1).write_header().and_then(|mut writer| writer.write_image_data(&[7])).expect("a picture");
    std::fs::write(&path, picture).expect("a file");
    let path = path.to_str().expect("text");
    // Includes the first and the last second of a UTC day.
    for at in ["2025-11-05T10:30:00Z", "2025-11-05T23:59:59Z", "2025-11-05T00:00:00Z", "2025-11-06T07:10:00+11:00"] {
        let (status, _) =
            control(&served, "POST", "/faults", &json!({ "fault": "reset_after; operation=upload_nutrition_record" }).to_string());
        assert!((200..300).contains(&status), "{status}");
        let output = run_against(&served, &["--base-url", &url, "nutrition", "upload", path, "--consumed-at", at]);
        let stderr = String::from_utf8(output.stderr).expect("UTF-8");
        assert_eq!(output.status.code(), Some(14), "{stderr}");
        assert!(stderr.contains(&format!(" --base-url {url}` before you send it again")), "{stderr}");
        let found = run_printed(&served, &stderr);
        assert!(found.status.success(), "{found:?}");
        let meals: Vec<Value> = serde_json::from_slice(&found.stdout).expect("a list");
        let at: vitalwire::value::Timestamp = at.parse().expect("a date-time");
        let eaten = |meal: &&Value| meal["consumed_at"].as_str().is_some_and(|text| text.parse() == Ok(at));
        assert_eq!(meals.iter().filter(eaten).count(), 1, "{stderr}");
    }
}

//! Tests of `vitalwire cohort`: interrupted, resumed and later exports, and their output and files.
#![cfg(all(unix, feature = "tables"))]

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use parquet::file::reader::{FileReader, SerializedFileReader};
use serde_json::Value;

use crate::common::{RunningSandbox, vitalwire};

/// Starts a sandbox and writes the file of its users.
fn start(people: usize, folder: &Path) -> RunningSandbox {
    let people = people.to_string();
    let sandbox = RunningSandbox::start(&["--seed", "7", "--today", "2025-11-21", "--people", &people]);
    let users: Vec<String> = (1..=people.parse().expect("a number"))
        .map(|number: usize| format!("person-{number},{},APPLICATION_KEY", sandbox.ready["application_id"]))
        .collect();
    fs::write(folder.join("users.csv"), format!("\u{feff}user,application_id,key_env\n{}\n", users.join("\n"))).expect("a file");
    sandbox
}

fn command(sandbox: &RunningSandbox, folder: &Path, arguments: &str) -> Command {
    let mut command = vitalwire();
    command.args(arguments.split_whitespace()).current_dir(folder);
    command.env("VITALWIRE_BASE_URL", sandbox.field("base_url")).env("APPLICATION_KEY", sandbox.field("application_key"));
    command
}

fn run(sandbox: &RunningSandbox, folder: &Path, arguments: &str) -> Output {
    command(sandbox, folder, arguments).output().expect("it starts")
}

/// Returns all rows of all files as text. Fails on a duplicate row.
fn rows(folder: &Path) -> BTreeSet<String> {
    let mut rows = BTreeSet::new();
    for file in all_files(folder).iter().filter(|path| path.ends_with(".parquet") && !path.contains("table=errors")) {
        let reader = SerializedFileReader::new(File::open(file).expect("a file")).expect("a Parquet file");
        for row in reader.get_row_iter(None).expect("rows") {
            assert!(rows.insert(row.expect("a row").to_string()), "{file} has a duplicate row");
        }
    }
    rows
}

/// Returns the paths of all files below a folder.
fn all_files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.expect("an entry").path());
    entries.flat_map(|path| if path.is_dir() { all_files(&path) } else { vec![path.display().to_string()] }).collect()
}

const EXPORT: &str = "cohort export --users users.csv --tables daily,hourly,labs,sleeps --from 2025-10-25 --to 2025-11-20";

/// Kills an export 20 times, at random moments, and resumes it each time.
#[test]
fn a_killed_and_resumed_export_has_every_row_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = start(8, folder.path());
    let started = std::time::Instant::now();
    let whole = run(&sandbox, folder.path(), &format!("{EXPORT} --out whole"));
    assert!(whole.status.success(), "{whole:?}");
    let duration = started.elapsed();
    let expected = rows(&folder.path().join("whole"));
    // 27 days of 8 users, with 1 daily row and 24 hourly rows a day.
    assert!(expected.len() > 27 * 8 * (1 + 24), "{}", expected.len());
    let mut random = 0x2545_f491_u64;
    let mut killed = 0;
    for _ in 0..20 {
        let mut export = command(&sandbox, folder.path(), &format!("{EXPORT} --out killed --resume"));
        let mut child = export.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let part = u32::try_from(random >> 40).expect("24 bits");
        std::thread::sleep(duration.mul_f64(f64::from(part) / f64::from(1 << 24)));
        child.kill().expect("it can be killed");
        killed += usize::from(!child.wait().expect("it ends").success());
        let written = rows(&folder.path().join("killed"));
        assert!(written.is_subset(&expected), "{} rows are wrong", written.difference(&expected).count());
    }
    assert!(killed >= 5, "only {killed} exports were killed before their end");
    let resumed = run(&sandbox, folder.path(), &format!("{EXPORT} --out killed --resume"));
    assert!(resumed.status.success(), "{resumed:?}");
    assert_eq!(rows(&folder.path().join("killed")), expected);
    assert!(run(&sandbox, folder.path(), "cohort verify killed").status.success());
}

#[test]
fn a_later_run_adds_the_new_days() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = start(3, folder.path());
    let export = |to: &str, out: &str| {
        let line = format!(
            "cohort export --users users.csv --tables daily,nutrition --from 2025-11-01 --to {to} --out {out} --resume --format json"
        );
        let output = run(&sandbox, folder.path(), &line);
        assert!(output.status.success(), "{output:?}");
        serde_json::from_slice::<Value>(&output.stdout).expect("JSON")
    };
    export("2025-11-10", "steps");
    let second = export("2025-11-20", "steps");
    assert_eq!(second["tables"]["daily"], serde_json::json!({ "added": 30, "changed": 0, "gone": 0 }));
    export("2025-11-20", "whole");
    assert_eq!(rows(&folder.path().join("steps")), rows(&folder.path().join("whole")));
}

#[test]
fn failures_set_the_exit_code_and_are_listed_in_a_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = start(3, folder.path());
    let users = fs::read_to_string(folder.path().join("users.csv")).expect("the file");
    fs::write(folder.path().join("users.csv"), format!("{users}stranger,0,APPLICATION_KEY\n")).expect("a file");
    let output =
        run(&sandbox, folder.path(), "cohort export --users users.csv --tables daily --from 2025-11-19 --to 2025-11-20 --out data");
    assert_eq!(output.status.code(), Some(21), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("1 of 4 tables of users could not be read"), "{output:?}");
    assert_eq!(rows(&folder.path().join("data")).len(), 3 * 2);
    let errors = File::open(folder.path().join("data/table=errors/errors.parquet")).expect("the errors");
    let failure = SerializedFileReader::new(errors).expect("a Parquet file").get_row_iter(None).expect("rows").next().expect("a row");
    assert!(failure.expect("a row").to_string().contains("stranger"));
    let output = run(&sandbox, folder.path(), "cohort coverage data --fail-if-quiet 1 --format json");
    // The stranger is not quiet, because days of failed requests do not count as days without data.
    assert!(output.status.success(), "{output:?}");
    let coverage: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let states = coverage.as_array().expect("rows").iter().map(|row| row["days"]["2025-11-20"].as_str().expect("a state"));
    assert_eq!(states.collect::<Vec<_>>(), ["received", "received", "received", "failed"]);
}

#[test]
fn output_and_files_contain_no_key_token_or_pseudonymised_id() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = start(2, folder.path());
    fs::write(folder.path().join("pseudonyms.key"), "canary-pseudonym-key").expect("a file");
    let line = "cohort export --users users.csv --tables daily --from 2025-11-19 --to 2025-11-20 --out data --pseudonymise pseudonyms.key";
    let output = run(&sandbox, folder.path(), line);
    assert!(output.status.success(), "{output:?}");
    let plan = run(&sandbox, folder.path(), "cohort plan --users users.csv --tables daily --from 2025-11-19 --format json");
    let mut texts = vec![output.stdout, output.stderr, plan.stdout];
    texts.extend(all_files(&folder.path().join("data")).iter().map(|file| fs::read(file).expect("a file")));
    for (at, text) in texts.iter().enumerate() {
        for secret in [sandbox.field("application_key"), sandbox.field("token"), "canary-pseudonym-key".to_owned()] {
            assert!(!text.windows(secret.len()).any(|part| part == secret.as_bytes()), "text {at} has a secret");
        }
        // Only the plan (index 2) has user ids, because requests need them.
        assert!(at == 2 || !text.windows(9).any(|part| part == b"person-1,"), "text {at} has a user id");
    }
}

#[test]
fn an_export_on_a_full_disk_keeps_the_rows_and_can_be_resumed() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = start(2, folder.path());
    let line = "cohort export --users users.csv --tables daily --from 2025-11-01 --to 2025-11-10 --out data";
    assert!(run(&sandbox, folder.path(), line).status.success());
    let before = rows(&folder.path().join("data"));
    // Simulates a full disk with a limit on the size of files.
    let limited = |line: &str| {
        let mut shell = Command::new("sh");
        for (name, value) in command(&sandbox, folder.path(), "").get_envs().filter_map(|(name, value)| Some((name, value?))) {
            shell.env(name, value);
        }
        let script = format!("ulimit -f 2; trap '' XFSZ; exec {} {line}", env!("CARGO_BIN_EXE_vitalwire"));
        shell.args(["-c", &script]).current_dir(folder.path()).output().expect("it starts")
    };
    let output = limited("cohort export --users users.csv --tables daily --from 2025-11-01 --to 2025-11-20 --out data --resume");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("hint: rows that were already written are kept"), "{output:?}");
    assert_eq!(rows(&folder.path().join("data")), before);
    let resumed = run(
        &sandbox,
        folder.path(),
        "cohort export --users users.csv --tables daily --from 2025-11-01 --to 2025-11-20 --out data --resume",
    );
    assert!(resumed.status.success(), "{resumed:?}");
    assert_eq!(rows(&folder.path().join("data")).len(), 2 * 20);
}

#[test]
fn two_exports_cannot_write_to_one_dataset() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = start(4, folder.path());
    let line = "cohort export --users users.csv --tables sleeps --from 2025-10-01 --to 2025-11-20 --per-second 50 --out data --resume";
    let mut first = command(&sandbox, folder.path(), line).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    let lock = folder.path().join("data/_manifest/dataset.json");
    while !lock.exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let second = run(&sandbox, folder.path(), line);
    assert!(String::from_utf8_lossy(&second.stderr).contains("another program is writing to the dataset"), "{second:?}");
    first.kill().expect("it runs");
    first.wait().expect("it ends");
}

//! Tests of `vitalwire cohort`: interrupted, resumed, later and repaired exports, their plans, and their output and files.
#![cfg(all(unix, feature = "tables"))]

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use parquet::file::reader::{FileReader, SerializedFileReader};
use serde_json::Value;

use crate::common::{RunningSandbox, control, vitalwire};

/// Starts a sandbox and writes the file of its users.
pub(crate) fn start(people: usize, folder: &Path) -> RunningSandbox {
    let sandbox = start_at("127.0.0.1:0", "2025-11-21", people);
    let users: Vec<String> =
        (1..=people).map(|number| format!("person-{number},{},APPLICATION_KEY", sandbox.ready["application_id"])).collect();
    fs::write(folder.join("users.csv"), format!("\u{feff}user,application_id,key_env\n{}\n", users.join("\n"))).expect("a file");
    sandbox
}

/// Starts a sandbox at an address. Its clock stands at noon of a day.
fn start_at(address: &str, today: &str, people: usize) -> RunningSandbox {
    RunningSandbox::start(&["--bind", address, "--seed", "7", "--today", today, "--people", &people.to_string()])
}

/// Returns the address of a sandbox.
fn address(sandbox: &RunningSandbox) -> String {
    sandbox.field("base_url").trim_start_matches("http://").to_owned()
}

/// Writes a file of users with their access tokens, and returns the tokens.
pub(crate) fn write_tokens(sandbox: &RunningSandbox, folder: &Path, people: usize) -> Vec<String> {
    let token = |number: usize| {
        let output = run(sandbox, folder, &format!("token {} person-{number} --key-env APPLICATION_KEY", sandbox.ready["application_id"]));
        String::from_utf8(output.stdout).expect("UTF-8").trim().to_owned()
    };
    let tokens: Vec<String> = (1..=people).map(token).collect();
    let lines: String = tokens.iter().enumerate().map(|(at, token)| format!("person-{},{token}\n", at + 1)).collect();
    fs::write(folder.join("users.csv"), format!("user,token\n{lines}")).expect("a file");
    tokens
}

/// Returns the number of requests that a sandbox has received.
pub(crate) fn requests(sandbox: &RunningSandbox) -> u64 {
    control(sandbox, "GET", "/requests", "").1["last"].as_u64().expect("a number")
}

/// Runs a command that must succeed, and returns its output.
pub(crate) fn succeed(sandbox: &RunningSandbox, folder: &Path, arguments: &str) -> String {
    let output = run(sandbox, folder, arguments);
    assert!(output.status.success(), "{arguments}: {output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Runs a command with a limit on the size of files, like a full disk.
pub(crate) fn limited(sandbox: &RunningSandbox, folder: &Path, arguments: &str) -> Output {
    let mut shell = Command::new("sh");
    for (name, value) in command(sandbox, folder, "").get_envs().filter_map(|(name, value)| Some((name, value?))) {
        shell.env(name, value);
    }
    let script = format!("ulimit -f 2; trap '' XFSZ; exec {} {arguments}", env!("CARGO_BIN_EXE_vitalwire"));
    shell.args(["-c", &script]).current_dir(folder).output().expect("it starts")
}

/// Runs a command that must fail with an exit code, and returns its error text.
pub(crate) fn fail(sandbox: &RunningSandbox, folder: &Path, arguments: &str, code: i32) -> String {
    let output = run(sandbox, folder, arguments);
    assert_eq!(output.status.code(), Some(code), "{arguments}: {output:?}");
    String::from_utf8(output.stderr).expect("UTF-8")
}

pub(crate) fn command(sandbox: &RunningSandbox, folder: &Path, arguments: &str) -> Command {
    let mut command = vitalwire();
    command.args(arguments.split_whitespace()).current_dir(folder);
    command.env("VITALWIRE_BASE_URL", sandbox.field("base_url")).env("APPLICATION_KEY", sandbox.field("application_key"));
    command
}

pub(crate) fn run(sandbox: &RunningSandbox, folder: &Path, arguments: &str) -> Output {
    command(sandbox, folder, arguments).output().expect("it starts")
}

/// Returns all rows of all files as text. Fails on a duplicate row.
fn rows(folder: &Path) -> BTreeSet<String> {
    let mut rows = BTreeSet::new();
    for file in all_files(folder).iter().filter(|path| is_part(path)) {
        let reader = SerializedFileReader::new(File::open(file).expect("a file")).expect("a Parquet file");
        for row in reader.get_row_iter(None).expect("rows") {
            assert!(rows.insert(row.expect("a row").to_string()), "{file} has a duplicate row");
        }
    }
    rows
}

/// Whether readers take a file for a part of a table: they ignore hidden files.
fn is_part(path: &str) -> bool {
    path.ends_with(".parquet") && !path.contains("/failures/")
}

/// Returns the paths of all files below a folder.
pub(crate) fn all_files(folder: &Path) -> Vec<String> {
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
    assert_eq!(second["tables"]["daily"], serde_json::json!({ "added": 30, "changed": 0, "removed": 0 }));
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
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 table of a user: authentication"), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("`vitalwire cohort failures data` lists the failures"), "{output:?}");
    let failures: Value = serde_json::from_str(&succeed(&sandbox, folder.path(), "cohort failures data --format json")).expect("JSON");
    assert_eq!((&failures[0]["user"], &failures[0]["status"], &failures[1]), (&"stranger".into(), &401.into(), &Value::Null));
    assert!(succeed(&sandbox, folder.path(), "cohort failures data").starts_with("1 failure in data "));
    let file = File::open(folder.path().join("data/failures/failures.parquet")).expect("the failures");
    let failure = SerializedFileReader::new(file).expect("a Parquet file").get_row_iter(None).expect("rows").next().expect("a row");
    assert!(failure.expect("a row").to_string().contains("stranger"));
    // Days of failed requests are days without data.
    let output = run(&sandbox, folder.path(), "cohort coverage data --fail-without-data-for 2 --format json");
    assert_eq!(output.status.code(), Some(22), "{output:?}");
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("1 of 4 tables of users has no data in the last 2 requested days"),
        "{output:?}"
    );
    let coverage: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let rows = coverage.as_array().expect("rows");
    let states = rows.iter().map(|row| row["days"]["2025-11-20"].as_str().expect("a state"));
    assert_eq!(states.collect::<Vec<_>>(), ["has_data", "has_data", "has_data", "failed"]);
    assert_eq!((&rows[0]["days_without_data"], &rows[3]["days_without_data"]), (&0.into(), &2.into()));
    let table = run(&sandbox, folder.path(), "cohort coverage data --fail-without-data-for 2");
    let marked = String::from_utf8(table.stdout).expect("UTF-8");
    assert_eq!(marked.matches("! 2").count(), 1, "{marked}");
    succeed(&sandbox, folder.path(), "cohort coverage data --fail-without-data-for 3");
    // A table that the dataset does not have is an error.
    let text = fail(&sandbox, folder.path(), "cohort coverage data --fail-without-data-for 2 --tables daily,labs", 10);
    assert!(text.contains("the dataset has no table labs"), "{text}");
    // The extension selects a format that this command does not support.
    fail(&sandbox, folder.path(), "cohort coverage data --output coverage.csv", 2);
    succeed(&sandbox, folder.path(), "cohort coverage data --output coverage.json");
    let written = fs::read(folder.path().join("coverage.json")).expect("a file");
    assert!(serde_json::from_slice::<Value>(&written).expect("JSON").is_array());
}

/// A closed output pipe ends the output, but does not hide the result.
#[test]
fn a_closed_pipe_does_not_change_the_exit_code() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = start(1, folder.path());
    let users = fs::read_to_string(folder.path().join("users.csv")).expect("the file");
    fs::write(folder.path().join("users.csv"), format!("{users}stranger,0,APPLICATION_KEY\n")).expect("a file");
    let into_closed_pipe = |arguments: &str| {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        command(&sandbox, folder.path(), arguments).stdout(writer).status().expect("it starts").code()
    };
    let export = "cohort export --users users.csv --tables daily --from 2025-11-19 --to 2025-11-20 --out data";
    assert_eq!(into_closed_pipe(export), Some(21));
    assert_eq!(into_closed_pipe("cohort coverage data --fail-without-data-for 2"), Some(22));
    assert_eq!(into_closed_pipe("cohort coverage data"), Some(0));
    let part = all_files(&folder.path().join("data")).into_iter().find(|file| is_part(file)).expect("a part");
    fs::remove_file(part).expect("it is removed");
    assert_eq!(into_closed_pipe("cohort verify data"), Some(1));
}

#[test]
fn output_and_files_contain_no_key_token_or_pseudonymised_id() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = start(2, folder.path());
    fs::write(folder.path().join("pseudonyms.key"), "canary-pseudonym-key").expect("a file");
    let line =
        "cohort export --users users.csv --tables daily --from 2025-11-19 --to 2025-11-20 --out data --pseudonym-key-file pseudonyms.key";
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

#[cfg(unix)]
#[test]
fn files_with_secrets_that_others_can_read_are_named() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = start(2, folder.path());
    write_tokens(&sandbox, folder.path(), 2);
    fs::write(folder.path().join("pseudonyms.key"), "canary-pseudonym-key").expect("a file");
    let chmod = |name: &str, mode| fs::set_permissions(folder.path().join(name), fs::Permissions::from_mode(mode)).expect("a file");
    let line = "cohort plan --users users.csv --tables daily --from 2025-11-19 --pseudonym-key-file pseudonyms.key";
    let warning = |kind: &str, name: &str| format!("warning: other users of this machine can read the {kind} {name}: run chmod 600 on it");
    let expected = [warning("file of users", "users.csv"), warning("key file", "pseudonyms.key")];
    for (mode, count) in [(0o644, 1), (0o640, 1), (0o600, 0)] {
        ["users.csv", "pseudonyms.key"].iter().for_each(|name| chmod(name, mode));
        let output = run(&sandbox, folder.path(), line);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{text}");
        assert!(expected.iter().all(|warning| text.matches(warning).count() == count), "{mode:o}: {text}");
    }
}

#[test]
fn pseudonyms_leave_out_record_ids_places_and_dishes() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = start(2, folder.path());
    fs::write(folder.path().join("pseudonyms.key"), "canary-pseudonym-key").expect("a file");
    let tables = "--users users.csv --tables nutrition,sleeps --from 2025-11-10 --to 2025-11-20";
    let parts = |name: &str| {
        let files = all_files(&folder.path().join(name));
        files.iter().filter(|path| is_part(path)).flat_map(|path| fs::read(path).expect("a file")).collect::<Vec<u8>>()
    };
    succeed(&sandbox, folder.path(), &format!("cohort export {tables} --out plain"));
    succeed(&sandbox, folder.path(), &format!("cohort export {tables} --out hidden --pseudonym-key-file pseudonyms.key"));
    succeed(
        &sandbox,
        folder.path(),
        &format!("cohort export {tables} --out kept --pseudonym-key-file pseudonyms.key --keep-places-and-text"),
    );
    let dish = b"Synthetic: an invented meal";
    let has = |name: &str, text: &[u8]| parts(name).windows(text.len()).any(|part| part == text);
    assert_eq!(["plain", "hidden", "kept"].map(|name| has(name, dish)), [true, false, true]);
    let id = sandbox.field("sleep_id");
    assert_eq!(["hidden", "kept"].map(|name| has(name, id.as_bytes())), [false, false]);
    let again = format!("cohort export {tables} --out hidden --resume --pseudonym-key-file pseudonyms.key --keep-places-and-text");
    let error = fail(&sandbox, folder.path(), &again, 10);
    assert!(error.contains("as in the first export"), "{error}");
}

#[test]
fn the_audit_log_states_each_export_and_stops_one_that_it_cannot_state() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = start(2, folder.path());
    let line = "cohort export --users users.csv --tables daily --from 2025-11-19 --to 2025-11-20 --out data --resume";
    let log = folder.path().join("audit.jsonl");
    fs::create_dir(&log).expect("a folder");
    let before = requests(&sandbox);
    let error = fail(&sandbox, folder.path(), &format!("{line} --audit-log audit.jsonl"), 1);
    assert!(error.contains("audit.jsonl: must be a regular file"), "{error}");
    assert_eq!(requests(&sandbox), before);
    assert!(!folder.path().join("data").exists());
    fs::remove_dir(&log).expect("an empty folder");
    succeed(&sandbox, folder.path(), &format!("{line} --audit-log audit.jsonl --audit-days 30"));
    let text = fs::read_to_string(&log).expect("a log");
    let lines: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 2, "{text}");
    assert_eq!(lines[0]["users"], serde_json::json!(["person-1", "person-2"]));
    assert_eq!((&lines[1]["result"], &lines[1]["tables"]["daily"]["added"]), (&"complete".into(), &4.into()));
    assert!(!text.contains(&sandbox.field("token")) && !text.contains(&sandbox.field("application_key")), "{text}");
    // A run that is killed has no end.
    let mut killed =
        command(&sandbox, folder.path(), &format!("{line} --refresh-from 2025-11-19 --audit-log audit.jsonl --per-second 0.1"));
    let mut killed = killed.stderr(std::process::Stdio::null()).stdout(std::process::Stdio::null()).spawn().expect("it starts");
    let end = std::time::Instant::now() + std::time::Duration::from_secs(30);
    while fs::read_to_string(&log).expect("a log").lines().count() < 3 {
        assert!(std::time::Instant::now() < end, "the run must write its start");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    killed.kill().expect("killed");
    killed.wait().expect("it ends");
    assert!(fs::read_to_string(&log).expect("a log").trim_end().lines().last().expect("a line").contains(r#""event":"start""#));
}

/// The table of the result would replace the log of the run, or the users.
#[test]
fn the_output_must_not_replace_the_audit_log_or_the_file_of_users() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = start(1, folder.path());
    let line = "cohort export --users users.csv --tables daily --from 2025-11-19 --to 2025-11-20 --out data --audit-log audit.jsonl --format json --force";
    let users = fs::read(folder.path().join("users.csv")).expect("a file");
    let before = requests(&sandbox);
    for (number, output) in (1..).zip(["audit.jsonl", "./audit.jsonl", "users.csv"]) {
        let error = fail(&sandbox, folder.path(), &format!("{line} --output {output}"), 1);
        assert!(error.contains("--output must not be an input file"), "{error}");
        let log = fs::read_to_string(folder.path().join("audit.jsonl")).expect("a log");
        assert!(log.lines().count() == 2 * number && log.trim_end().ends_with(r#""last_day":null}"#), "{log}");
    }
    assert_eq!(fs::read(folder.path().join("users.csv")).expect("a file"), users);
    assert_eq!(requests(&sandbox), before);
    assert!(!folder.path().join("data").exists());
}

/// Waits until a condition holds.
fn wait_until(what: &str, is_met: impl Fn() -> bool) {
    let end = std::time::Instant::now() + Duration::from_secs(60);
    while !is_met() {
        assert!(std::time::Instant::now() < end, "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_export_has_an_end_in_the_audit_log() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = start(12, folder.path());
    let log = || fs::read_to_string(folder.path().join("audit.jsonl")).unwrap_or_default();
    let data = folder.path().join("data");
    let line = "cohort export --users users.csv --tables sleeps --from 2025-10-01 --to 2025-10-31 --out data --resume --in-flight 1 --audit-log audit.jsonl";
    for (run, (signal, code)) in [("INT", 130), ("TERM", 143), ("HUP", 129)].into_iter().enumerate() {
        // A user has about 32 requests, so 200 requests are written before the end.
        let rate = if run == 0 { "--per-second 60" } else { "--per-second 0.1" };
        let mut export = command(&sandbox, folder.path(), &format!("{line} {rate}"));
        let mut export = export.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
        wait_until("the start must be in the log", || log().lines().count() == 2 * run + 1);
        if run == 0 {
            wait_until("rows must be written", || all_files(&data).iter().any(|path| is_part(path)));
            std::thread::sleep(Duration::from_millis(300));
        }
        assert!(Command::new("kill").args(["-s", signal, &export.id().to_string()]).status().expect("kill is there").success());
        assert_eq!(export.wait().expect("it ends").code(), Some(code));
        let lines: Vec<serde_json::Value> = log().lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert_eq!(lines.len(), 2 * run + 2, "{signal}");
        let [begin, end] = &lines[2 * run..] else { panic!("{lines:?}") };
        assert_eq!((&end["result"], &end["run"]), (&"interrupted".into(), &begin["run"]), "{end}");
        if run == 0 {
            let added = end["tables"]["sleeps"]["added"].as_u64();
            assert_eq!(added, Some(rows(&data).len() as u64), "{end}");
            assert!(added > Some(0), "{end}");
        }
    }
}

#[test]
fn a_run_that_fails_before_its_first_request_states_the_error_in_the_audit_log() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = start(2, folder.path());
    write_tokens(&sandbox, folder.path(), 2);
    let line = "cohort export --users users.csv --tables daily --from 2025-11-19 --to 2025-11-20 --out data --audit-log audit.jsonl";
    let output = command(&sandbox, folder.path(), line).env("VITALWIRE_BASE_URL", "http://127.0.0.1:1").output().expect("it starts");
    assert!(!output.status.success(), "{output:?}");
    let log = fs::read_to_string(folder.path().join("audit.jsonl")).expect("a log");
    let end: serde_json::Value = serde_json::from_str(log.lines().last().expect("a line")).expect("JSON");
    assert_eq!((&end["result"], &end["error"], &end["failures"]), (&"failed".into(), &"transport".into(), &0.into()), "{end}");
}

#[cfg(unix)]
#[test]
fn an_audit_log_that_others_can_read_or_change_is_named() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = start(1, folder.path());
    let line =
        "cohort export --users users.csv --tables daily --from 2025-11-19 --to 2025-11-20 --out data --resume --audit-log audit.jsonl";
    let log = folder.path().join("audit.jsonl");
    fs::write(&log, "").expect("a file");
    for (mode, access) in [(0o644, Some("read")), (0o640, Some("read")), (0o622, Some("change")), (0o620, Some("change")), (0o600, None)] {
        fs::set_permissions(&log, fs::Permissions::from_mode(mode)).expect("a file");
        let output = run(&sandbox, folder.path(), line);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{text}");
        let expected = |access| format!("warning: other users of this machine can {access} the audit log audit.jsonl: run chmod 600 on it");
        assert_eq!(text.contains("audit log"), access.is_some(), "{mode:o}: {text}");
        assert!(access.is_none_or(|access| text.contains(&expected(access))), "{mode:o}: {text}");
    }
}

#[test]
fn an_invalid_file_of_the_pseudonym_key_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = start(1, folder.path());
    fs::write(folder.path().join("short"), "key").expect("a file");
    let export = "--users users.csv --tables daily --from 2025-11-19 --to 2025-11-20";
    succeed(&sandbox, folder.path(), &format!("cohort export {export} --out data"));
    for command in [
        format!("cohort export {export} --out other"),
        format!("cohort plan {export}"),
        format!("cohort plan {export} --out data --resume"),
        "cohort remove data --user a".to_owned(),
    ] {
        for (file, reason) in
            [("nope", "the key file cannot be read; check its path and permissions"), ("short", "must be at least 16 bytes long")]
        {
            let error = fail(&sandbox, folder.path(), &format!("{command} --pseudonym-key-file {file}"), 10);
            assert!(error.contains(&format!("--pseudonym-key-file {file}: {reason}")) && !error.contains("hint:"), "{error}");
        }
    }
}

#[test]
fn an_export_on_a_full_disk_keeps_the_rows_and_can_be_resumed() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = start(2, folder.path());
    let line = "cohort export --users users.csv --tables daily --from 2025-11-01 --to 2025-11-10 --out data";
    assert!(run(&sandbox, folder.path(), line).status.success());
    let before = rows(&folder.path().join("data"));
    let line = "cohort export --users users.csv --tables daily --from 2025-11-01 --to 2025-11-20 --out data --resume";
    let output = limited(&sandbox, folder.path(), line);
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
    assert!(String::from_utf8_lossy(&second.stderr).contains("another program is writing to the folder"), "{second:?}");
    first.kill().expect("it runs");
    first.wait().expect("it ends");
}

/// Options of a small cohort with every table.
const ALL: &str = "--users users.csv --tables daily,hourly,labs,nutrition --from 2025-09-25";

/// The plan states the number of requests that the export sends.
#[test]
fn a_plan_counts_the_requests_of_the_export() {
    for has_tokens in [true, false] {
        let folder = tempfile::tempdir().expect("a folder");
        let sandbox = start(3, folder.path());
        if has_tokens {
            write_tokens(&sandbox, folder.path(), 3);
        }
        let planned = |options: &str| -> u64 {
            let plan = succeed(&sandbox, folder.path(), &format!("cohort plan {ALL} {options}"));
            let count = plan.split(" items, ").nth(1).and_then(|rest| rest.split(" request").next()).expect("a number");
            let parts = plan.split("requests: ").nth(1).and_then(|rest| rest.split(", without").next()).expect("a sum").replace('\n', " ");
            let parts = parts.split(" + ").map(|part| part.split_whitespace().next().and_then(|number| number.parse::<u64>().ok()));
            let sum: u64 = parts.map(|part| part.expect("a number")).sum();
            assert_eq!(count.parse(), Ok(sum), "{plan}");
            sum
        };
        let sent = |options: &str| {
            let before = requests(&sandbox);
            succeed(&sandbox, folder.path(), &format!("cohort export {ALL} --out data {options}"));
            requests(&sandbox) - before
        };
        let before = requests(&sandbox);
        let first = planned("--to 2025-11-18");
        assert_eq!(requests(&sandbox), before, "the plan of a first run sends no request");
        assert_eq!(sent("--to 2025-11-18"), first);
        // 3 users: daily 1 or 2 years, hourly, labs and nutrition; the clock; exchanges.
        assert!(first > 12, "{first}");
        assert_eq!(control(&sandbox, "POST", "/clock", r#"{"set":"2025-11-28T12:00:00Z"}"#).0, 200);
        let second = planned("--to 2025-11-30 --out data --resume");
        assert_eq!(sent("--to 2025-11-30 --resume"), second);
        // All days of a user who connects a provider are due.
        let before = control(&sandbox, "POST", "/clock", r#"{"set":"2025-11-29T12:00:00Z"}"#).0;
        let connect = r#"{"user_id":"person-2","provider_slug":"oura","state":"connected"}"#;
        assert_eq!((before, control(&sandbox, "POST", "/integrations", connect).0), (200, 200));
        let plan = succeed(&sandbox, folder.path(), &format!("cohort plan {ALL} --to 2025-11-28 --out data --resume --format json"));
        assert!(plan.contains("2025-09-25"), "{plan}");
        let third = planned("--to 2025-11-28 --out data --resume");
        assert_eq!(sent("--to 2025-11-28 --resume"), third);
        // Days that are requested again, and a removed user.
        succeed(&sandbox, folder.path(), "cohort remove data --user person-3");
        let fourth = planned("--to 2025-11-28 --out data --resume --refresh-from 2025-11-01 --lookback-days 0");
        assert_eq!(sent("--to 2025-11-28 --resume --refresh-from 2025-11-01 --lookback-days 0"), fourth);
        assert!(fourth < third, "{fourth} {third}");
    }
}

#[test]
fn a_study_that_ends_in_the_future_has_every_day_after_its_weekly_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let line =
        |out: &str| format!("cohort export --users users.csv --tables daily,sleeps,labs --from 2025-11-10 --to 2025-12-12 --out {out}");
    let sandbox = start(2, folder.path());
    let address = address(&sandbox);
    let first = succeed(&sandbox, folder.path(), &line("weekly"));
    assert!(first.contains("days after 2025-11-20 are not over at the service and are left out"), "{first}");
    drop(sandbox);
    for today in ["2025-11-28", "2025-12-05", "2025-12-13"] {
        let sandbox = start_at(&address, today, 2);
        succeed(&sandbox, folder.path(), &format!("{} --resume", line("weekly")));
    }
    let sandbox = start_at(&address, "2025-12-13", 2);
    let whole = succeed(&sandbox, folder.path(), &line("whole"));
    assert!(!whole.contains("not over"), "{whole}");
    let (weekly, expected) = (rows(&folder.path().join("weekly")), rows(&folder.path().join("whole")));
    assert_eq!(weekly.symmetric_difference(&expected).collect::<Vec<_>>(), Vec::<&String>::new());
    assert!(expected.len() > 2 * 33 * 2 - 8, "{}", expected.len());
}

/// Damages a file.
type Damage = fn(&Path);

#[test]
fn a_damaged_file_stops_a_later_run_and_a_repair_restores_its_rows() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = start(2, folder.path());
    let line = |out: &str| format!("cohort export --users users.csv --tables daily,sleeps --from 2025-10-20 --to 2025-11-20 --out {out}");
    succeed(&sandbox, folder.path(), &line("whole"));
    succeed(&sandbox, folder.path(), "cohort export --users users.csv --tables daily --from 2025-11-18 --to 2025-11-20 --out other");
    let expected = rows(&folder.path().join("whole"));
    let part = "table=daily/month=2025-11/part-00000.parquet";
    let damages: [(&str, Damage); 3] = [
        ("deleted", |path| fs::remove_file(path).expect("a file")),
        ("altered", |path| {
            let mut content = fs::read(path).expect("a file");
            content[700] ^= 1;
            fs::write(path, content).expect("a file");
        }),
        ("exchanged", |path| {
            let other = path.ancestors().nth(4).expect("a folder").join("other/table=daily/month=2025-11/part-00000.parquet");
            fs::copy(other, path).expect("a copy");
        }),
    ];
    for (out, damage) in damages {
        succeed(&sandbox, folder.path(), &line(out));
        damage(&folder.path().join(out).join(part));
        let refused = fail(&sandbox, folder.path(), &format!("{} --resume", line(out)), 10);
        assert!(refused.contains(part) && refused.contains("hint: run the export again with --repair"), "{refused}");
        let verified = run(&sandbox, folder.path(), &format!("cohort verify {out}"));
        assert_eq!(verified.status.code(), Some(1), "{verified:?}");
        assert!(String::from_utf8_lossy(&verified.stdout).contains(part), "{verified:?}");
        assert!(String::from_utf8_lossy(&verified.stderr).contains("--repair"), "{verified:?}");
        let repaired = succeed(&sandbox, folder.path(), &format!("{} --repair", line(out)));
        assert!(repaired.replace("\n ", "").contains("its days are due again"), "{repaired}");
        assert_eq!(rows(&folder.path().join(out)), expected, "{out}");
        succeed(&sandbox, folder.path(), &format!("cohort verify {out}"));
    }
    fail(&sandbox, folder.path(), &format!("{} --repair", line("nothing")), 10);
}

#[test]
fn a_dataset_is_not_continued_with_another_service() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = start(2, folder.path());
    let line = "cohort export --users users.csv --tables daily --from 2025-11-18 --to 2025-11-20 --out data";
    succeed(&sandbox, folder.path(), line);
    let first = sandbox.field("base_url");
    let other = start(2, folder.path());
    let refused = fail(&other, folder.path(), &format!("{line} --resume"), 10);
    assert!(refused.contains(&first) && refused.contains(&other.field("base_url")), "{refused}");
    drop((sandbox, other));
    // A port of this machine can be that of another sandbox.
    let address = first.trim_start_matches("http://");
    let other = RunningSandbox::start(&["--bind", address, "--seed", "8", "--today", "2025-11-21", "--people", "2"]);
    let users = format!("user,application_id,key_env\nperson-1,{},APPLICATION_KEY\n", other.ready["application_id"]);
    fs::write(folder.path().join("users.csv"), users).expect("a file");
    let refused = fail(&other, folder.path(), &format!("{line} --resume"), 10);
    assert!(refused.contains("seed=7") && refused.contains("seed=8"), "{refused}");
    // Without --resume, nothing is requested.
    let before = requests(&other);
    let refused = fail(&other, folder.path(), line, 10);
    assert!(refused.contains("the folder already has a dataset") && refused.contains("--resume"), "{refused}");
    fs::create_dir(folder.path().join("photos")).expect("a folder");
    fs::write(folder.path().join("photos/one.png"), "").expect("a file");
    let refused = fail(&other, folder.path(), &line.replace("--out data", "--out photos"), 10);
    assert!(refused.contains("photos: the folder must be empty or new"), "{refused}");
    assert_eq!(requests(&other), before);
}

/// An interrupted run costs at most the requests that were not written.
#[test]
fn interruptions_cost_few_requests() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = start(8, folder.path());
    let line = "cohort export --users users.csv --tables sleeps --from 2025-08-15 --to 2025-11-20";
    succeed(&sandbox, folder.path(), &format!("{line} --out whole"));
    let needed = requests(&sandbox);
    let killed = format!("{line} --per-second 60 --out killed --resume");
    let mut ends = 0;
    for _ in 0..2 {
        let mut export = command(&sandbox, folder.path(), &killed).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
        std::thread::sleep(Duration::from_secs(6));
        export.kill().expect("it can be killed");
        ends += usize::from(export.wait().expect("it ends").success());
    }
    assert_eq!(ends, 0, "an export ended before it was killed");
    // All users are listed, and the run is incomplete.
    let coverage = succeed(&sandbox, folder.path(), "cohort coverage killed");
    assert!((1..=8).all(|number| coverage.contains(&format!("person-{number}\n"))), "{coverage}");
    assert!(coverage.contains("the last run is incomplete"), "{coverage}");
    let verified = run(&sandbox, folder.path(), "cohort verify killed");
    assert!(verified.status.code() == Some(1) && String::from_utf8_lossy(&verified.stdout).contains("the last run is incomplete"));
    succeed(&sandbox, folder.path(), &killed.replace(" --per-second 60", ""));
    let sent = requests(&sandbox) - needed;
    assert_eq!(rows(&folder.path().join("killed")), rows(&folder.path().join("whole")));
    // 200 requests until a write, users in flight, and a token exchange and the information of each user.
    println!("{needed} requests are needed; {sent} were sent with two interruptions");
    assert!(sent <= needed + 2 * 260, "{sent} requests instead of {needed}");
}

#[test]
fn the_exit_code_states_why_nobody_could_be_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = start(2, folder.path());
    fs::write(folder.path().join("bad.csv"), "user,token\nperson-1,wrong-token-1\nperson-2,wrong-token-2\n").expect("a file");
    let rejected =
        fail(&sandbox, folder.path(), "cohort export --users bad.csv --tables daily --from 2025-11-18 --to 2025-11-20 --out a", 11);
    assert!(rejected.contains("the data of no user could be read: 2 tables of users: ") && rejected.contains("status 401"), "{rejected}");
    assert!(rejected.contains("vitalwire cohort failures a"), "{rejected}");
    let listed = succeed(&sandbox, folder.path(), "cohort failures a");
    assert!(listed.starts_with("2 failures in a ") && listed.contains("2 tables of users: authentication: "), "{listed}");
    let broken = RunningSandbox::start(&["--seed", "7", "--people", "2", "--fault", "status; status=503; times=1000"]);
    fs::write(folder.path().join("one.csv"), "user,token\nperson-1,some-token\n").expect("a file");
    let failed = fail(&broken, folder.path(), "cohort export --users one.csv --tables daily --from 2025-11-18 --to 2025-11-20 --out c", 13);
    assert!(failed.contains("status 503") && failed.contains("run the export again with --resume"), "{failed}");
    let unreachable = "--base-url http://127.0.0.1:1 cohort export --users bad.csv --tables daily --from 2025-11-18 --out b";
    fail(&sandbox, folder.path(), unreachable, 14);
}

#[test]
fn invalid_credentials_are_found_without_a_request() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = start(2, folder.path());
    let before = requests(&sandbox);
    let export = "export --tables daily --from 2025-11-18 --to 2025-11-20 --out data --users";
    let plan = "plan --tables daily --from 2025-11-18 --to 2025-11-20 --users";
    for (name, content, expected) in [
        (
            "unset.csv",
            "user,application_id,key_env\na,1,NOT_SET_KEY\n",
            "unset.csv, line 2: the environment variable with the key must be set",
        ),
        ("missing.csv", "user,application_id,key_file\na,1,nofile.key\n", "missing.csv, line 2: the key file cannot be read"),
        ("bearer.csv", "user,token\na,one\nb,Bearer two\n", "bearer.csv, line 3: the token must not begin with `Bearer `"),
        ("same.csv", "user,token\na,one\nb,one\n", "same.csv, line 3: the token must differ from the token of the user of line 2"),
    ] {
        fs::write(folder.path().join(name), content).expect("a file");
        for command in [export, plan] {
            let refused = fail(&sandbox, folder.path(), &format!("cohort {command} {name}"), 10);
            assert!(refused.contains(expected), "{refused}");
        }
    }
    let refused = fail(&sandbox, folder.path(), &format!("cohort {plan} nofile.csv"), 10);
    assert!(refused.contains("nofile.csv") && !refused.contains("already written"), "{refused}");
    let swapped = fail(&sandbox, folder.path(), "cohort plan --users users.csv --tables daily --from 2025-11-18 --to 2025-11-17", 10);
    assert!(swapped.contains("--to (2025-11-17) must not be before --from (2025-11-18)"), "{swapped}");
    assert_eq!(requests(&sandbox), before);
    // A token of another user is found with a request for each user.
    let tokens = write_tokens(&sandbox, folder.path(), 2);
    let swapped = format!("user,token\nperson-1,{}\nperson-2,{}\n", tokens[1], tokens[0]);
    fs::write(folder.path().join("swapped.csv"), swapped).expect("a file");
    let refused = fail(&sandbox, folder.path(), &format!("cohort {export} swapped.csv --check-users"), 10);
    assert!(refused.contains("2 users have the token of another user: person-1, person-2"), "{refused}");
    assert!(!folder.path().join("data").exists());
    succeed(&sandbox, folder.path(), &format!("cohort {export} users.csv --check-users"));
    let plan = succeed(&sandbox, folder.path(), "--sandbox --people 1 cohort plan --tables daily --from -3d");
    assert!(plan.contains("Plan for 1 user, ") && plan.contains("  1 item, "), "{plan}");
}

#[test]
fn a_removed_user_stays_out_of_later_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let sandbox = start(2, folder.path());
    fs::write(folder.path().join("pseudonyms.key"), "a-key-of-at-least-16-bytes").expect("a file");
    for (out, key) in [("plain", ""), ("pseudonyms", "--pseudonym-key-file pseudonyms.key")] {
        let line = |to: &str| {
            format!("cohort export --users users.csv --tables daily,labs --from 2025-11-01 --to 2025-11-{to} --out {out} --resume {key}")
        };
        succeed(&sandbox, folder.path(), &line("10"));
        let removed = succeed(&sandbox, folder.path(), &format!("cohort remove {out} --user person-1 {key} --format json"));
        let removed: Value = serde_json::from_str(&removed).expect("JSON");
        assert_eq!((&removed["rows"]["daily"], removed["sha256"].as_str().map(str::len)), (&10.into(), Some(64)));
        // A removal can be repeated after an interruption. It finds nothing more.
        succeed(&sandbox, folder.path(), &format!("cohort remove {out} --user person-1 {key}"));
        let later = succeed(&sandbox, folder.path(), &line("20"));
        assert!(later.contains("1 user is left out, because the rows were removed"), "{later}");
        let texts = rows(&folder.path().join(out));
        assert!(texts.len() >= 20 && texts.iter().all(|row| !row.contains("person-1\"")), "{}", texts.len());
        let days = texts.iter().filter(|row| row.contains("steps")).count();
        assert_eq!(days, 20);
        succeed(&sandbox, folder.path(), &format!("cohort verify {out}"));
    }
}

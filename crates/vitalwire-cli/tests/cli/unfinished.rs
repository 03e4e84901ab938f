//! Ranges that are written to a file: parts are kept when the program ends, and completed later.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

use crate::common::RunningSandbox;
#[cfg(unix)]
use crate::common::vitalwire;
use crate::scripted::{Reply, Request, ScriptedServer};

const QUARTER: [&str; 12] =
    ["stats", "daily", "--types", "steps", "--from", "2025-01-01", "--to", "2025-03-31", "--split-days", "30", "--concurrency", "1"];

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").file_name().into_string().expect("text"));
    let mut names: Vec<String> = entries.collect();
    names.sort();
    names
}

/// A service with one bucket per part. It fails at one part of the quarter until `works` is set.
struct Service {
    server: ScriptedServer,
    works: Arc<AtomicBool>,
    folder: TempDir,
}

fn value<'a>(request: &'a Request, name: &str) -> Option<&'a str> {
    request.line.split(['?', '&', ' ']).find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))
}

impl Service {
    /// Creates a service for this user that fails at the part beginning with `fails_at`.
    fn for_user(user: &'static str, fails_at: &'static str) -> Self {
        let works = Arc::new(AtomicBool::new(false));
        let now = works.clone();
        let server = ScriptedServer::start(move |_, request| match (value(request, "from_date"), value(request, "to_date")) {
            (Some(from), _) if from == fails_at && !now.load(Ordering::Relaxed) => Reply::problem(503, "{}"),
            (Some(from), Some(to)) => Reply::json(format!(
                r#"{{"from_date":"{from}","to_date":"{to}","statistics":[{{"date":"{from}","values":{{"steps":1.50}}}}]}}"#
            )),
            _ => Reply::json(format!(r#"{{"uid":"{user}"}}"#)),
        });
        Self { server, works, folder: tempfile::tempdir().expect("a folder") }
    }

    fn new() -> Self {
        Self::for_user("u-1", "2025-03-02")
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn run(&self, name: &str, arguments: &[&str]) -> Output {
        self.server.command(arguments).arg("--output").arg(self.path(name)).output().expect("it starts")
    }

    /// Runs a command that fails after two of three parts.
    fn run_unfinished(&self, name: &str, more: &[&str]) -> Output {
        let output = self.run(name, &[&QUARTER[..], more].concat());
        assert_eq!(output.status.code(), Some(13), "{output:?}");
        output
    }

    /// Completes the parts of an unfinished output without its file, as if the program was killed before the last step. Returns the parts.
    fn read_all_parts(&self, name: &str, arguments: &[&str]) -> Vec<u8> {
        fs::remove_file(self.path(name)).expect("removed");
        let part = self.path(&format!("{name}.part"));
        // A hard link keeps the content when the program removes the file.
        let kept = self.path("kept");
        fs::hard_link(&part, &kept).expect("a link");
        assert!(self.run(name, arguments).status.success());
        fs::rename(kept, &part).expect("renamed");
        fs::read(part).expect("a file")
    }

    fn requests_for_parts(&self) -> usize {
        self.server.requests().iter().filter(|request| value(request, "from_date").is_some()).count()
    }
}

#[cfg(feature = "tables")]
const FORMATS: [&str; 4] = ["csv", "json", "arrow", "parquet"];
#[cfg(not(feature = "tables"))]
const FORMATS: [&str; 2] = ["table", "json"];

#[test]
fn a_failure_keeps_the_parts_and_resume_completes_them() {
    for format in FORMATS {
        let service = Service::new();
        let name = format!("range.{format}");
        let output = service.run_unfinished(&name, &["--format", format]);
        let part = format!("{name}.part");
        assert_eq!(names(service.folder.path()), std::slice::from_ref(&part));
        let stderr = text(&output.stderr);
        assert!(
            stderr.contains("hint: 2 of 3 parts are kept in ") && stderr.contains("--resume` reads the rest and writes the file"),
            "{stderr}"
        );
        // Without --resume the parts would be lost, also with --force.
        for more in [&[][..], &["--force"]] {
            let before = service.server.requests().len();
            let rejected = service.run(&name, &[&QUARTER[..], &["--format", format], more].concat());
            assert_eq!(rejected.status.code(), Some(1), "{rejected:?}");
            let stderr = text(&rejected.stderr);
            assert!(
                stderr.contains(&part) && stderr.contains("has 2 of 3 parts of an earlier run\nhint: continue it with --resume"),
                "{stderr}"
            );
            assert_eq!(service.server.requests().len(), before, "nothing is sent");
        }
        service.works.store(true, Ordering::Relaxed);
        let before = service.requests_for_parts();
        let done = service.run(&name, &[&QUARTER[..], &["--format", format, "--resume"]].concat());
        assert!(done.status.success() && done.stderr.is_empty(), "{done:?}");
        assert_eq!(service.requests_for_parts() - before, 1, "only the missing part is requested");
        assert!(service.run("whole", &[&QUARTER[..], &["--format", format]].concat()).status.success());
        assert_eq!(names(service.folder.path()), [name.clone(), "whole".to_owned()]);
        assert!(fs::read(service.path(&name)).expect("a file") == fs::read(service.path("whole")).expect("a file"), "{format}");
        // The bytes equal those on stdout, where no part is stored.
        let piped = service.server.command(&[&QUARTER[..], &["--format", format]].concat()).output().expect("it starts");
        assert!(piped.stdout == fs::read(service.path("whole")).expect("a file"), "{format}");
    }
}

#[test]
fn the_printed_token_completes_the_file_without_the_range() {
    let service = Service::new();
    service.run_unfinished("d", &["--format", "json"]);
    let last = fs::read_to_string(service.path("d.part")).expect("a file").lines().last().map(str::to_owned).expect("a line");
    let token = serde_json::from_str::<Value>(&last).expect("JSON")["left"].as_str().expect("a token").to_owned();
    let short = ["stats", "daily", "--types", "steps", "--format", "json", "--resume"];
    let other = service.run("d", &[&short[..], &[&token.replace("/2/", "/1-2/")]].concat());
    assert!(other.status.code() == Some(1) && text(&other.stderr).contains("its resume token differs"), "{other:?}");
    service.works.store(true, Ordering::Relaxed);
    assert!(service.run("d", &[&short[..], &[&token]].concat()).status.success());
    service.works.store(false, Ordering::Relaxed);
    service.run_unfinished("e", &["--format", "json"]);
    service.works.store(true, Ordering::Relaxed);
    assert!(service.run("e", &short).status.success());
    assert_eq!(fs::read(service.path("d")).expect("a file"), fs::read(service.path("e")).expect("a file"));
}

#[test]
fn only_the_same_command_completes_an_unfinished_file() {
    let service = Service::new();
    service.run_unfinished("d", &["--format", "json"]);
    let stored = fs::read(service.path("d.part")).expect("a file");
    let daily = ["stats", "daily", "--resume", "--format"];
    let cases: &[(&[&str], &str)] = &[
        (&["json", "--types", "floors"], "its --types or other parameters differ"),
        (&["json", "--types", "steps", "--from", "2025-01-02"], "its range differs"),
        (&["json", "--types", "steps", "--from", "-90d"], "its range differs"),
        (&["json", "--types", "steps", "--to=yesterday"], "its range differs"),
        (&["json", "--types", "steps", "--split-days", "10"], "its number of days per part differs"),
        #[cfg(feature = "tables")]
        (&["csv", "--types", "steps"], "its format differs"),
        (&["table", "--types", "steps"], "its format differs"),
    ];
    let cases = cases.iter().map(|(more, reason)| ([&daily[..], more].concat(), *reason));
    for (arguments, reason) in cases.chain([(vec!["nutrition", "list", "--resume", "--format", "json"], "its operation differs")]) {
        let before = service.requests_for_parts();
        let output = service.run("d", &arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {output:?}");
        let stderr = text(&output.stderr);
        assert!(stderr.contains(&format!("d.part was written by another command: {reason}\n")), "{arguments:?}: {stderr}");
        // The hint is the command of the first run, not the one that failed.
        let first =
            format!("`vitalwire {} --format json --output {} --resume` completes it", QUARTER.join(" "), service.path("d").display());
        assert!(stderr.contains(&format!("\nhint: {first}; or name another file with --output\n")), "{arguments:?}: {stderr}");
        assert_eq!(service.requests_for_parts(), before);
    }
    assert!(fs::read(service.path("d.part")).expect("a file") == stored, "the file is unchanged");

    let other = Service::for_user("u-1", "never");
    fs::copy(service.path("d.part"), other.path("d.part")).expect("a copy");
    let output = other.run("d", &[&QUARTER[..], &["--format", "json", "--resume"]].concat());
    assert!(
        output.status.code() == Some(1)
            && text(&output.stderr).contains("d.part cannot be continued: its service differs\nhint: use the base URL")
    );
    assert_eq!(other.requests_for_parts(), 0);
}

/// Starts a run as one user, and resumes it as another. Both runs use the same service, whose user information is `first`, then `second`.
/// Returns whether the parts were combined.
fn combines(first: (&'static str, &str), second: (&'static str, &str)) -> bool {
    let works = Arc::new(AtomicBool::new(false));
    let now = works.clone();
    let server = ScriptedServer::start(move |_, request| {
        let works = now.load(Ordering::Relaxed);
        let user = if works { second.0 } else { first.0 };
        match (value(request, "from_date"), user.parse()) {
            (Some("2025-03-02"), _) if !works => Reply::problem(503, "{}"),
            (Some(from), _) => Reply::json(format!(r#"{{"from_date":"{from}","to_date":"{from}","statistics":[]}}"#)),
            (None, Ok(status)) => Reply::problem(status, "{}"),
            (None, Err(_)) => Reply::json(user),
        }
    });
    let folder = tempfile::tempdir().expect("a folder");
    let run = |token: &str, more: &[&str]| {
        let mut command = server.command(&[&QUARTER[..], &["--format", "json", "--output"]].concat());
        command.arg(folder.path().join("d")).args(more).env("VITALWIRE_TOKEN", token).output().expect("it starts")
    };
    let stopped = run(first.1, &[]);
    assert_eq!(stopped.status.code(), Some(13), "{stopped:?}");
    let stored = fs::read_to_string(folder.path().join("d.part")).expect("a file");
    assert!(!stored.contains(first.1) && !stored.contains("u-1"), "neither the token nor the user's id is stored");
    works.store(true, Ordering::Relaxed);
    let before = server.requests().len();
    let resumed = run(second.1, &["--resume"]);
    if resumed.status.success() {
        return true;
    }
    let stderr = text(&resumed.stderr);
    assert_eq!(resumed.status.code(), Some(1), "{stderr}");
    assert!(stderr.contains("d.part cannot be continued: its user differs\nhint: use a token of the first run's user"), "{stderr}");
    assert_eq!(server.requests().len(), before + 1, "only the user is requested");
    false
}

#[test]
fn parts_of_two_users_are_not_combined() {
    let jwt = |payload: &str| format!("e30.{}.c2ln", base64::Engine::encode(&base64::engine::general_purpose::URL_SAFE_NO_PAD, payload));
    let (a, a_later) = (jwt(r#"{"iss":"1","sub":"a","iat":1}"#), jwt(r#"{"iss":"1","sub":"a","iat":2}"#));
    let (b, a_elsewhere) = (jwt(r#"{"iss":"1","sub":"b","iat":1}"#), jwt(r#"{"iss":"2","sub":"a","iat":1}"#));
    // If the service states an id, a new token continues the run.
    for user in [r#"{"uid":"u-1"}"#, r#"{"application_user_id":"u-1"}"#, r#"{"application_user_id":"u-1","application_id":1}"#] {
        assert!(combines((user, "tok-a"), (user, "tok-b")), "{user}");
        let other = user.replace("u-1", "u-2").leak();
        assert!(!combines((user, "tok-a"), (other, "tok-a")), "{user}");
    }
    // An empty id names nobody.
    for (first, second) in [
        (r#"{"uid":"","application_user_id":"u-1"}"#, r#"{"uid":"","application_user_id":"u-2"}"#),
        (r#"{"uid":" ","application_user_id":""}"#, r#"{"uid":" ","application_user_id":""}"#),
    ] {
        assert!(!combines((first, "tok-a"), (second, "tok-b")), "{first}");
    }
    let same_id = [r#"{"application_user_id":"u-1","application_id":1}"#, r#"{"application_user_id":"u-1","application_id":2}"#];
    assert!(!combines((same_id[0], "tok-a"), (same_id[1], "tok-a")), "an id is unique within an application");
    assert!(!combines((r#"{"uid":"u-1"}"#, "tok-a"), ("403", "tok-a")));
    // Without an id, the token decides.
    for user in [r#"{"created_at":"2024-01-01T00:00:00Z"}"#, "403", "404"] {
        assert!(combines((user, "tok-a"), (user, "tok-a")), "{user}");
        assert!(!combines((user, "tok-a"), (user, "tok-b")), "{user}");
        assert!(combines((user, &a), (user, &a_later)), "{user}");
        for other in [&b, &a_elsewhere, "tok-a"] {
            assert!(!combines((user, &a), (user, other)), "{user}");
        }
    }
}

/// Another user could read the parts that are appended to the file. Only root can give a file away.
#[cfg(unix)]
#[test]
fn an_unfinished_output_of_another_user_is_rejected() {
    let service = Service::new();
    service.run_unfinished("d", &["--format", "json"]);
    let (part, stored) = (service.path("d.part"), fs::read(service.path("d.part")).expect("a file"));
    if std::os::unix::fs::chown(&part, Some(65_533), None).is_err() {
        return;
    }
    service.works.store(true, Ordering::Relaxed);
    let before = service.server.requests().len();
    for more in [&["--format", "json"][..], &["--format", "json", "--resume"], &["--format", "json", "--force"]] {
        let output = service.run("d", &[&QUARTER[..], more].concat());
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(text(&output.stderr).contains("d.part must not belong to another user\nhint: name another file"), "{output:?}");
    }
    assert_eq!(service.server.requests().len(), before, "nothing is sent");
    assert!(fs::read(&part).expect("a file") == stored && !service.path("d").exists());
}

/// A part with a changed byte is requested again, with all parts after it.
#[test]
fn a_changed_part_is_requested_again() {
    let service = Service::new();
    service.run_unfinished("d", &["--format", "json"]);
    let stored = fs::read_to_string(service.path("d.part")).expect("a file");
    service.works.store(true, Ordering::Relaxed);
    assert!(service.run("whole", &[&QUARTER[..], &["--format", "json"]].concat()).status.success());
    let whole = fs::read(service.path("whole")).expect("a file");
    let [head, first, second] = stored.split_inclusive('\n').collect::<Vec<_>>().try_into().expect("three lines");
    let resume = || {
        let before = service.requests_for_parts();
        let output = service.run("d", &[&QUARTER[..], &["--format", "json", "--resume"]].concat());
        (output, service.requests_for_parts() - before)
    };
    for (damaged, requests) in [
        (stored.replacen("1.50", "7.50", 1), 3),
        (format!("{head}{first}{}", second.replace("1.50", "1.51")), 2),
        (format!("{head}{}{second}", first.replace("2025-01-01", "2025-01-02")), 3),
        // Lines that were exchanged or are missing.
        (format!("{head}{second}{first}"), 3),
        (format!("{head}{second}"), 3),
        (format!("{head}{first}{first}{second}"), 2),
    ] {
        fs::write(service.path("d.part"), damaged).expect("a file");
        let (output, requested) = resume();
        assert!(output.status.success(), "{output:?}");
        assert_eq!(requested, requests);
        assert!(fs::read(service.path("d")).expect("a file") == whole);
        fs::remove_file(service.path("d")).expect("removed");
    }
    for (from, to) in [("\"format\":\"json\"", "\"format\":\"jsom\""), ("/2025-03-31/", "/2025-03-30/")] {
        assert!(head.contains(from), "{head}");
        fs::write(service.path("d.part"), stored.replacen(from, to, 1)).expect("a file");
        let (output, requested) = resume();
        let stderr = text(&output.stderr);
        assert!(stderr.contains("d.part is damaged\nhint: remove it to read everything again, or name another file"), "{stderr}");
        assert_eq!((output.status.code(), requested), (Some(1), 0));
    }
}

/// `until vitalwire … --resume; do :; done` ends, whenever the program was killed.
#[test]
fn a_complete_file_is_a_success() {
    let service = Service::new();
    let all = [&QUARTER[..], &["--format", "json", "--resume"]].concat();
    let note = format!("vitalwire: note: there is no unfinished output of {}; the whole range is requested\n", service.path("d").display());
    // Before the first part.
    let stopped = service.run("d", &all);
    assert!(stopped.status.code() == Some(13) && text(&stopped.stderr).starts_with(&note), "{stopped:?}");
    let stored = fs::read(service.path("d.part")).expect("a file");
    service.works.store(true, Ordering::Relaxed);
    let done = service.run("d", &all);
    assert!(done.status.success() && done.stderr.is_empty(), "{done:?}");
    let whole = fs::read(service.path("d")).expect("a file");
    // After the last step.
    let before = service.server.requests().len();
    let again = service.run("d", &all);
    assert!(again.status.success() && again.stdout.is_empty(), "{again:?}");
    assert_eq!(
        text(&again.stderr),
        format!("vitalwire: note: {} exists and has no unfinished parts, so nothing was requested\n", service.path("d").display())
    );
    assert_eq!(service.server.requests().len(), before, "nothing is sent");
    // Between the rename of the file and the removal of its parts.
    fs::remove_file(service.path("d")).expect("removed");
    fs::write(service.path("d.part"), &stored).expect("a file");
    fs::write(service.path("d"), "theirs").expect("a file");
    let rejected = service.run("d", &all);
    assert!(text(&rejected.stderr).contains("the file of --output exists already: "), "{rejected:?}");
    let part = service.read_all_parts("d", &all);
    fs::write(service.path("d"), "theirs").expect("a file");
    assert_eq!(service.run("d", &all).status.code(), Some(1), "another file is not replaced");
    assert_eq!(fs::read(service.path("d")).expect("a file"), b"theirs");
    fs::write(service.path("d"), &whole).expect("a file");
    assert_eq!(fs::read(service.path("d.part")).expect("a file"), part);
    let before = service.requests_for_parts();
    let ended = service.run("d", &all);
    assert!(ended.status.success() && ended.stderr.is_empty(), "{ended:?}");
    assert_eq!((service.requests_for_parts(), names(service.folder.path())), (before, vec!["d".to_owned()]));
    assert!(fs::read(service.path("d")).expect("a file") == whole);
    // With --force, an old file is not mistaken for the complete one.
    let forced = service.run("d", &[&all[..], &["--force"]].concat());
    assert!(forced.status.success() && service.requests_for_parts() == before + 3, "{forced:?}");
}

/// The name of the unfinished output is checked before a request is sent.
#[cfg(unix)]
#[test]
fn an_unfinished_output_that_cannot_be_created_is_rejected() {
    let service = Service::new();
    let long = "n".repeat(252);
    std::os::unix::fs::symlink("none", service.path("d.part")).expect("a link");
    std::os::unix::fs::symlink("/dev/zero", service.path("e.part")).expect("a link");
    fs::write(service.path("kept"), "").expect("a file");
    std::os::unix::fs::symlink("kept", service.path("f.part")).expect("a link");
    assert!(std::process::Command::new("mkfifo").arg(service.path("g.part")).status().expect("it starts").success());
    for (name, error) in [
        ("d", "a link to a missing file cannot be written: "),
        (long.as_str(), "cannot be written: "),
        ("e", "must be a regular file"),
        ("f", "must be a regular file"),
        ("g", "must be a regular file"),
    ] {
        for more in [&[][..], &["--force"], &["--resume"]] {
            let output = service.run(name, &[&QUARTER[..], more].concat());
            let stderr = text(&output.stderr);
            assert!(output.status.code() == Some(1) && stderr.contains(error) && stderr.contains(&format!("{name}.part")), "{stderr}");
            assert!(!stderr.contains("omit --resume"), "{stderr}");
        }
    }
    assert!(service.server.requests().is_empty());
}

#[test]
fn other_files_are_not_used_as_unfinished_outputs() {
    let service = Service::new();
    let resume = [&QUARTER[..], &["--resume"]].concat();
    let stderr = |arguments: &[&str], part: &str| {
        let before = service.server.requests().len();
        let output = service.run("d", arguments);
        assert_eq!((output.status.code(), service.server.requests().len()), (Some(1), before), "{output:?}");
        assert!(text(&output.stderr).contains(part), "{output:?}");
    };
    stderr(&["stats", "daily", "--resume"], "there is no unfinished output");
    for version in ["{\"vitalwire_part\":1,\"format\":\"json\",\"user\":\"u-1\",\"all\":\"vwr1\"}\n", "{\"vitalwire_part\":3}\n"] {
        fs::write(service.path("d.part"), version).expect("a file");
        stderr(&resume, "d.part was written by another version of this program\nhint: remove it to read everything again");
        stderr(&QUARTER, "d.part was written by another version of this program");
        assert_eq!(fs::read_to_string(service.path("d.part")).expect("a file"), version);
    }
    for letter in ["", "Dear Jane,", "Dear Jane,\n", "{\"all\":\"vwr1\"}\n"] {
        fs::write(service.path("d.part"), letter).expect("a file");
        stderr(&resume, "d.part is not an unfinished output of this program");
        stderr(&QUARTER, "d.part is not an unfinished output of this program");
        assert_eq!(fs::read_to_string(service.path("d.part")).expect("a file"), letter);
    }
    // A sparse file of a terabyte is not read into memory.
    fs::File::create(service.path("d.part")).and_then(|file| file.set_len(1 << 40)).expect("a file");
    stderr(&resume, "d.part is not an unfinished output of this program");
    fs::remove_file(service.path("d.part")).expect("removed");
    // Without a file, the token is unknown.
    let output = service.server.command(&resume).output().expect("it starts");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

/// All parts were read, but the output could not be written. The parts are not requested again.
#[test]
fn a_failed_output_is_written_by_the_next_run() {
    let service = Service::new();
    service.run_unfinished("d", &["--format", "json"]);
    service.works.store(true, Ordering::Relaxed);
    let resume = [&QUARTER[..], &["--format", "json", "--resume"]].concat();
    // The output file is created while the last part is read.
    let path = service.path("d");
    let works = service.works.clone();
    let server = &service.server;
    let rejected = std::thread::scope(|scope| {
        let before = server.requests().len();
        scope.spawn(move || {
            while server.requests().len() == before {
                std::thread::sleep(Duration::from_millis(1));
            }
            fs::write(path, "theirs").expect("a file");
            works.store(true, Ordering::Relaxed);
        });
        service.works.store(false, Ordering::Relaxed);
        let mut command = server.command(&resume);
        command.env("VITALWIRE_MAX_RETRIES", "9").arg("--output").arg(service.path("d")).output().expect("it starts")
    });
    assert_eq!(rejected.status.code(), Some(1), "{rejected:?}");
    let stderr = text(&rejected.stderr);
    assert!(
        stderr.contains("the file of --output exists already: ")
            && stderr.contains("/d\nhint: 3 of 3 parts are kept in ")
            && stderr.contains("` writes the file\n"),
        "{stderr}"
    );
    let before = service.requests_for_parts();
    let other = service.run("d", &["stats", "daily", "--types", "floors", "--format", "json", "--resume", "--force"]);
    assert!(other.status.code() == Some(1) && text(&other.stderr).contains("other parameters differ"), "{other:?}");
    let rejected = service.run("d", &resume);
    assert!(text(&rejected.stderr).contains("exists already"), "{rejected:?}");
    assert_eq!(fs::read(service.path("d")).expect("a file"), b"theirs");
    assert!(service.run("d", &[&resume[..], &["--force"]].concat()).status.success());
    assert_eq!(service.requests_for_parts(), before);
    assert!(fs::read(service.path("d")).expect("a file").starts_with(b"{") && names(service.folder.path()) == ["d"]);
}

/// Simulates a full disk: files are limited to two blocks. The ignored signal turns a larger write into an error.
#[cfg(unix)]
#[test]
fn a_full_disk_keeps_the_parts_that_fit() {
    let service = Service::for_user("u-1", "never");
    let limited = |name: &str, limit: &str| {
        let mut shell = Command::new("sh");
        let script = format!("trap '' XFSZ; ulimit -f {limit}; exec \"$0\" \"$@\"");
        shell.args(["-c", &script, env!("CARGO_BIN_EXE_vitalwire")]).args(&QUARTER[..9]).args(["5", "--concurrency", "1"]);
        shell.args(["--format", "json", "--output"]).arg(service.path(name));
        for (name, value) in service.server.command(&[]).get_envs().filter_map(|(name, value)| Some((name, value?))) {
            shell.env(name, value);
        }
        shell.output().expect("it starts")
    };
    let output = limited("d", "2");
    let stderr = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(stderr.contains("d.part cannot be written: ") && stderr.contains(" of 18 parts are kept in "), "{stderr}");
    let before = service.requests_for_parts();
    let whole = [&QUARTER[..9], &["5", "--concurrency", "1", "--format", "json"]].concat();
    let done = service.run("d", &[&whole[..], &["--resume"]].concat());
    assert!(done.status.success() && service.requests_for_parts() - before < 18, "{done:?}");
    assert!(service.run("whole", &whole).status.success());
    assert!(fs::read(service.path("d")).expect("a file") == fs::read(service.path("whole")).expect("a file"));
    assert_eq!(names(service.folder.path()), ["d", "whole"]);
}

/// Every command with `--sandbox` has another port, and its options decide about the data.
#[cfg(unix)]
#[test]
fn parts_of_a_sandbox_belong_to_its_options() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("d");
    let run = |limit: &str, more: &[&str]| {
        let mut shell = Command::new("sh");
        let script = format!("trap '' XFSZ; ulimit -f {limit}; exec \"$0\" \"$@\"");
        shell.args(["-c", &script, env!("CARGO_BIN_EXE_vitalwire")]).args(["--sandbox", "--today", "2025-11-21"]);
        shell.args(&QUARTER[..9]).args(["5", "--concurrency", "1", "--format", "json", "--output"]).arg(&path).args(more);
        shell.envs(vitalwire().get_envs().filter_map(|(name, value)| Some((name, value?))));
        shell.output().expect("it starts")
    };
    let stopped = run("3", &["--missing", "0"]);
    assert!(text(&stopped.stderr).contains(" of 18 parts are kept in "), "{stopped:?}");
    for more in [&["--missing", "0.9", "--resume"][..], &["--resume"], &["--missing", "0", "--effects", "all", "--resume"]] {
        let rejected = run("unlimited", more);
        let stderr = text(&rejected.stderr);
        assert!(
            rejected.status.code() == Some(1) && stderr.contains("d.part cannot be continued: its service differs"),
            "{more:?}: {stderr}"
        );
    }
    let done = run("unlimited", &["--missing", "0", "--resume"]);
    assert!(done.status.success() && names(folder.path()) == ["d"], "{done:?}");
}

#[test]
fn a_run_without_a_part_leaves_no_file() {
    let service = Service::for_user("u-1", "2025-01-01");
    let output = service.run("d", &[&QUARTER[..], &["--format", "json"]].concat());
    assert_eq!(output.status.code(), Some(13), "{output:?}");
    assert!(!text(&output.stderr).contains("kept") && names(service.folder.path()).is_empty(), "{output:?}");
}

/// A killed program leaves an incomplete last line. Its part is requested again.
#[test]
fn an_incomplete_part_is_requested_again() {
    let service = Service::new();
    service.run_unfinished("d", &["--format", "json"]);
    let path = service.path("d.part");
    let stored = fs::read(&path).expect("a file");
    // The next run may be interrupted too.
    let mut damaged = stored.clone();
    damaged.resize(stored.len() - 20, 0);
    damaged.resize(stored.len() + 1_000, 0);
    fs::write(&path, damaged).expect("a file");
    let stopped = service.run("d", &[&QUARTER[..], &["--format", "json", "--resume"]].concat());
    assert!(stopped.status.code() == Some(13) && fs::read(&path).expect("a file") == stored, "{stopped:?}");
    let lines: Vec<usize> = stored.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1).collect();
    service.works.store(true, Ordering::Relaxed);
    assert!(service.run("whole", &[&QUARTER[..], &["--format", "json"]].concat()).status.success());
    // Cuts within the second part, before its line end, and with zeros as a file system leaves them.
    for (length, zeros, missing) in [(lines[1] + 1, 0, 2), (lines[2] - 1, 0, 2), (lines[1] + 5, 100, 2), (lines[0], 0, 3), (lines[2], 0, 1)]
    {
        let mut damaged = stored[..length].to_vec();
        damaged.resize(length + zeros, 0);
        fs::write(&path, damaged).expect("a file");
        let before = service.requests_for_parts();
        let done = service.run("d", &[&QUARTER[..], &["--format", "json", "--resume"]].concat());
        assert!(done.status.success(), "{done:?}");
        assert_eq!(service.requests_for_parts() - before, missing, "{length}");
        assert!(fs::read(service.path("d")).expect("a file") == fs::read(service.path("whole")).expect("a file"));
        fs::remove_file(service.path("d")).expect("removed");
    }
}

#[test]
fn a_part_that_cannot_be_decoded_is_not_kept() {
    let server = ScriptedServer::start(|_, request| match value(request, "from_date") {
        Some("2025-01-31") => Reply::json("<html>"),
        Some(from) => Reply::json(format!(r#"{{"from_date":"{from}","to_date":"{from}","statistics":[]}}"#)),
        None => Reply::problem(403, "{}"),
    });
    let folder = tempfile::tempdir().expect("a folder");
    for format in FORMATS {
        let path = folder.path().join(format);
        let output = server.command(&[&QUARTER[..], &["--format", format, "-o"]].concat()).arg(&path).output().expect("it starts");
        assert_eq!(output.status.code(), Some(15), "{output:?}");
        assert!(text(&output.stderr).contains("1 of 3 parts are kept"), "{output:?}");
    }
}

/// Two programs that append to one file would corrupt it.
#[cfg(unix)]
#[test]
fn an_unfinished_file_is_locked_by_one_program() {
    let served =
        RunningSandbox::start(&["--today", "2025-11-21", "--fault", "delay; delay_ms=60000; operation=daily_statistics; times=1000"]);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("d");
    let start = |more: &[&str]| {
        let mut command = sandbox_command(&served);
        command.args(QUARTER).args(["--format", "json", "--output"]).arg(&path).args(more);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts")
    };
    let first = start(&[]);
    let part = folder.path().join("d.part");
    while fs::metadata(&part).map_or(0, |there| there.len()) == 0 {
        std::thread::sleep(Duration::from_millis(10));
    }
    for more in [&[][..], &["--resume"]] {
        let output = start(more).wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(text(&output.stderr).contains("another program is writing"), "{output:?}");
    }
    assert_eq!(std::os::unix::fs::PermissionsExt::mode(&fs::metadata(&part).expect("a file").permissions()) & 0o777, 0o600);
    signal("INT", first.id());
    assert_eq!(first.wait_with_output().expect("it ends").status.code(), Some(130));
    assert!(names(folder.path()).is_empty());
}

#[cfg(unix)]
fn sandbox_command(served: &RunningSandbox) -> Command {
    let mut command = vitalwire();
    command.env("VITALWIRE_BASE_URL", served.field("base_url")).env("VITALWIRE_TOKEN", served.field("token"));
    command
}

#[cfg(unix)]
fn signal(name: &str, id: u32) {
    // The program may have exited already.
    let _ = Command::new("kill").args(["-s", name, &id.to_string()]).stderr(Stdio::null()).status();
}

/// Returns the number of interruptions per format.
#[cfg(unix)]
fn interruption_count() -> u64 {
    std::env::var("VITALWIRE_INTERRUPTIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(3)
}

/// However often a run is interrupted, the final file is the same, and no other file is left.
#[cfg(unix)]
#[test]
fn interruptions_at_any_moment_lead_to_the_same_file() {
    const SIGNALS: [&str; 4] = ["INT", "TERM", "HUP", "KILL"];
    let mut random = std::time::UNIX_EPOCH.elapsed().expect("a clock").as_nanos() as u64 | 1;
    println!("seed {random}");
    let mut next = move |below: u64| {
        // Marsaglia's xorshift generator.
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random % below
    };
    let late = |operation: &str| format!("delay; delay_ms=15; operation={operation}; times=100000");
    let served =
        RunningSandbox::start(&["--today", "2025-11-21", "--fault", &late("daily_statistics"), "--fault", &late("list_nutrition_records")]);
    let commands: [&[&str]; 2] = [
        &["stats", "daily", "--types", "steps,heartrate", "--from", "2025-06-01", "--to", "2025-11-20", "--split-days", "10"],
        &["nutrition", "list", "--from", "2025-11-01", "--to", "2025-11-20", "--split-days", "1", "--concurrency", "2"],
    ];
    let (mut stopped, mut ended) = (0, 0);
    for (format, arguments) in FORMATS.iter().flat_map(|format| commands.map(|arguments| (*format, arguments))) {
        let folder = tempfile::tempdir().expect("a folder");
        let run = |path: &Path, more: &[&str]| {
            let mut command = sandbox_command(&served);
            command.args(arguments).args(["--format", format, "--output"]).arg(path).args(more);
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts")
        };
        let path = folder.path().join("whole");
        let begun = std::time::Instant::now();
        assert!(run(&path, &[]).wait().expect("it ends").success());
        let length = u64::try_from(begun.elapsed().as_millis()).expect("a number");
        let whole = fs::read(&path).expect("a file");
        assert!(whole.len() > 500, "there is hardly anything in it");
        for round in 0..interruption_count() {
            let path = folder.path().join("range");
            let part = folder.path().join("range.part");
            for _ in 0..2 {
                if path.exists() {
                    break;
                }
                let child = run(&path, if part.exists() { &["--resume"] } else { &[] });
                std::thread::sleep(Duration::from_millis(next(length)));
                let name = SIGNALS[next(4) as usize];
                signal(name, child.id());
                let output = child.wait_with_output().expect("it ends");
                let stderr = text(&output.stderr);
                match output.status.code() {
                    Some(0) => ended += 1,
                    // Killed, or stopped before the signal handlers were installed.
                    None => assert!(name == "KILL" || stderr.is_empty(), "{stderr}"),
                    Some(code) => {
                        stopped += 1;
                        assert_eq!(
                            Some(code),
                            [130, 143, 129].get(SIGNALS.iter().position(|signal| *signal == name).expect("one")).copied(),
                            "{stderr}"
                        );
                        assert!(stderr.contains("vitalwire: interrupted by "), "{stderr}");
                        assert_eq!(part.exists(), stderr.contains("are kept in "), "{stderr}");
                    }
                }
            }
            if !path.exists() {
                let output = run(&path, if part.exists() { &["--resume"] } else { &[] }).wait_with_output().expect("it ends");
                assert!(output.status.success() && output.stderr.is_empty(), "{format}, round {round}: {output:?}");
            }
            assert!(fs::read(&path).expect("a file") == whole, "{format}, round {round}");
            // Killed after the file was written and before its parts were removed. Writing it again loses nothing.
            if part.exists() {
                assert!(run(&path, &["--resume", "--force"]).wait().expect("it ends").success());
                assert!(fs::read(&path).expect("a file") == whole, "{format}, round {round}");
            }
            assert!(!part.exists());
            fs::remove_file(path).expect("removed");
        }
    }
    println!("{stopped} runs were interrupted, {ended} ended before");
    assert!(stopped > 0, "no run was interrupted");
}

//! Resuming a download: when it is rejected, and the remedies of its failures.

use std::fs;
use std::process::{Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tempfile::TempDir;

use crate::scripted::{Reply, Request, ScriptedServer};

/// Two parts.
const TWO_MONTHS: [&str; 10] = ["stats", "daily", "--types", "steps", "--from", "2025-01-01", "--to", "2025-02-28", "--split-days", "31"];

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

fn days(request: &Request) -> Reply {
    let value = |name: &str| {
        let query = request.line.split('?').nth(1).unwrap_or_default();
        query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('=')).unwrap_or_default().to_owned()
    };
    let (from, to) = (value("from_date"), value("to_date"));
    if from.is_empty() {
        return Reply::json(r#"{"uid":"u-1"}"#);
    }
    Reply::json(format!(r#"{{"from_date":"{from}","to_date":"{to}","statistics":[{{"date":"{from}","values":{{"steps":1}}}}]}}"#))
}

/// Starts a server that rejects requests as long as `failures` is not 0. Counts all requests.
fn failing(status: u16, failures: &Arc<AtomicUsize>, is_failing: fn(&Request) -> bool) -> ScriptedServer {
    let failures = Arc::clone(failures);
    ScriptedServer::start(move |_, request| match failures.load(Ordering::Relaxed) > 0 && is_failing(request) {
        true => Reply::problem(status, "{}"),
        false => days(request),
    })
}

fn run(server: &ScriptedServer, folder: &TempDir, more: &[&str]) -> Output {
    let mut command = server.command(&TWO_MONTHS);
    command.args(more).current_dir(folder.path()).output().expect("it starts")
}

/// The old file is not taken for the complete one, wherever the first run fails.
#[test]
fn an_old_file_is_replaced_after_a_failure_before_the_first_part() {
    for (status, is_failing, code) in
        [(503, (|request| request.line.contains("statistics")) as fn(&Request) -> bool, 13), (401, |_: &Request| true, 11)]
    {
        let failures = Arc::new(AtomicUsize::new(1));
        let (server, folder) = (failing(status, &failures, is_failing), TempDir::new().expect("a folder"));
        fs::write(folder.path().join("d.json"), "old").expect("a file");
        let output = ["--output", "d.json"];
        for _ in 0..2 {
            let failed = run(&server, &folder, &[&output[..], &["--force"]].concat());
            assert_eq!(failed.status.code(), Some(code), "{failed:?}");
        }
        let resumed = run(&server, &folder, &[&output[..], &["--resume"]].concat());
        assert_eq!(resumed.status.code(), Some(code), "{resumed:?}");
        assert_eq!(fs::read(folder.path().join("d.json")).expect("a file"), b"old");
        failures.store(0, Ordering::Relaxed);
        let resumed = run(&server, &folder, &[&output[..], &["--resume"]].concat());
        assert!(resumed.status.success(), "{resumed:?}");
        let written = fs::read_to_string(folder.path().join("d.json")).expect("a file");
        assert!(written.contains("2025-01-01") && written.contains("2025-02-01"), "{written}");
        assert!(!folder.path().join("d.json.part").exists());
        // Now the file is complete.
        let before = server.requests().len();
        assert!(run(&server, &folder, &[&output[..], &["--resume"]].concat()).status.success());
        assert_eq!(server.requests().len(), before);
    }
}

#[test]
fn two_first_runs_at_once_name_each_other() {
    for _ in 0..5 {
        let server = ScriptedServer::start(|_, request| {
            std::thread::sleep(std::time::Duration::from_millis(100));
            days(request)
        });
        let folder = TempDir::new().expect("a folder");
        let start = || {
            let mut command = server.command(&TWO_MONTHS);
            command.args(["--output", "d.json", "--resume"]).current_dir(folder.path());
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts")
        };
        let outputs = [start(), start()].map(|child| child.wait_with_output().expect("it ends"));
        let failed: Vec<&Output> = outputs.iter().filter(|output| !output.status.success()).collect();
        assert!(failed.len() < 2, "{outputs:?}");
        for output in failed {
            let stderr = text(&output.stderr);
            assert!(stderr.contains("another program is writing d.json.part") && !stderr.contains("os error"), "{stderr}");
        }
        assert!(folder.path().join("d.json").exists());
    }
}

/// The hint has the command that requests the rest, and the changes that it needs. Also for runs without a file.
#[test]
fn a_failed_part_keeps_the_remedy() {
    for (status, remedy) in [(401, "check that the token is valid"), (403, "the token has no permission")] {
        for output in [&[][..], &["--output", "d.json"]] {
            let failures = Arc::new(AtomicUsize::new(1));
            let server = failing(status, &failures, |request| request.line.contains("from_date=2025-02"));
            let folder = TempDir::new().expect("a folder");
            let failed = run(&server, &folder, &[&["--concurrency", "1"][..], output].concat());
            let stderr = text(&failed.stderr);
            let hint = stderr.split("hint: ").nth(1).unwrap_or_else(|| panic!("{stderr}"));
            assert!(hint.contains("reads the rest") && hint.contains(&format!("; {remedy}")), "{stderr}");
        }
    }
    let server = ScriptedServer::start(|_, request| days(request));
    let folder = TempDir::new().expect("a folder");
    let mut command = server.command(&TWO_MONTHS);
    let output = command.env_remove("VITALWIRE_TOKEN").current_dir(folder.path()).output().expect("it starts");
    let stderr = text(&output.stderr);
    assert!(stderr.contains("no token is set") && stderr.contains("set VITALWIRE_TOKEN"), "{stderr}");
}

#[test]
fn a_token_without_its_parts_is_announced_to_lack_them() {
    let failures = Arc::new(AtomicUsize::new(1));
    let server = failing(503, &failures, |request| request.line.contains("from_date=2025-02"));
    let folder = TempDir::new().expect("a folder");
    let failed = run(&server, &folder, &["--concurrency", "1"]);
    let stderr = text(&failed.stderr).to_owned();
    let token = stderr.split("--resume '").nth(1).and_then(|rest| rest.split('\'').next()).expect("a token");
    failures.store(0, Ordering::Relaxed);
    let rest = run(&server, &folder, &["--resume", token, "--output", "new.json"]);
    assert!(rest.status.success(), "{rest:?}");
    assert_eq!(text(&rest.stderr), "vitalwire: note: the parts before the resume token are not in a file, so new.json will lack them\n");
    let written = fs::read_to_string(folder.path().join("new.json")).expect("a file");
    assert!(!written.contains("2025-01-01") && written.contains("2025-02-01"), "{written}");
}

/// The user has moved to another time zone since.
#[test]
fn the_same_command_in_another_zone_is_not_repeated_by_its_hint() {
    let (zone, folder) = (Arc::new(AtomicUsize::new(0)), TempDir::new().expect("a folder"));
    let now = Arc::clone(&zone);
    let server = ScriptedServer::start(move |_, request| {
        if request.line.contains("userproperties") {
            let name = ["Europe/Berlin", "Asia/Tokyo"][now.load(Ordering::Relaxed)];
            return Reply::json(format!(r#"{{"properties":{{"timezone":"{name}"}}}}"#));
        }
        if request.line.contains("from_timestamp=2025-01-30") {
            return Reply::problem(503, "{}");
        }
        if request.line.contains("statistics") { Reply::json(r#"{"statistics":[]}"#) } else { Reply::json(r#"{"uid":"u-1"}"#) }
    });
    let call = |more: &[&str]| {
        let mut command = server.command(&["stats", "interval", "--types", "steps", "--from", "2025-01-01", "--to", "2025-02-28"]);
        command.args(["--split-days", "30", "--concurrency", "1", "--output", "d.json"]).args(more);
        command.current_dir(folder.path()).output().expect("it starts")
    };
    let failed = call(&[]);
    assert!(text(&failed.stderr).contains("parts are kept in"), "{failed:?}");
    zone.store(1, Ordering::Relaxed);
    let rejected = call(&["--resume"]);
    let stderr = text(&rejected.stderr);
    assert_eq!(rejected.status.code(), Some(1), "{stderr}");
    assert!(
        stderr.contains("cannot be continued: its range differs, although the command is the same\nhint: use the time zone"),
        "{stderr}"
    );
    assert!(!stderr.contains("completes it"), "{stderr}");
}

#[cfg(feature = "tables")]
#[test]
fn the_extension_of_the_output_selects_its_format() {
    let server = ScriptedServer::start(|_, request| days(request));
    let folder = TempDir::new().expect("a folder");
    let write = |name: &str, more: &[&str]| {
        let output = run(&server, &folder, &[&["--output", name][..], more].concat());
        assert!(output.status.success(), "{output:?}");
        fs::read(folder.path().join(name)).expect("a file")
    };
    assert!(write("y.parquet", &[]).starts_with(b"PAR1"));
    assert!(write("y.CSV", &[]).starts_with(b"date,"));
    assert!(write("y.json", &[]).starts_with(b"{"));
    assert!(write("y.arrow", &[]).starts_with(&[0xff; 4]));
    // The option decides, and other names have no format.
    assert!(write("z.parquet", &["--format", "json"]).starts_with(b"{"));
    assert!(!write("y.txt", &[]).starts_with(b"{"));
    for name in ["y.log", "y.md", "y"] {
        assert!(!write(name, &[]).starts_with(b"{"), "{name}");
    }
    let rejected = server.command(&["user", "--output", "u.csv"]).current_dir(folder.path()).output().expect("it starts");
    assert!(rejected.status.code() == Some(2) && !folder.path().join("u.csv").exists(), "{rejected:?}");
}

/// A service may echo a part of the request as the location.
#[test]
fn no_reasons_leaves_locations_out() {
    let body = r#"{"detail":"validation failed","errors":[{"location":"header.CANARY","message":"CANARY"},{"location":"query.CANARY"}]}"#;
    let server = ScriptedServer::start(move |_, _| Reply::problem(422, body));
    for format in ["table", "json"] {
        let mut command = server.command(&["user", "--no-reasons", "--format", format]);
        let output = command.output().expect("it starts");
        let stderr = text(&output.stderr);
        assert!(!stderr.contains("CANARY") && stderr.contains("validation failed, status 422, GET /v3/userinfo"), "{stderr}");
    }
}

#[test]
fn an_output_with_the_extension_of_an_unsupported_format_needs_a_format() {
    let server = ScriptedServer::json("{}");
    let folder = TempDir::new().expect("a folder");
    for name in ["x.parq", "x.pq", "x.tsv", "x.jsonl", "x.NDJSON", "x.feather", "x.ipc", "x.xlsx", "x.csv.gz", "x.yaml"] {
        let output = server.command(&["user", "--output", name]).current_dir(folder.path()).output().expect("it starts");
        let stderr = text(&output.stderr);
        assert!(output.status.code() == Some(2) && !folder.path().join(name).exists(), "{name}: {output:?}");
        assert!(stderr.contains("add --format, or name a .json, .csv, .parquet or .arrow file"), "{name}: {stderr}");
    }
    assert!(server.requests().is_empty());
    let output = server.command(&["user", "--output", "x.tsv", "--format", "json"]).current_dir(folder.path()).output().expect("it starts");
    assert!(output.status.success(), "{output:?}");
}

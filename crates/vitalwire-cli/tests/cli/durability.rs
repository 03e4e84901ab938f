//! `vitalwire sandbox --db FILE`, killed during writes: acknowledged changes are kept.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

#[cfg(unix)]
use crate::common::control;
use crate::common::{RunningSandbox, run};

/// Number of concurrent writers.
const WRITERS: usize = 4;

/// Returns the number of kills.
fn rounds() -> u64 {
    std::env::var("VITALWIRE_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(4)
}

/// Sends one request on a new connection. Returns `None` unless the response is complete.
fn request_once(base: &str, token: &str, method: &str, path: &str, body: &str) -> Option<(u16, String)> {
    let host = base.trim_start_matches("http://");
    let mut stream = TcpStream::connect(host).ok()?;
    let length = body.len();
    let request = format!(
        "{method} /v3{path} HTTP/1.0\r\nhost: {host}\r\nauthorization: Bearer {token}\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).ok()?;
    let mut response = String::new();
    stream.read_to_string(&mut response).ok()?;
    let (head, body) = response.split_once("\r\n\r\n")?;
    let status = head.get(9..12)?.parse().ok()?;
    let head = head.to_ascii_lowercase();
    // A list has no content-length and ends with the connection. A list that was cut is not valid JSON.
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).and_then(|text| text.parse().ok());
    let whole = length.map_or_else(|| body.is_empty() || serde_json::from_str::<Value>(body).is_ok(), |length: usize| body.len() == length);
    whole.then(|| (status, body.to_owned()))
}

/// Changes that the sandbox has acknowledged.
#[derive(Default)]
struct Acknowledged {
    reports: BTreeSet<String>,
    /// The last serving size of each meal.
    servings: BTreeMap<String, f64>,
    deleted: BTreeSet<String>,
}

impl Acknowledged {
    /// Whether there are more reports than this, a change by each writer, and a deletion.
    fn more_than(&self, reports: usize) -> bool {
        self.reports.len() > reports && self.servings.len() == WRITERS && !self.deleted.is_empty()
    }
}

/// Address of the sandbox, and the token of the caller.
struct SandboxAccess {
    base: String,
    token: String,
}

impl SandboxAccess {
    fn request(&self, method: &str, path: &str, body: &str) -> Option<(u16, String)> {
        request_once(&self.base, &self.token, method, path, body)
    }

    fn list(&self, path: &str) -> Vec<Value> {
        let (status, body) = self.request("GET", path, "").expect("a response");
        assert_eq!(status, 200);
        serde_json::from_str(&body).expect("a list")
    }

    /// Asserts that no acknowledged change is missing. Returns the ids of the meals, earliest first.
    fn check(&self, acknowledged: &mut Acknowledged) -> Vec<String> {
        let reports = self.list("/lab_reports");
        let stored: BTreeSet<&str> = reports.iter().filter_map(|report| report["record_id"].as_str()).collect();
        let missing = acknowledged.reports.iter().filter(|id| !stored.contains(id.as_str())).count();
        assert_eq!(missing, 0, "of {} reports", acknowledged.reports.len());
        let meals = self.list("/nutrition_records?from_timestamp=2025-06-01T00:00:00Z");
        for (id, serving) in &mut acknowledged.servings {
            let meal = meals.iter().find(|meal| meal["record_id"] == **id).expect("a changed meal");
            let found = meal["serving_size"].as_f64().expect("a number");
            // One more change may have been stored without a response.
            assert!(found == *serving || found == *serving + 1.0, "{found} after {serving}");
            *serving = found;
        }
        let back = meals.iter().filter(|meal| acknowledged.deleted.contains(meal["record_id"].as_str().expect("an id"))).count();
        assert_eq!(back, 0, "of {} deleted meals", acknowledged.deleted.len());
        meals.iter().map(|meal| meal["record_id"].as_str().expect("an id").to_owned()).collect()
    }

    /// Uploads reports, changes one meal and deletes others until the program does not respond any more.
    fn write(&self, meal: &str, others: &[String], acknowledged: &Mutex<Acknowledged>) -> Option<()> {
        let report = json!({ "body": "c3ludGhldGlj", "filename": "synthetic.txt" }).to_string();
        let mut serving = acknowledged.lock().expect("a lock").servings.get(meal).copied().unwrap_or(100.0);
        let mut others = others.iter();
        loop {
            let (status, body) = self.request("POST", "/lab_reports", &report)?;
            assert_eq!(status, 200, "{body}");
            let response: Value = serde_json::from_str(&body).expect("a receipt");
            let id = response["lab_report"]["record_id"].as_str().expect("an id").to_owned();
            assert!(acknowledged.lock().expect("a lock").reports.insert(id), "an id was given out twice");

            serving += 1.0;
            let change = json!({ "serving_size": serving }).to_string();
            let (status, body) = self.request("PATCH", &format!("/nutrition_records/{meal}"), &change)?;
            assert_eq!(status, 200, "{body}");
            acknowledged.lock().expect("a lock").servings.insert(meal.to_owned(), serving);

            if let Some(id) = others.next() {
                let (status, _) = self.request("DELETE", &format!("/nutrition_records/{id}"), "")?;
                assert_eq!(status, 204);
                acknowledged.lock().expect("a lock").deleted.insert(id.clone());
            }
        }
    }
}

fn start(file: &str) -> (RunningSandbox, SandboxAccess) {
    let served = RunningSandbox::start(&["--seed", "7", "--today", "2025-11-21", "--db", file]);
    let access = SandboxAccess { base: served.field("base_url"), token: served.field("token") };
    (served, access)
}

#[test]
fn acknowledged_changes_survive_a_kill() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("sandbox.db").display().to_string();
    let acknowledged = Mutex::new(Acknowledged::default());
    for round in 0..rounds() {
        let (mut served, access) = start(&file);
        let meals = access.check(&mut acknowledged.lock().expect("a lock"));
        // The latest meals are changed, the earliest are deleted.
        let (others, changed) = meals.split_at(meals.len() - WRITERS);
        let before = acknowledged.lock().expect("a lock").reports.len();
        std::thread::scope(|scope| {
            for (meal, others) in changed.iter().zip(others.chunks(2)) {
                scope.spawn(|| access.write(meal, others, &acknowledged));
            }
            // Wait until every writer has written something, then kill at a different moment in each round.
            let end = Instant::now() + Duration::from_secs(30);
            while Instant::now() < end && !acknowledged.lock().expect("a lock").more_than(before) {
                std::thread::sleep(Duration::from_millis(5));
            }
            std::thread::sleep(Duration::from_millis(60 + round * 37 % 140));
            // On Unix this is SIGKILL, which cannot be caught.
            served.child.kill().expect("a child");
        });
        served.child.wait().expect("a child");
    }
    let (_served, access) = start(&file);
    let mut acknowledged = acknowledged.into_inner().expect("a lock");
    access.check(&mut acknowledged);
    assert!(acknowledged.reports.len() as u64 >= rounds() && acknowledged.more_than(0), "hardly anything was written");
    println!("{} rounds: {} uploads, {} deletions", rounds(), acknowledged.reports.len(), acknowledged.deleted.len());
}

#[test]
fn an_unusable_database_is_rejected_and_not_changed() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("sandbox.db").display().to_string();
    let (_served, _) = start(&file);
    let open = run(&["sandbox", "--ready-json", "--seed", "7", "--db", &file]);
    assert!(String::from_utf8_lossy(&open.stderr).contains("another program has this database open"), "{open:?}");
    drop(_served);
    let other = run(&["sandbox", "--ready-json", "--seed", "8", "--db", &file]);
    assert_eq!(other.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&other.stderr).contains("created with seed 7, not with seed 8"), "{other:?}");
    std::fs::write(&file, "a letter to somebody").expect("a file");
    let letter = run(&["sandbox", "--ready-json", "--seed", "7", "--db", &file]);
    assert!(String::from_utf8_lossy(&letter.stderr).contains("not a database of a sandbox"), "{letter:?}");
    assert_eq!(std::fs::read(&file).expect("a file"), b"a letter to somebody");
}

#[cfg(unix)]
#[test]
fn a_clock_change_that_cannot_be_stored_is_rejected() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("sandbox.db").display().to_string();
    drop(start(&file));
    // Simulates a full disk: files are limited to 256 KiB. The ignored signal turns a larger write into an error.
    let mut shell = std::process::Command::new("sh");
    let script = "trap '' XFSZ; ulimit -f 512; exec \"$0\" sandbox --ready-json --seed 7 --today 2025-11-21 --db \"$1\"";
    shell.args(["-c", script, env!("CARGO_BIN_EXE_vitalwire"), &file]);
    let mut served = RunningSandbox::start_command(shell);
    let access = SandboxAccess { base: served.field("base_url"), token: served.field("token") };
    let report = json!({ "body": "c3ludGhldGlj".repeat(2_000), "filename": "synthetic.txt" }).to_string();
    let full = (0..2_000).any(|_| access.request("POST", "/lab_reports", &report).expect("a response").0 == 500);
    // A write smaller than a report may still fit.
    let full = full && (0..200).any(|_| control(&served, "POST", "/clock", r#"{"scale": 0}"#).0 == 500);
    assert!(full, "the disk is not full");
    for change in [r#"{"advance": 259200}"#, r#"{"scale": 60}"#, r#"{"set": "2025-12-24T18:00:00Z", "scale": 60}"#] {
        let (status, problem) = control(&served, "POST", "/clock", change);
        assert_eq!((status, problem["status"].as_u64()), (500, Some(500)), "{change}: {problem}");
        assert!(problem["detail"].as_str().is_some_and(|detail| detail.starts_with("the sandbox's database failed")), "{problem}");
        let (status, state) = control(&served, "GET", "/state", "");
        assert_eq!((status, &state["clock"]["now"], state["clock"]["scale"].as_f64()), (200, &json!("2025-11-21T12:00:00Z"), Some(0.0)));
    }
    served.child.kill().expect("a child");
    served.child.wait().expect("a child");
    // With free space, the state equals the acknowledged one.
    let (served, _) = start(&file);
    assert_eq!(control(&served, "GET", "/state", "").1["clock"]["now"], "2025-11-21T12:00:00Z");
    assert_eq!(control(&served, "POST", "/clock", r#"{"advance": 60}"#).0, 200);
}

#[test]
fn a_date_before_the_clock_of_the_database_is_rejected() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("sandbox.db").display().to_string();
    drop(start(&file));
    for arguments in [["--sandbox", "nutrition", "list"].as_slice(), &["sandbox", "--ready-json"]] {
        let arguments = [arguments, &["--seed", "7", "--today", "2025-01-01", "--db", &file]].concat();
        let rejected = run(&arguments);
        assert_eq!((rejected.status.code(), rejected.stdout.len()), (Some(1), 0), "{rejected:?}");
        let text = String::from_utf8_lossy(&rejected.stderr);
        assert!(text.contains("shows 2025-11-21 12:00:00 UTC and never goes back: it cannot stop at noon of 2025-01-01"), "{text}");
    }
    // The original date is accepted.
    assert!(run(&["--sandbox", "user", "--seed", "7", "--today", "2025-11-21", "--db", &file]).status.success());
}

#[test]
fn the_clock_advances_with_the_time_scale() {
    let served = RunningSandbox::start(&["--today", "2025-11-21", "--time-scale", "1000000"]);
    let access = SandboxAccess { base: served.field("base_url"), token: served.field("token") };
    // The clock advances 11.6 days per second.
    std::thread::sleep(Duration::from_millis(300));
    let days = access.list("/nutrition_records?from_timestamp=2025-11-23T00:00:00Z");
    assert!(!days.is_empty(), "nobody has eaten since");
    let wrong = run(&["sandbox", "--ready-json", "--time-scale", "1e7"]);
    assert_eq!(wrong.status.code(), Some(2), "{wrong:?}");
}

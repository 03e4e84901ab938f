//! `vitalwire sandbox --db FILE`, ended by force while callers write: what was acknowledged is there afterwards.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

#[cfg(unix)]
use crate::common::control;
use crate::common::{Served, run};

/// Callers at a time.
const WRITERS: usize = 4;

/// How often the program is ended.
fn rounds() -> u64 {
    std::env::var("VITALWIRE_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(4)
}

/// One request on a connection of its own; `None` unless the whole answer came.
fn ask(base: &str, token: &str, method: &str, path: &str, body: &str) -> Option<(u16, String)> {
    let host = base.trim_start_matches("http://");
    let mut stream = TcpStream::connect(host).ok()?;
    let length = body.len();
    let request = format!(
        "{method} /v3{path} HTTP/1.0\r\nhost: {host}\r\nauthorization: Bearer {token}\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    let (head, body) = answer.split_once("\r\n\r\n")?;
    let status = head.get(9..12)?.parse().ok()?;
    let head = head.to_ascii_lowercase();
    // A list comes without a length, to the end of the connection: one that was cut is no JSON.
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).and_then(|text| text.parse().ok());
    let whole = length.map_or_else(|| body.is_empty() || serde_json::from_str::<Value>(body).is_ok(), |length: usize| body.len() == length);
    whole.then(|| (status, body.to_owned()))
}

/// What callers were told is kept.
#[derive(Default)]
struct Acknowledged {
    reports: BTreeSet<String>,
    /// The last serving size of each meal.
    servings: BTreeMap<String, f64>,
    deleted: BTreeSet<String>,
}

impl Acknowledged {
    /// Whether there are more reports, a change of each writer, and a deletion.
    fn more_than(&self, reports: usize) -> bool {
        self.reports.len() > reports && self.servings.len() == WRITERS && !self.deleted.is_empty()
    }
}

/// Where the program is and who asks.
struct Access {
    base: String,
    token: String,
}

impl Access {
    fn ask(&self, method: &str, path: &str, body: &str) -> Option<(u16, String)> {
        ask(&self.base, &self.token, method, path, body)
    }

    fn list(&self, path: &str) -> Vec<Value> {
        let (status, body) = self.ask("GET", path, "").expect("an answer");
        assert_eq!(status, 200);
        serde_json::from_str(&body).expect("a list")
    }

    /// That nothing acknowledged is missing. Gives the meals there are, earliest first.
    fn check(&self, kept: &mut Acknowledged) -> Vec<String> {
        let reports = self.list("/lab_reports");
        let there: BTreeSet<&str> = reports.iter().filter_map(|report| report["record_id"].as_str()).collect();
        let missing = kept.reports.iter().filter(|id| !there.contains(id.as_str())).count();
        assert_eq!(missing, 0, "of {} reports", kept.reports.len());
        let meals = self.list("/nutrition_records?from_timestamp=2025-06-01T00:00:00Z");
        for (id, serving) in &mut kept.servings {
            let meal = meals.iter().find(|meal| meal["record_id"] == **id).expect("a changed meal");
            let found = meal["serving_size"].as_f64().expect("a number");
            // One more change may have been kept without an answer.
            assert!(found == *serving || found == *serving + 1.0, "{found} after {serving}");
            *serving = found;
        }
        let back = meals.iter().filter(|meal| kept.deleted.contains(meal["record_id"].as_str().expect("an id"))).count();
        assert_eq!(back, 0, "of {} deleted meals", kept.deleted.len());
        meals.iter().map(|meal| meal["record_id"].as_str().expect("an id").to_owned()).collect()
    }

    /// Uploads, changes one meal and deletes others until the program does not answer any more.
    fn write(&self, meal: &str, others: &[String], kept: &Mutex<Acknowledged>) -> Option<()> {
        let report = json!({ "body": "c3ludGhldGlj", "filename": "synthetic.txt" }).to_string();
        let mut serving = kept.lock().expect("a lock").servings.get(meal).copied().unwrap_or(100.0);
        let mut others = others.iter();
        loop {
            let (status, body) = self.ask("POST", "/lab_reports", &report)?;
            assert_eq!(status, 200, "{body}");
            let answer: Value = serde_json::from_str(&body).expect("a receipt");
            let id = answer["lab_report"]["record_id"].as_str().expect("an id").to_owned();
            assert!(kept.lock().expect("a lock").reports.insert(id), "an id was given out twice");

            serving += 1.0;
            let change = json!({ "serving_size": serving }).to_string();
            let (status, body) = self.ask("PATCH", &format!("/nutrition_records/{meal}"), &change)?;
            assert_eq!(status, 200, "{body}");
            kept.lock().expect("a lock").servings.insert(meal.to_owned(), serving);

            if let Some(id) = others.next() {
                let (status, _) = self.ask("DELETE", &format!("/nutrition_records/{id}"), "")?;
                assert_eq!(status, 204);
                kept.lock().expect("a lock").deleted.insert(id.clone());
            }
        }
    }
}

fn start(file: &str) -> (Served, Access) {
    let served = Served::start(&["--seed", "7", "--today", "2025-11-21", "--db", file]);
    let access = Access { base: served.text("base_url"), token: served.text("token") };
    (served, access)
}

#[test]
fn what_was_acknowledged_outlasts_the_program() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("sandbox.db").display().to_string();
    let kept = Mutex::new(Acknowledged::default());
    for round in 0..rounds() {
        let (mut served, access) = start(&file);
        let meals = access.check(&mut kept.lock().expect("a lock"));
        // The latest are changed, the earliest ones deleted.
        let (others, changed) = meals.split_at(meals.len() - WRITERS);
        let before = kept.lock().expect("a lock").reports.len();
        std::thread::scope(|scope| {
            for (meal, others) in changed.iter().zip(others.chunks(2)) {
                scope.spawn(|| access.write(meal, others, &kept));
            }
            // Each has written something by now, on a slow machine too; and then at another moment each time.
            let end = Instant::now() + Duration::from_secs(30);
            while Instant::now() < end && !kept.lock().expect("a lock").more_than(before) {
                std::thread::sleep(Duration::from_millis(5));
            }
            std::thread::sleep(Duration::from_millis(60 + round * 37 % 140));
            // No signal can be caught less: on Unix this is SIGKILL.
            served.child.kill().expect("a child");
        });
        served.child.wait().expect("a child");
    }
    let (_served, access) = start(&file);
    let mut kept = kept.into_inner().expect("a lock");
    access.check(&mut kept);
    assert!(kept.reports.len() as u64 >= rounds() && kept.more_than(0), "hardly anything was written");
    println!("{} rounds: {} uploads, {} deletions", rounds(), kept.reports.len(), kept.deleted.len());
}

#[test]
fn a_database_of_other_people_is_refused_and_left_alone() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("sandbox.db").display().to_string();
    let (_served, _) = start(&file);
    let open = run(&["sandbox", "--ready-json", "--seed", "7", "--db", &file]);
    assert!(String::from_utf8_lossy(&open.stderr).contains("another program has this database open"), "{open:?}");
    drop(_served);
    let other = run(&["sandbox", "--ready-json", "--seed", "8", "--db", &file]);
    assert_eq!(other.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&other.stderr).contains("people of seed 7, not of seed 8"), "{other:?}");
    std::fs::write(&file, "a letter to somebody").expect("a file");
    let letter = run(&["sandbox", "--ready-json", "--seed", "7", "--db", &file]);
    assert!(String::from_utf8_lossy(&letter.stderr).contains("not a database of a sandbox"), "{letter:?}");
    assert_eq!(std::fs::read(&file).expect("a file"), b"a letter to somebody");
}

#[cfg(unix)]
#[test]
fn a_clock_that_cannot_be_kept_is_not_moved() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("sandbox.db").display().to_string();
    drop(start(&file));
    // As good as a full disk: no file may be larger than 256 KiB, and to try is an error, not a signal.
    let mut shell = std::process::Command::new("sh");
    let script = "trap '' XFSZ; ulimit -f 512; exec \"$0\" sandbox --ready-json --seed 7 --today 2025-11-21 --db \"$1\"";
    shell.args(["-c", script, env!("CARGO_BIN_EXE_vitalwire"), &file]);
    let mut served = Served::by(shell);
    let access = Access { base: served.text("base_url"), token: served.text("token") };
    let report = json!({ "body": "c3ludGhldGlj".repeat(2_000), "filename": "synthetic.txt" }).to_string();
    let full = (0..2_000).any(|_| access.ask("POST", "/lab_reports", &report).expect("an answer").0 == 500);
    // What is smaller than a report may still find room.
    let full = full && (0..200).any(|_| control(&served, "POST", "/clock", r#"{"scale": 0}"#).0 == 500);
    assert!(full, "there is room all the same");
    for change in [r#"{"advance": 259200}"#, r#"{"scale": 60}"#, r#"{"set": "2025-12-24T18:00:00Z", "scale": 60}"#] {
        let (status, problem) = control(&served, "POST", "/clock", change);
        assert_eq!((status, problem["status"].as_u64()), (500, Some(500)), "{change}: {problem}");
        assert!(problem["detail"].as_str().is_some_and(|detail| detail.starts_with("the sandbox's database failed")), "{problem}");
        let (status, state) = control(&served, "GET", "/state", "");
        assert_eq!((status, &state["clock"]["now"], state["clock"]["scale"].as_f64()), (200, &json!("2025-11-21T12:00:00Z"), Some(0.0)));
    }
    served.child.kill().expect("a child");
    served.child.wait().expect("a child");
    // With room again, it is as it was answered.
    let (served, _) = start(&file);
    assert_eq!(control(&served, "GET", "/state", "").1["clock"]["now"], "2025-11-21T12:00:00Z");
    assert_eq!(control(&served, "POST", "/clock", r#"{"advance": 60}"#).0, 200);
}

#[test]
fn another_day_than_that_of_an_older_database_is_refused() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("sandbox.db").display().to_string();
    drop(start(&file));
    for arguments in [["--sandbox", "nutrition", "list"].as_slice(), &["sandbox", "--ready-json"]] {
        let arguments = [arguments, &["--seed", "7", "--today", "2025-01-01", "--db", &file]].concat();
        let refused = run(&arguments);
        assert_eq!((refused.status.code(), refused.stdout.len()), (Some(1), 0), "{refused:?}");
        let text = String::from_utf8_lossy(&refused.stderr);
        assert!(text.contains("shows 2025-11-21 12:00:00 UTC and never goes back: it cannot stop at noon of 2025-01-01"), "{text}");
    }
    // The day it was made for is no other.
    assert!(run(&["--sandbox", "user", "--seed", "7", "--today", "2025-11-21", "--db", &file]).status.success());
}

#[test]
fn the_clock_of_a_sandbox_has_a_speed() {
    let served = Served::start(&["--today", "2025-11-21", "--time-scale", "1000000"]);
    let access = Access { base: served.text("base_url"), token: served.text("token") };
    // 11.6 days a second.
    std::thread::sleep(Duration::from_millis(300));
    let days = access.list("/nutrition_records?from_timestamp=2025-11-23T00:00:00Z");
    assert!(!days.is_empty(), "nobody has eaten since");
    let wrong = run(&["sandbox", "--ready-json", "--time-scale", "1e7"]);
    assert_eq!(wrong.status.code(), Some(2), "{wrong:?}");
}

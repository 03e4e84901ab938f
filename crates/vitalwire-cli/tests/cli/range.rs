//! Long ranges in parts: the same response as without parts, and continuation after a failed part.

use std::process::{Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;

use crate::common::run;
use crate::scripted::{Reply, Request, ScriptedServer};

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"))
}

/// Converts every number to a double, because merging may write 72 as 72.0.
fn as_numbers(value: Value) -> Value {
    match value {
        Value::Number(number) => number.as_f64().into(),
        Value::Array(items) => items.into_iter().map(as_numbers).collect(),
        Value::Object(members) => Value::Object(members.into_iter().map(|(name, value)| (name, as_numbers(value))).collect()),
        other => other,
    }
}

/// Returns a value of the query.
fn query(request: &Request, name: &str) -> String {
    let (_, query) = request.line.split_once('?').expect("a query");
    let pair = query.split('&').find_map(|pair| pair.strip_prefix(&format!("{name}="))).expect("the parameter");
    pair.replace("%3A", ":")
}

/// Responds to a part with one bucket, dated with its first day.
fn bucket(request: &Request) -> Reply {
    let (from, to) = (query(request, "from_date"), query(request, "to_date"));
    Reply::json(format!(r#"{{"from_date":"{from}","to_date":"{to}","statistics":[{{"date":"{from}","values":{{"steps":1}}}}]}}"#))
}

const QUARTER: [&str; 8] = ["stats", "daily", "--types", "steps", "--from", "2025-01-01", "--to", "2025-03-31"];

#[test]
fn merged_parts_equal_the_response_of_the_whole_range() {
    let world = ["--sandbox", "--seed", "7", "--today", "2025-11-21"];
    for (what, split) in [
        (&["stats", "daily", "--types", "steps,heartrate", "--from", "2025-09-01", "--to", "2025-11-20"][..], "30"),
        (&["stats", "interval", "--types", "steps", "--from", "2025-11-10", "--to", "2025-11-16"], "2"),
        (&["nutrition", "list", "--from", "2025-11-10", "--to", "2025-11-20"], "3"),
        (&["labs", "list", "--from", "2025-01-01"], "60"),
    ] {
        let whole = run(&[&world, what].concat());
        let parts = run(&[&world, what, &["--split-days", split]].concat());
        assert!(whole.status.success() && parts.stderr.is_empty(), "{parts:?}");
        assert_eq!(text(&parts.stdout), text(&whole.stdout), "{what:?}");
        let whole = json(&run(&[&world, what, &["--format", "json"]].concat()));
        let parts = json(&run(&[&world, what, &["--format", "json", "--split-days", split, "--concurrency", "2"]].concat()));
        assert!(as_numbers(parts) == as_numbers(whole), "{what:?}");
    }
}

#[test]
fn the_bounds_of_parts_are_days() {
    let server = ScriptedServer::start(|_, request| bucket(request));
    let output = server.command(&[&QUARTER[..], &["--split-days", "40", "--concurrency", "1", "--format", "json"]].concat()).output();
    let response = json(&output.expect("it starts"));
    let requested: Vec<_> = server.requests().iter().map(|request| (query(request, "from_date"), query(request, "to_date"))).collect();
    // 90 days are split into 40, 40 and 10.
    let days = [("2025-01-01", "2025-02-09"), ("2025-02-10", "2025-03-21"), ("2025-03-22", "2025-03-31")];
    assert_eq!(requested, days.map(|(from, to)| (from.to_owned(), to.to_owned())));
    assert_eq!((response["from_date"].as_str(), response["to_date"].as_str()), (Some("2025-01-01"), Some("2025-03-31")));
    assert_eq!(response["statistics"].as_array().map(Vec::len), Some(3));

    // A date as the end of a range of instants is inclusive.
    let server = ScriptedServer::json(r#"{"statistics":[]}"#);
    let hours = ["stats", "interval", "--types", "steps", "--from", "2025-01-01", "--to", "2025-01-02", "--time-zone", "UTC"];
    assert!(server.command(&hours).output().expect("it starts").status.success());
    let request = server.only_request();
    assert_eq!(
        (query(&request, "from_timestamp"), query(&request, "to_timestamp")),
        ("2025-01-01T00:00:00Z".to_owned(), "2025-01-03T00:00:00Z".to_owned())
    );
}

#[test]
fn a_failed_part_stops_the_range_and_the_rest_can_be_resumed() {
    let works = Arc::new(AtomicBool::new(false));
    let now = works.clone();
    let server = ScriptedServer::start(move |_, request| match query(request, "from_date").as_str() {
        "2025-02-10" if !now.load(Ordering::Relaxed) => Reply::problem(503, r#"{"detail":"CANARY"}"#),
        _ => bucket(request),
    });
    let split = [&QUARTER[..], &["--split-days", "40", "--concurrency", "1", "--format", "json"]].concat();
    let stopped = server.command(&split).output().expect("it starts");
    let stderr = text(&stopped.stderr);
    assert_eq!(stopped.status.code(), Some(13), "{stderr}");
    assert!(stderr.starts_with("vitalwire: service: ") && !stderr.contains("CANARY"), "{stderr}");
    assert!(stderr.contains("\nhint: parts written: 1, left: 2; "), "{stderr}");
    let first = json(&stopped);
    assert_eq!(first["to_date"], "2025-02-09");
    // A closed output pipe does not hide the failure.
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    assert_eq!(server.command(&split).stdout(writer).stderr(Stdio::null()).status().expect("it starts").code(), Some(13));

    works.store(true, Ordering::Relaxed);
    let token = stderr.split('\'').nth(1).expect("a token");
    let requested = server.requests().len();
    // The token contains the range. All other options must be repeated.
    let again = ["stats", "daily", "--types", "steps", "--format", "json", "--resume", token];
    let rest = json(&server.command(&again).output().expect("it starts"));
    assert_eq!((rest["from_date"].as_str(), rest["to_date"].as_str()), (Some("2025-02-10"), Some("2025-03-31")));
    assert_eq!(server.requests().len() - requested, 2);
    let other = ["stats", "daily", "--types", "floors", "--resume", token];
    let rejected = server.command(&other).output().expect("it starts");
    assert_eq!(rejected.status.code(), Some(10));
    assert!(
        text(&rejected.stderr).contains("other parameters") && text(&rejected.stderr).contains("hint: use a resume token with"),
        "{rejected:?}"
    );
}

#[cfg(feature = "tables")]
#[test]
fn merged_parts_equal_the_table_of_the_whole_range() {
    let world = ["--sandbox", "--seed", "7", "--today", "2025-11-21"];
    for (what, split) in [
        (&["stats", "daily", "--types", "steps,heartrate", "--from", "2025-09-01", "--to", "2025-11-20"][..], "30"),
        (&["stats", "interval", "--types", "steps", "--from", "2025-11-10", "--to", "2025-11-16", "--time-zone", "Europe/Berlin"], "2"),
        (&["nutrition", "list", "--from", "2025-11-10", "--to", "2025-11-20", "--table", "ingredients"], "3"),
        (&["labs", "list", "--from", "2025-01-01"], "60"),
    ] {
        let whole = run(&[&world, what, &["--format", "csv"]].concat());
        let parts = run(&[&world, what, &["--format", "csv", "--split-days", split]].concat());
        assert!(whole.status.success() && parts.stderr.is_empty(), "{parts:?}");
        assert!(text(&whole.stdout).lines().count() > 5);
        assert_eq!(text(&parts.stdout), text(&whole.stdout), "{what:?}");
    }
}

#[cfg(feature = "tables")]
#[test]
fn the_table_of_the_completed_parts_is_written_before_the_error() {
    let server = ScriptedServer::start(|_, request| match query(request, "from_date").as_str() {
        "2025-02-10" => Reply::problem(404, "{}"),
        _ => bucket(request),
    });
    let split = [&QUARTER[..], &["--split-days", "40", "--concurrency", "1", "--format", "csv"]].concat();
    let stopped = server.command(&split).output().expect("it starts");
    assert_eq!(text(&stopped.stdout), "date,steps\r\n2025-01-01,1\r\n");
    let stderr = text(&stopped.stderr);
    assert_eq!(stopped.status.code(), Some(12), "{stderr}");
    assert!(stderr.contains("\nhint: parts written: 1, left: 2; "), "{stderr}");
    let token = stderr.split('\'').nth(1).expect("a token");
    let rest = server.command(&["stats", "daily", "--types", "steps", "--format", "csv", "--resume", token]).output().expect("it starts");
    assert_eq!((rest.status.code(), text(&rest.stdout)), (Some(12), ""));
}

#[cfg(feature = "tables")]
#[test]
fn a_table_of_the_parts_before_a_failure_is_written() {
    let server = ScriptedServer::start(|_, request| match query(request, "from_date").as_str() {
        "2025-03-22" => Reply::problem(503, "{}"),
        _ => bucket(request),
    });
    let output = server.command(&[&QUARTER[..], &["--split-days", "40", "--concurrency", "1", "--format", "csv"]].concat()).output();
    let output = output.expect("it starts");
    assert_eq!(output.status.code(), Some(13), "{output:?}");
    assert_eq!(text(&output.stdout), "date,steps\r\n2025-01-01,1\r\n2025-02-10,1\r\n");
    assert!(text(&output.stderr).contains("hint: parts written: 2, left: 1; "), "{output:?}");
}

#[test]
fn invalid_options_for_parts_are_rejected() {
    for arguments in [
        &["--split-days", "0"][..],
        &["--concurrency", "3"],
        &["--split-days", "3", "--concurrency", "0"],
        &["--split-days", "3", "--concurrency", "1000"],
        &["--resume", "token"],
    ] {
        let output = run(&[&["--sandbox"], &QUARTER[..], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
    }
    let backwards = run(&["--sandbox", "stats", "daily", "--from", "2025-02-01", "--to", "2025-01-01", "--split-days", "3"]);
    assert_eq!(backwards.status.code(), Some(10), "{backwards:?}");
}

/// The typed response lacks an item that cannot be decoded. `--format json` without parts prints the response as it is.
#[test]
fn items_that_cannot_be_decoded_are_noted() {
    let server = ScriptedServer::json("[5]");
    let days = ["labs", "list", "--from", "2025-11-01", "--to", "2025-11-20", "--time-zone", "UTC"];
    let parts = ["--split-days", "30", "--format", "json"];
    for (arguments, is_complete) in [(&[][..], false), (&parts[..], false), (&["--format", "json"][..], true)] {
        let output = server.command(&[&days, arguments].concat()).output().expect("it starts");
        let note = "vitalwire: note: 1 item of the response cannot be decoded and is left out\n";
        assert!(output.status.success(), "{output:?}");
        assert_eq!(text(&output.stderr), if is_complete { "" } else { note }, "{arguments:?}");
    }
}

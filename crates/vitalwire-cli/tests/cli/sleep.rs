//! Nights by date, found with the record ids of the day's time asleep.

use std::process::Output;

use serde_json::{Value, json};

use crate::common::vitalwire;
use crate::scripted::{Reply, Request, ScriptedServer};

const DATE: &str = "2025-11-21";

fn record(id: &str, date: Option<&str>, start: &str, end: Option<&str>) -> Value {
    json!({
        "sleep_id": id, "sleep_date": date, "start_at_timestamp": start, "end_at_timestamp": end, "modified_at": start,
        "provider_slug": "oura", "user_time_offset_minutes": 60,
        "stages": [{ "stage": "light", "start_at": start, "end_at": end, "duration": 60_000 }],
    })
}

/// Creates a service with these record ids for the day and these sleeps. Responds to all other requests with `other_status`.
fn service_with(ids: Value, sleeps: Vec<Value>, other_status: u16) -> ScriptedServer {
    ScriptedServer::start(move |_, request: &Request| {
        if request.line.contains("/statistics/daily?") {
            let days = json!([{ "date": DATE, "record_ids": ids, "values": { "sleep_duration_total": 1 } }]);
            return Reply::json(json!({ "from_date": DATE, "to_date": DATE, "statistics": days }).to_string());
        }
        let path = request.line.split('?').next().unwrap_or_default();
        let found = sleeps.iter().find(|sleep| path.ends_with(sleep["sleep_id"].as_str().expect("an id")));
        found.map_or_else(|| Reply::problem(other_status, "{}"), |sleep| Reply::json(sleep.to_string()))
    })
}

fn night() -> Value {
    record("night", Some(DATE), "2025-11-20T22:00:00Z", Some("2025-11-21T05:00:00Z"))
}

fn nap() -> Value {
    record("nap", Some(DATE), "2025-11-21T12:00:00Z", Some("2025-11-21T12:40:00Z"))
}

fn run(server: &ScriptedServer, more: &[&str]) -> Output {
    server.command(&[&["sleep", "--date", DATE], more].concat()).output().expect("it starts")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

#[test]
fn the_longest_sleep_is_shown_and_the_others_are_listed() {
    for other_status in [404, 422] {
        let server = service_with(json!(["nap", "a-walk", "night", "night"]), vec![nap(), night()], other_status);
        let output = run(&server, &[]);
        let shown = text(&output.stdout);
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        assert!(shown.contains("23:00 to 06:00 local time (UTC+01:00)"), "{shown}");
        let (_, others) = shown.split_once("Also of that date; `vitalwire sleep ID` shows each:\n").expect("others");
        assert_eq!(others.split_whitespace().collect::<Vec<_>>(), ["13:00", "to", "13:40", "oura", "nap"]);
        let lines: Vec<String> = server.requests().into_iter().map(|request| request.line).collect();
        assert_eq!(lines.len(), 4, "one call for the day, and one for each id: {lines:?}");
        for part in ["from_date=2025-11-21", "to_date=2025-11-21", "types=sleep_duration_total", "include_record_ids=true"] {
            assert!(lines[0].contains(part), "{lines:?}");
        }
    }
}

/// A longer record that states another date is not the night of this date.
#[test]
fn the_date_has_priority_over_the_length() {
    let long = record("long", Some("2025-11-20"), "2025-11-19T20:00:00Z", Some("2025-11-20T08:00:00Z"));
    let lasting = record("lasting", None, "2025-11-21T20:00:00Z", None);
    let server = service_with(json!(["long", "lasting", "nap"]), vec![long, lasting, nap()], 404);
    let json: Value = serde_json::from_slice(&run(&server, &["--format", "json"]).stdout).expect("JSON");
    assert_eq!(json["sleep_id"], "nap");
}

#[test]
fn other_formats_write_the_same_sleep_and_note_the_others() {
    let server = service_with(json!(["nap", "night"]), vec![nap(), night()], 404);
    let formats = if cfg!(feature = "tables") { &["json", "csv"][..] } else { &["json"] };
    for format in formats {
        let output = run(&server, &["--format", format]);
        assert!(output.status.success() && text(&output.stdout).contains("night") && !text(&output.stdout).contains("nap"), "{output:?}");
        assert_eq!(text(&output.stderr), "vitalwire: note: more sleeps of that date, not written: 1; without --format they are listed\n");
    }
    let alone = service_with(json!(["night"]), vec![night()], 404);
    assert!(run(&alone, &["--format", "json"]).stderr.is_empty());
}

#[test]
#[cfg(feature = "tables")]
fn the_table_of_sleeps_has_all_sleeps_of_the_date() {
    let server = service_with(json!(["nap", "a-walk", "night"]), vec![nap(), night()], 404);
    let output = run(&server, &["--table", "sleeps", "--format", "csv"]);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let ids: Vec<&str> = text(&output.stdout).lines().skip(1).map(|line| line.split(',').next().unwrap_or_default()).collect();
    assert_eq!(ids, ["night", "nap"]);
    assert!(server.requests().iter().all(|request| !request.line.contains("include_stages=true")));
}

#[test]
fn a_date_without_sleep_is_not_found_and_a_failure_stays_an_error() {
    for (ids, other_status, code, kind) in [
        (json!(null), 404, 12, "not_found: no sleep of that date"),
        (json!([]), 404, 12, "not_found: no sleep of that date"),
        (json!(["a-walk", ".."]), 404, 12, "not_found: no sleep of that date"),
        (json!(["a-walk"]), 503, 13, "service"),
    ] {
        let output = run(&service_with(ids, Vec::new(), other_status), &[]);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(code), 0), "{output:?}");
        assert!(text(&output.stderr).starts_with(&format!("vitalwire: {kind}")), "{output:?}");
    }
}

/// On this date, the first person of the sandbox has a night and a nap in the afternoon.
#[test]
fn the_sandbox_has_nights_and_naps() {
    let world = |more: &[&str]| {
        let mut command = vitalwire();
        let output = command.args(["--sandbox", "--seed", "7", "--today", "2025-11-21", "sleep"]).args(more).output().expect("it starts");
        assert!(output.status.success(), "{output:?}");
        text(&output.stdout).to_owned()
    };
    assert_eq!(world(&["--date", "2025-11-21"]), world(&[]));
    let shown = world(&["--date", "2025-11-10"]);
    let nap = shown.lines().last().and_then(|line| line.split_whitespace().last()).expect("an id").to_owned();
    assert!(shown.contains("Also of that date"), "{shown}");
    // Another sandbox has the same people, even without `--db`.
    assert!(world(&[&nap]).contains("Mon 10 Nov 2025"), "{shown}");
}

/// Relative days count back from the date in the sandbox, or of this machine.
#[test]
fn dates_may_be_words() {
    let world = |date: &str| {
        let mut command = vitalwire();
        command.args(["--sandbox", "--seed", "7", "--today", "2025-11-21", "sleep", "--date", date]);
        text(&command.output().expect("it starts").stdout).to_owned()
    };
    for (word, date) in [("today", DATE), ("yesterday", "2025-11-20"), ("-1d", "2025-11-20"), ("-11d", "2025-11-10")] {
        assert!(world(word).starts_with("Sleep ") && world(word) == world(date), "{word}");
    }
    // The service states no zone, so the day is in UTC.
    let days = |zone: &str| {
        let server = service_with(json!([]), Vec::new(), 404);
        let output = server.command(&["sleep"]).env("TZ", zone).output().expect("it starts");
        assert_eq!(output.status.code(), Some(12), "{output:?}");
        server.requests().iter().map(|request| request.line.clone()).collect::<Vec<_>>()
    };
    assert!(days("UTC+11").last() == days("UTC-13").last(), "the clock of this machine decides nothing");
}

/// Last night is the night that ended this morning. If that night has not ended yet, last night is the night before.
#[test]
fn the_default_date_is_last_night() {
    for has_ended in [false, true] {
        // The service states no zone, so the day is in UTC.
        let server = ScriptedServer::start(move |_, request: &Request| {
            let bound = |name: &str| request.line.split(['?', '&']).find_map(|part| part.strip_prefix(name)).map(str::to_owned);
            if let (Some(first), Some(last)) = (bound("from_date="), bound("to_date=")) {
                let date = |text: &str| text.parse::<jiff::civil::Date>().expect("a date");
                assert_eq!(date(&first).tomorrow().expect("a day"), date(&last), "{}", request.line);
                let day = |date: &str, ids: Value| json!({ "date": date, "record_ids": ids, "values": {} });
                let ids = if has_ended { json!(["night"]) } else { json!([]) };
                let days = json!([day(&last, ids), day(&first, json!(["night"]))]);
                return Reply::json(json!({ "from_date": first, "to_date": last, "statistics": days }).to_string());
            }
            Reply::json(night().to_string())
        });
        let output = server.command(&["sleep"]).output().expect("it starts");
        assert!(output.status.success() && text(&output.stdout).contains("23:00 to 06:00 local time"), "{output:?}");
        let requests = server.requests();
        let line = &requests.iter().find(|request| request.line.contains("to_date=")).expect("a request").line;
        let bound = |name: &str| line.split(['?', '&']).find_map(|part| part.strip_prefix(name)).expect("a date");
        let (first, last) = (bound("from_date="), bound("to_date="));
        let note = format!("vitalwire: note: no sleep ended on {last} so far; this is the night of {first}\n");
        assert_eq!(text(&output.stderr), if has_ended { "" } else { &note });
    }
}

/// The sandbox has no way of its own to find last night: data that arrives late is not there yet.
#[test]
fn last_night_is_found_in_the_sandbox_as_in_any_service() {
    let run = |late: &str, more: &[&str]| {
        let mut command = vitalwire();
        command.args(["--sandbox", "--today", "2025-11-21", "--delivery", &format!("person-1=late:{late}"), "sleep"]);
        command.args(more).output().expect("it starts")
    };
    let note = "vitalwire: note: no sleep ended on 2025-11-21 so far; this is the night of 2025-11-20\n";
    let output = run("1", &[]);
    assert!(output.status.success() && text(&output.stdout).contains("Thu 20 Nov 2025"), "{output:?}");
    assert_eq!(text(&output.stderr), note);
    #[cfg(feature = "tables")]
    assert_eq!(text(&run("1", &["--table", "sleeps", "--format", "csv"]).stderr), note);
    let output = run("3", &[]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(12), 0), "{output:?}");
    assert!(text(&output.stderr).starts_with("vitalwire: not_found: no sleep of last night"), "{output:?}");
}

#[test]
fn invalid_dates_and_an_id_with_a_date_are_rejected() {
    for arguments in
        [&["sleep", "x", "--date", DATE][..], &["sleep", "--date", "tomorrow"], &["sleep", "--date"], &["sleep", "--date", "-2"]]
    {
        let output = vitalwire().args(arguments).output().expect("it starts");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
    }
}

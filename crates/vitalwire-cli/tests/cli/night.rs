//! Nights with few values: absent values are drawn as absent, never as 0 or UTC+00:00.

use serde_json::{Value, json};

use crate::scripted::{Reply, ScriptedServer};

/// Returns a record with only its required fields.
fn minimal_night() -> Value {
    json!({ "sleep_id": "n", "start_at_timestamp": "2025-11-20T22:15:00Z", "modified_at": "2025-11-21T08:00:00Z" })
}

fn night_with(fields: Value) -> Value {
    let mut night = minimal_night();
    night.as_object_mut().expect("an object").extend(fields.as_object().expect("an object").clone());
    night
}

fn shown(night: &Value) -> String {
    let server = ScriptedServer::json(&night.to_string());
    let output = server.command(&["sleep", "n"]).output().expect("it starts");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Returns the first line of the night, its axis and its last line, in a time zone.
fn shown_in(zone: &str, start: &str, end: &str) -> [String; 2] {
    let stages = json!([{ "stage": "light", "start_at": start, "end_at": end, "duration": 1 }]);
    let night = json!({ "sleep_id": "n", "start_at_timestamp": start, "end_at_timestamp": end, "modified_at": end, "stages": stages,
        "user_time_offset_minutes": 120 });
    let server = ScriptedServer::json(&night.to_string());
    let output = server.command(&["sleep", "n", "--time-zone", zone]).output().expect("it starts");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let screen = String::from_utf8(output.stdout).expect("UTF-8");
    let line = |part: &str| screen.lines().find(|line| line.contains(part)).unwrap_or_else(|| panic!("{screen}")).trim().to_owned();
    [line(" to "), line("  01:00 ")]
}

/// In Berlin, the clocks went back from 03:00 to 02:00 on 26 October 2025, which was 01:00 UTC. The record has one offset for the night.
#[test]
fn a_time_zone_applies_to_a_night_and_to_a_change_of_the_clocks() {
    let night = ("2025-10-25T21:00:00Z", "2025-10-26T05:30:00Z");
    let [times, axis] = shown_in("Europe/Berlin", night.0, night.1);
    assert!(times.contains("23:00 to 06:30 in Europe/Berlin") && !times.contains("UTC"), "{times}");
    let hours: Vec<&str> = axis.split_whitespace().collect();
    assert_eq!(hours, ["23:00", "00:00", "01:00", "02:00", "02:00", "03:00", "04:00", "05:00"], "{axis}");
    let [times, axis] = shown_in("Asia/Kolkata", "2025-10-25T17:00:00Z", "2025-10-26T00:00:00Z");
    assert!(times.contains("22:30 to 05:30 in Asia/Kolkata"), "{times}");
    assert_eq!(axis.split_whitespace().next(), Some("23:00"), "{axis}");
    // Without the option, both times have the offset of the record, and the text names it.
    let fields = json!({ "start_at_timestamp": night.0, "end_at_timestamp": night.1, "user_time_offset_minutes": 120 });
    assert!(shown(&night_with(fields)).contains("23:00 to 07:30 local time (UTC+02:00)"));
}

/// Whether the screen shows no zero duration, share or count. 00:00 is a time of day.
fn shows_no_zero(shown: &str) -> bool {
    !shown.contains("NaN") && !shown.split_whitespace().any(|word| ["0", "0:00", "0%"].contains(&word))
}

#[test]
fn a_night_without_an_offset_is_shown_in_utc() {
    let night = json!({ "end_at_timestamp": "2025-11-21T05:45:00Z", "sleep_date": "2025-11-21" });
    let screen = shown(&night_with(night.clone()));
    assert!(screen.contains("22:15 to 05:45 UTC, the local time is not known") && !screen.contains("UTC+"), "{screen}");
    let mut null = night_with(night.clone());
    null["user_time_offset_minutes"] = Value::Null;
    assert_eq!(shown(&null), screen);
    // An offset of 0 is an offset.
    let mut stated = night_with(night);
    stated["user_time_offset_minutes"] = json!(0);
    assert!(shown(&stated).contains("22:15 to 05:45 local time (UTC+00:00)"));
}

#[test]
fn missing_values_are_not_shown_as_zero() {
    let screen = shown(&minimal_night());
    assert!(screen.contains("22:15 to …") && screen.contains("by unknown provider, an unknown device"), "{screen}");
    assert!(shows_no_zero(&screen), "{screen}");
    for absent in
        [json!({ "metrics": {} }), json!({ "metrics": { "sleep_interruptions": null, "sleep_score": "7" } }), json!({ "stages": null })]
    {
        let screen = shown(&night_with(json!({ "end_at_timestamp": "2025-11-21T05:45:00Z", "metrics": {}, "stages": [] })));
        assert_eq!(shown(&night_with(json!({ "end_at_timestamp": "2025-11-21T05:45:00Z" }))), screen);
        let mut night = night_with(json!({ "end_at_timestamp": "2025-11-21T05:45:00Z" }));
        night.as_object_mut().expect("an object").extend(absent.as_object().expect("an object").clone());
        assert_eq!(shown(&night), screen, "{absent}");
        assert!(shows_no_zero(&screen), "{screen}");
    }
    // A measured zero is shown as zero.
    assert!(shown(&night_with(json!({ "metrics": { "sleep_interruptions": 0 } }))).contains("woke up 0 times"));
}

fn heart_rate_line(values: &Value) -> String {
    let times = json!({ "offsets": [0, 1_800_000, 3_600_000, 5_400_000], "durations": [1_800_000, 1_800_000, 1_800_000, 1_800_000] });
    let mut samples = times.as_object().expect("an object").clone();
    samples.insert("values".to_owned(), json!({ "heartrate": values }));
    shown(&night_with(json!({ "end_at_timestamp": "2025-11-21T00:15:00Z", "samples": samples })))
}

#[test]
fn a_gap_in_the_heart_rate_is_no_value() {
    let screen = heart_rate_line(&json!([50, null, 60, 62]));
    assert!(screen.contains("50–62 bpm") && !screen.contains("NaN"), "{screen}");
    for nothing in [json!([null, null, null, null]), json!([]), json!([50, 60, 62])] {
        let screen = heart_rate_line(&nothing);
        assert!(!screen.contains("bpm") && !screen.contains("NaN"), "{nothing}: {screen}");
    }
}

#[test]
fn other_sleeps_without_an_offset_are_listed_in_utc() {
    let record = |id: &str, end: &str| {
        json!({ "sleep_id": id, "sleep_date": "2025-11-21", "start_at_timestamp": "2025-11-20T22:15:00Z", "end_at_timestamp": end,
                "modified_at": "2025-11-21T08:00:00Z" })
    };
    let server = ScriptedServer::start(move |_, request| {
        Reply::json(match request.line.split('?').next().and_then(|path| path.rsplit('/').next()) {
            Some("night") => record("night", "2025-11-21T05:45:00Z").to_string(),
            Some("nap") => record("nap", "2025-11-20T22:45:00Z").to_string(),
            _ => json!({ "from_date": "2025-11-21", "to_date": "2025-11-21",
                "statistics": [{ "date": "2025-11-21", "record_ids": ["nap", "night"] }] })
            .to_string(),
        })
    });
    let output = server.command(&["sleep", "--date", "2025-11-21"]).output().expect("it starts");
    let screen = String::from_utf8(output.stdout).expect("UTF-8");
    let last: Vec<&str> = screen.lines().last().expect("a line").split_whitespace().collect();
    assert_eq!(last, ["22:15", "to", "22:45", "UTC", "unknown", "provider", "nap"], "{screen}");
}

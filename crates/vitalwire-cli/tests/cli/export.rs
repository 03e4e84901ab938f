//! Responses as tables for other programs. Contents are tested in the client crate; these tests check the choice and destination of tables.

use serde_json::Value;
use vitalwire::open_sets::StatisticName;
use vitalwire::value::OpenSet;

use crate::common::{run, vitalwire};
use crate::scripted::{Reply, ScriptedServer};

fn output_bytes(arguments: &[&str]) -> Vec<u8> {
    let output = run(&[&["--sandbox", "--seed", "7", "--today", "2025-11-21"], arguments].concat());
    assert!(output.status.success() && output.stderr.is_empty(), "{arguments:?}: {output:?}");
    output.stdout
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_slice(&output_bytes(&[arguments, &["--format", "json"]].concat())).expect("JSON")
}

/// Returns the lines of a CSV table. Its cells must not contain line ends.
fn csv(arguments: &[&str]) -> Vec<String> {
    let text = String::from_utf8(output_bytes(&[arguments, &["--format", "csv"]].concat())).expect("UTF-8");
    assert!(text.ends_with("\r\n"));
    text.split_terminator("\r\n").map(str::to_owned).collect()
}

#[test]
fn csv_has_the_numbers_of_the_response() {
    let daily = ["stats", "daily", "--types", "steps,heartrate_resting"];
    let lines = csv(&daily);
    assert_eq!(lines[0], "date,steps,heartrate_resting");
    let response = json(&daily);
    let days = response["statistics"].as_array().expect("a list");
    assert_eq!((lines.len(), days.len()), (15, 14));
    for (line, day) in lines.iter().skip(1).zip(days) {
        let number = |name: &str| day["values"][name].as_f64().map_or_else(String::new, |value| value.to_string());
        let date = day["date"].as_str().expect("a date");
        assert_eq!(*line, format!("{date},{},{}", number("steps"), number("heartrate_resting")));
    }
}

/// Two runs have equal columns, whichever days have values.
#[test]
fn statistics_requested_by_name_are_columns_even_without_a_value() {
    let day = r#"{"from_date":"2025-11-20","to_date":"2025-11-20","statistics":[{"date":"2025-11-20","values":{"steps":7}}]}"#;
    let hour = r#"{"statistics":[{"from_timestamp":"2025-11-20T10:00:00Z","to_timestamp":"2025-11-20T11:00:00Z","values":{"steps":7}}]}"#;
    let server = ScriptedServer::start(move |_, request| Reply::json(if request.line.contains("interval") { hour } else { day }));
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("parts.csv");
    let text = |arguments: &[&str]| {
        let output = server.command(&[arguments, &["--format", "csv"]].concat()).output().expect("it starts");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let types = ["--types", "weight,steps,heartrate", "--from", "2025-11-20", "--to", "2025-11-20"];
    let daily = [&["stats", "daily"], &types[..]].concat();
    let expected = "date,weight,steps,heartrate\r\n2025-11-20,,7,\r\n";
    assert_eq!(text(&daily), expected);
    assert_eq!(text(&[&daily[..], &["--split-days", "1"]].concat()), expected);
    text(&[&daily[..], &["--split-days", "1", "--output", file.to_str().expect("text")]].concat());
    assert_eq!(std::fs::read_to_string(&file).expect("a file"), expected);
    let hours = text(&["stats", "interval", "--types", "weight,steps", "--from", "2025-11-20T10:00:00Z", "--to", "2025-11-20T11:00:00Z"]);
    assert_eq!(hours, "from_timestamp,to_timestamp,weight,steps\r\n2025-11-20T10:00:00Z,2025-11-20T11:00:00Z,,7\r\n");
    // Without names, a column needs a value.
    assert_eq!(text(&["stats", "daily", "--from", "2025-11-20", "--to", "2025-11-20"]), "date,steps\r\n2025-11-20,7\r\n");
}

#[test]
fn all_columns_adds_columns_without_values() {
    let daily = ["stats", "daily", "--types", "steps"];
    assert!(csv(&daily)[0].starts_with("date,steps"));
    let fixed = csv(&daily)[0].split(',').count() - ["steps"].len();
    let all = csv(&[&daily[..], &["--all-columns"]].concat())[0].split(',').count();
    assert_eq!(all, fixed + StatisticName::KNOWN.len());
}

#[test]
fn escape_formulas_escapes_text_that_begins_like_a_formula() {
    let body = r#"[{"record_id":"m","status":"completed","uploaded_at":"2025-01-01T12:00:00Z","modified_at":"2025-01-01T12:00:20Z","dish_name":"=canary()",
        "nutritional_fields":{"energy_kcal":-12.5}}]"#;
    let server = ScriptedServer::start(move |_, _| Reply::json(body));
    for (more, cell) in [(&[][..], ",=canary(),"), (&["--escape-formulas"], ",'=canary(),")] {
        let output = server.command(&[&["nutrition", "list", "--format", "csv"], more].concat()).output().expect("it starts");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        assert!(output.status.success() && text.contains(cell) && text.contains(",-12.5"), "{more:?}: {text}");
    }
    for format in ["table", "json", "parquet", "arrow"] {
        let rejected = run(&["--sandbox", "nutrition", "list", "--escape-formulas", "--format", format]);
        assert_eq!(rejected.status.code(), Some(2), "{format}");
    }
}

/// Durations are in milliseconds and distances in metres, as in the interface.
#[test]
fn units_adds_units_to_column_names() {
    let header = |arguments: &[&str]| csv(&[arguments, &["--units"]].concat())[0].trim_end().to_owned();
    assert_eq!(header(&["sleep"]), "sleep_id,stage,start_at,start_at_local,end_at,end_at_local,duration [ms]");
    assert!(header(&["sleep", "--table", "samples"]).starts_with("sleep_id,at,at_local,offset [ms],duration [ms],"));
    let daily = header(&["stats", "daily", "--types", "distance_total,heartrate,sleep_duration_total"]);
    assert!(daily.contains("distance_total [m],heartrate [bpm],sleep_duration_total [ms]"), "{daily}");
    let rows = |more: &[&str]| csv(&[&["sleep"], more].concat())[1..].to_vec();
    assert_eq!(rows(&[]), rows(&["--units"]));
    for format in ["table", "json", "parquet", "arrow"] {
        assert_eq!(run(&["--sandbox", "sleep", "--units", "--format", format]).status.code(), Some(2), "{format}");
    }
}

#[test]
fn time_zone_selects_the_local_times() {
    let lines = csv(&["stats", "interval", "--types", "steps", "--time-zone", "Asia/Kolkata"]);
    assert!(lines[0].starts_with("from_timestamp,from_timestamp_local,to_timestamp,to_timestamp_local,steps"), "{}", lines[0]);
    assert!(lines[1].starts_with("2025-11-20T12:00:00Z,2025-11-20T17:30:00,2025-11-20T13:00:00Z,2025-11-20T18:30:00,"), "{}", lines[1]);
    // `--time-zone` overrides the UTC offset of the night. This person lives in Berlin.
    let local = |arguments: &[&str]| csv(arguments)[1].split(',').nth(3).map(str::to_owned);
    assert_eq!(local(&["sleep", "--time-zone", "Europe/Berlin"]), local(&["sleep"]));
    assert_ne!(local(&["sleep", "--time-zone", "Asia/Kolkata"]), local(&["sleep"]));
    assert_eq!(run(&["--sandbox", "sleep", "--format", "csv", "--time-zone", "Nowhere"]).status.code(), Some(2));
}

/// A note lists data that is not written, by column and count.
#[test]
fn skipped_and_truncated_data_causes_notes() {
    let night = r#"{"modified_at":"2025-01-02T08:00:00Z","start_at_timestamp":"2025-01-01T22:00:00Z",
        "stages":[{"start_at":"2025-01-01T22:00:00.0000005Z","duration":1000.5},{"duration":"long"}]}"#;
    let server = ScriptedServer::start(move |_, _| Reply::json(night));
    let notes = |more: &[&str]| {
        let output = server.command(&[&["sleep", "00000000-0000-4000-8000-000000000001"], more].concat()).output().expect("it starts");
        assert!(output.status.success() && !output.stdout.is_empty(), "{output:?}");
        String::from_utf8(output.stderr).expect("text")
    };
    let skipped = "vitalwire: note: 2 values of column duration were left out (expected an integer)\n";
    let truncated = "vitalwire: note: 1 time of column start_at is rounded down to microseconds; --time-unit ns keeps every digit\n";
    assert_eq!(notes(&["--format", "csv"]), skipped);
    for format in ["arrow", "parquet"] {
        assert_eq!(notes(&["--format", format]), format!("{skipped}{truncated}"));
        assert_eq!(notes(&["--format", format, "--time-unit", "ns"]), skipped);
    }
}

#[test]
fn every_table_can_be_written() {
    let night = json(&["sleep"]);
    let length = |value: &Value| value.as_array().map_or(0, Vec::len);
    let stages = csv(&["sleep"]);
    assert!(stages[0].starts_with("sleep_id,stage,start_at,start_at_local,end_at,end_at_local,duration"), "{}", stages[0]);
    assert_eq!(stages.len() - 1, length(&night["stages"]));
    let samples = csv(&["sleep", "--table", "samples"]);
    assert!(samples[0].starts_with("sleep_id,at,at_local,offset,duration,"), "{}", samples[0]);
    assert_eq!(samples.len() - 1, length(&night["samples"]["offsets"]));
    assert!(stages.len() > 5 && samples.len() > 5);
    let sleeps = csv(&["sleep", "--table", "sleeps"]);
    assert!(sleeps[0].starts_with("sleep_id,") && sleeps.len() == 2, "{}", sleeps[0]);
    let cell = |name: &str| {
        sleeps[0].trim_end().split(',').position(|column| column == name).and_then(|at| sleeps[1].trim_end().split(',').nth(at))
    };
    assert_eq!(cell("sleep_id"), night["sleep_id"].as_str());
    assert_eq!(cell("is_nap"), Some("false"));
    assert_eq!(cell("sleep_latency").map(str::to_owned), night["metrics"]["sleep_latency"].as_f64().map(|value| value.to_string()));

    let hours = csv(&["stats", "interval", "--types", "steps"]);
    assert!(hours[0].starts_with("from_timestamp,to_timestamp,steps") && hours.len() == 25, "{}", hours[0]);
    assert!(hours[1].starts_with("2025-11-20T12:00:00Z,2025-11-20T13:00:00Z,"), "{}", hours[1]);

    let meals = json(&["nutrition", "list"]);
    let meals = meals.as_array().expect("a list");
    assert_eq!(csv(&["nutrition", "list"]).len() - 1, meals.len());
    let all: usize = meals.iter().map(|meal| length(&meal["ingredients"])).sum();
    assert_eq!(csv(&["nutrition", "list", "--table", "ingredients"]).len() - 1, all);
    let meal = meals[0]["record_id"].as_str().expect("an id");
    assert!(csv(&["nutrition", "get", meal])[1].starts_with(&format!("per_serving,{meal},")));

    let reports = json(&["labs", "list"]);
    let results = |report: &Value| {
        report["sections"].as_array().map_or(0, |all| all.iter().map(|section| length(&section["results"])).sum::<usize>())
    };
    let reports = reports.as_array().expect("a list");
    assert_eq!(csv(&["labs", "list"]).len() - 1, reports.iter().map(results).sum::<usize>());
    let report = reports[0]["record_id"].as_str().expect("an id");
    assert_eq!(csv(&["labs", "get", report]).len() - 1, results(&reports[0]));
}

#[test]
fn binary_formats_are_written_to_pipes_and_files() {
    let daily = ["stats", "daily"];
    let parquet = output_bytes(&[&daily[..], &["--format", "parquet"]].concat());
    assert!(parquet.starts_with(b"PAR1") && parquet.ends_with(b"PAR1"));
    // Each message of a stream begins with a marker and a length. The stream ends with a marker and length 0.
    let arrow = output_bytes(&[&daily[..], &["--format", "arrow"]].concat());
    assert!(arrow.starts_with(&[0xff; 4]) && arrow.ends_with(&[0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("d.parquet");
    let into = path.to_str().expect("text");
    assert!(output_bytes(&[&daily[..], &["--format", "parquet", "-o", into]].concat()).is_empty());
    assert_eq!(std::fs::read(&path).expect("a file"), parquet);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_local_failure() {
    for format in ["csv", "parquet", "arrow"] {
        let output = run(&["--sandbox", "stats", "daily", "--format", format, "-o", "/dev/full"]);
        let notes = String::from_utf8(output.stderr).expect("text");
        assert_eq!(output.status.code(), Some(1), "{format}: {notes}");
        assert!(notes.starts_with("vitalwire: the output cannot be written: No space left on device"), "{format}: {notes}");
    }
}

#[test]
fn responses_without_a_table_are_rejected() {
    for arguments in [
        &["user"][..],
        &["properties"],
        &["integrations", "list"],
        &["token"],
        &["benefits", "c", "p", "q"],
        &["labs", "upload"],
        &["nutrition", "upload"],
    ] {
        for format in ["csv", "parquet", "arrow"] {
            let output = run(&[&["--sandbox", "--format", format], arguments].concat());
            assert_eq!(output.status.code(), Some(2), "{arguments:?}");
            assert!(output.stdout.is_empty());
            assert!(String::from_utf8(output.stderr).expect("text").starts_with("vitalwire: the response has no table; "));
        }
    }
    for arguments in [
        &["sleep", "--table", "samples"][..],
        &["stats", "daily", "--all-columns"],
        &["nutrition", "list", "--table", "records", "--format", "json"],
    ] {
        assert_eq!(run(&[&["--sandbox"], arguments].concat()).status.code(), Some(2), "{arguments:?}");
    }
    let verify = vitalwire()
        .args(["webhook", "verify", "--format", "csv", "--key-env", "K", "--signature", "00", "-"])
        .env("K", "k")
        .output()
        .expect("it starts");
    assert_eq!(verify.status.code(), Some(2));
}

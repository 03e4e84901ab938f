//! Records behind statistics, and which of them count: `--record-ids`, `--exclude-manual`, `--device-types`.

use serde_json::json;

use crate::scripted::Scripted;

const DAYS: [&str; 8] = ["stats", "daily", "--types", "steps", "--from", "2025-01-01", "--to", "2025-01-02"];
const HOURS: [&str; 4] = ["stats", "interval", "--types", "steps"];

/// Answers with ids, whatever it is asked.
fn telling() -> Scripted {
    let bucket = |from: &str, to: &str, ids| json!({ "date": "2025-01-01", "from_timestamp": from, "to_timestamp": to, "record_ids": ids, "values": { "steps": 7 } });
    let (nine, ten, eleven) = ("2025-01-01T09:00:00Z", "2025-01-01T10:00:00Z", "2025-01-01T11:00:00Z");
    let buckets = [bucket(nine, ten, json!(["id-1", "id-2"])), bucket(ten, eleven, json!(null))];
    Scripted::json(&json!({ "from_date": "2025-01-01", "to_date": "2025-01-02", "statistics": buckets }).to_string())
}

/// Answers without ids.
fn silent() -> Scripted {
    let bucket = json!({ "date": "2025-01-01", "from_timestamp": "2025-01-01T09:00:00Z", "record_ids": [], "values": { "steps": 7 } });
    Scripted::json(&json!({ "from_date": "2025-01-01", "to_date": "2025-01-02", "statistics": [bucket] }).to_string())
}

fn answer(server: &Scripted, arguments: &[&str]) -> String {
    let output = server.caller(arguments).output().expect("it starts");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn what_is_said_is_sent_by_the_interfaces_names() {
    for command in [&DAYS[..], &HOURS] {
        let server = silent();
        answer(&server, command);
        for name in ["include_record_ids", "exclude_manual", "device_types"] {
            assert!(!server.requests()[0].line.contains(name), "{name} was not said");
        }
        answer(&server, &[command, &["--record-ids", "--exclude-manual", "--device-types", "unknown,ring"]].concat());
        let line = server.requests()[1].line.clone();
        for part in ["include_record_ids=true", "exclude_manual=true", "device_types=unknown&device_types=ring"] {
            assert!(line.contains(part), "{line}");
        }
    }
}

#[test]
fn people_see_the_ids_below_the_statistics() {
    let shown = answer(&telling(), &[&DAYS[..], &["--record-ids"]].concat());
    assert!(shown.ends_with("\n\n  2025-01-01  id-1  id-2\n"), "{shown}");
    let shown = answer(&telling(), &[&HOURS[..], &["--record-ids"]].concat());
    assert!(shown.ends_with("\n\n  2025-01-01 09:00  id-1  id-2\n"), "{shown}");
    assert!(answer(&silent(), &[&DAYS[..], &["--record-ids"]].concat()).ends_with("\n\n  No record ids.\n"));
    assert!(!answer(&telling(), &DAYS).contains("id-1"));
    assert!(answer(&telling(), &[&DAYS[..], &["--format", "json"]].concat()).contains("\"id-1\""));
}

#[cfg(feature = "tables")]
#[test]
fn the_column_of_ids_is_there_if_they_were_asked_for() {
    let in_parts = ["--split-days", "9", "--from", "2025-01-01T00:00:00Z", "--to", "2025-01-03T00:00:00Z"];
    let hours = "from_timestamp,to_timestamp";
    for (command, more, times) in [(&DAYS[..], &[][..], "date"), (&HOURS, &[], hours), (&HOURS, &in_parts, hours)] {
        let csv = |server: &Scripted, asked: &[&str]| answer(server, &[command, more, asked, &["--format", "csv"]].concat());
        let head = |csv: &str| csv.split("\r\n").next().unwrap_or_default().to_owned();
        // Fields that an answer may have besides come after the numbers.
        let begins = |csv: &str, names: &str| assert!(head(csv).starts_with(&format!("{times},{names}")), "{csv}");
        begins(&csv(&silent(), &[]), "steps");
        begins(&csv(&silent(), &["--record-ids"]), "record_ids,steps");
        let asked = csv(&telling(), &["--record-ids"]);
        begins(&asked, "record_ids,steps");
        assert!(asked.contains(",id-1;id-2,7"), "{asked}");
        // What a service tells unasked is not thrown away.
        assert_eq!(csv(&telling(), &[]), asked);
    }
}

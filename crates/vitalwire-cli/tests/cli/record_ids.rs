//! Record ids of statistics and filters: `--record-ids`, `--exclude-manual`, `--device-types`.

use serde_json::json;

use crate::scripted::ScriptedServer;

const DAYS: [&str; 8] = ["stats", "daily", "--types", "steps", "--from", "2025-01-01", "--to", "2025-01-02"];
const HOURS: [&str; 4] = ["stats", "interval", "--types", "steps"];

/// Creates a service whose responses always have record ids.
fn service_with_ids() -> ScriptedServer {
    let bucket = |from: &str, to: &str, ids| json!({ "date": "2025-01-01", "from_timestamp": from, "to_timestamp": to, "record_ids": ids, "values": { "steps": 7 } });
    let (nine, ten, eleven) = ("2025-01-01T09:00:00Z", "2025-01-01T10:00:00Z", "2025-01-01T11:00:00Z");
    let buckets = [bucket(nine, ten, json!(["id-1", "id-2"])), bucket(ten, eleven, json!(null))];
    ScriptedServer::json(&json!({ "from_date": "2025-01-01", "to_date": "2025-01-02", "statistics": buckets }).to_string())
}

/// Creates a service whose responses have no record ids.
fn service_without_ids() -> ScriptedServer {
    let bucket = json!({ "date": "2025-01-01", "from_timestamp": "2025-01-01T09:00:00Z", "record_ids": [], "values": { "steps": 7 } });
    ScriptedServer::json(&json!({ "from_date": "2025-01-01", "to_date": "2025-01-02", "statistics": [bucket] }).to_string())
}

fn screen(server: &ScriptedServer, arguments: &[&str]) -> String {
    let output = server.command(arguments).output().expect("it starts");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn filters_are_sent_with_the_names_of_the_interface() {
    for command in [&DAYS[..], &HOURS] {
        let server = service_without_ids();
        screen(&server, command);
        for name in ["include_record_ids", "exclude_manual", "device_types"] {
            assert!(!server.requests()[0].line.contains(name), "{name} was not said");
        }
        screen(&server, &[command, &["--record-ids", "--exclude-manual", "--device-types", "unknown,ring"]].concat());
        let line = server.requests()[1].line.clone();
        for part in ["include_record_ids=true", "exclude_manual=true", "device_types=unknown&device_types=ring"] {
            assert!(line.contains(part), "{line}");
        }
    }
}

#[test]
fn record_ids_are_shown_below_the_statistics() {
    let shown = screen(&service_with_ids(), &[&DAYS[..], &["--record-ids"]].concat());
    assert!(shown.ends_with("\n\n  2025-01-01  id-1  id-2\n"), "{shown}");
    let shown = screen(&service_with_ids(), &[&HOURS[..], &["--record-ids"]].concat());
    assert!(shown.ends_with("\n\n  2025-01-01 09:00  id-1  id-2\n"), "{shown}");
    assert!(screen(&service_without_ids(), &[&DAYS[..], &["--record-ids"]].concat()).ends_with("\n\n  No record ids.\n"));
    assert!(!screen(&service_with_ids(), &DAYS).contains("id-1"));
    assert!(screen(&service_with_ids(), &[&DAYS[..], &["--format", "json"]].concat()).contains("\"id-1\""));
}

#[cfg(feature = "tables")]
#[test]
fn record_ids_are_a_column_if_requested() {
    let in_parts = ["--split-days", "9", "--from", "2025-01-01T00:00:00Z", "--to", "2025-01-03T00:00:00Z"];
    let hours = "from_timestamp,to_timestamp";
    for (command, more, times) in [(&DAYS[..], &[][..], "date"), (&HOURS, &[], hours), (&HOURS, &in_parts, hours)] {
        let csv = |server: &ScriptedServer, requested: &[&str]| screen(server, &[command, more, requested, &["--format", "csv"]].concat());
        let head = |csv: &str| csv.split("\r\n").next().unwrap_or_default().to_owned();
        // Additional columns come after the numbers.
        let begins = |csv: &str, names: &str| assert!(head(csv).starts_with(&format!("{times},{names}")), "{csv}");
        begins(&csv(&service_without_ids(), &[]), "steps");
        begins(&csv(&service_without_ids(), &["--record-ids"]), "record_ids,steps");
        let requested = csv(&service_with_ids(), &["--record-ids"]);
        begins(&requested, "record_ids,steps");
        assert!(requested.contains(",id-1;id-2,7"), "{requested}");
        // Record ids that were not requested are written too.
        assert_eq!(csv(&service_with_ids(), &[]), requested);
    }
}

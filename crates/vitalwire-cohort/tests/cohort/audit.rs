//! Tests of the audit log of exports.

use std::fs;
use std::path::Path;

use serde_json::Value;
use vitalwire_cohort::dataset::{AuditLog, AuditRun, AuditScope, Summary};
use vitalwire_cohort::{Changes, CohortReader, CohortTable};

use super::service::Service;
use super::{changes, date};

fn reader() -> (Service, CohortReader) {
    let service = Service::start(&["anna"], |_, day| Some(day));
    let reader = service.reader(&["anna"]);
    (service, reader)
}

fn scope() -> AuditScope {
    let days = Some((date("2025-01-01"), date("2025-01-31")));
    AuditScope { users: vec!["anna".to_owned()], tables: vec![CohortTable::Daily], days }
}

fn begin(log: &AuditLog, reader: &CohortReader) -> AuditRun {
    log.begin(reader, Path::new("study"), &scope()).unwrap()
}

fn summary(rows: Changes, failures: usize) -> Summary {
    let mut summary = Summary::default();
    summary.tables.insert(CohortTable::Daily, rows);
    summary.failures = failures;
    summary
}

fn lines(path: &Path) -> Vec<Value> {
    fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn each_run_has_a_line_at_its_start_and_one_at_its_end() {
    let (service, reader) = reader();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("audit.jsonl");
    let log = AuditLog::new(&path);
    begin(&log, &reader).end(Some(&summary(changes(9, 1, 1), 0))).unwrap();
    begin(&log, &reader).end(Some(&summary(changes(0, 0, 0), 2))).unwrap();
    begin(&log, &reader).end(None).unwrap();
    drop(begin(&log, &reader));
    let lines = lines(&path);
    let text = |line: &Value, name: &str| line[name].as_str().unwrap_or_default().to_owned();
    let events: Vec<_> = lines.iter().map(|line| (text(line, "event"), text(line, "result"))).collect();
    let event = |event: &str, result: &str| (event.to_owned(), result.to_owned());
    let expected = ["complete", "partial", "failed", "interrupted"].iter().flat_map(|result| [event("start", ""), event("end", result)]);
    assert_eq!(events, expected.collect::<Vec<_>>());
    for pair in lines.chunks(2) {
        assert_eq!(pair[0]["run"], pair[1]["run"]);
    }
    let start = &lines[0];
    assert_eq!(start["users"], serde_json::json!(["anna"]));
    assert_eq!(start["tables"], serde_json::json!(["daily"]));
    assert_eq!(start["days"], serde_json::json!(["2025-01-01", "2025-01-31"]));
    assert_eq!(start["service"], service.server.url());
    assert!(start["dataset"].as_str().unwrap().ends_with("/study"), "{start}");
    assert!(start["version"].is_string() && start["time"].is_string(), "{start}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
        let file = fs::metadata(&path).unwrap();
        assert_eq!(start["uid"], file.uid());
        assert_eq!(file.permissions().mode() & 0o777, 0o600);
    }
    assert_eq!(lines[1]["tables"]["daily"], serde_json::json!({"added": 9, "changed": 1, "removed": 1}));
    assert_eq!(lines[3]["failures"], 2);
    assert_eq!(service.server.requests().len(), 0);
}

#[test]
fn old_lines_are_removed_and_a_cut_line_stays_alone() {
    let (_service, reader) = reader();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("audit.jsonl");
    let old = r#"{"time":"2020-01-01T00:00:00Z","run":"1","event":"start"}"#;
    fs::write(&path, format!("{old}\n{{\"time\":\"2999-01-01T00:00:00Z\",\"run\":\"2\"}}\n{{\"time\":\"20")).unwrap();
    begin(&AuditLog::new(&path), &reader).end(None).unwrap();
    assert!(fs::read_to_string(&path).unwrap().starts_with(old));
    begin(&AuditLog::new(&path).keep_days(365), &reader).end(None).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2 + 4, "{text}");
    assert_eq!(lines[..2], [r#"{"time":"2999-01-01T00:00:00Z","run":"2"}"#, r#"{"time":"20"#]);
}

#[cfg(unix)]
#[test]
fn a_shortened_log_keeps_its_access() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
    use vitalwire::private_files::Access;

    let (_service, reader) = reader();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("audit.jsonl");
    fs::write(&path, "{\"time\":\"2020-01-01T00:00:00Z\"}\n").unwrap();
    // Root can set any group.
    let is_root = fs::metadata(&path).unwrap().uid() == 0;
    chown(&path, None, is_root.then_some(1)).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let before = Access::from(&fs::metadata(&path).unwrap());
    begin(&AuditLog::new(&path).keep_days(365), &reader).end(None).unwrap();
    assert!(!fs::read_to_string(&path).unwrap().contains("2020"));
    assert_eq!(Access::from(&fs::metadata(&path).unwrap()), before);
}

#[cfg(target_os = "linux")]
#[test]
fn a_log_that_cannot_be_written_stops_the_run() {
    let (service, reader) = reader();
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    std::os::unix::fs::symlink("/dev/full", folder.path().join("link")).unwrap();
    for (path, expected) in [
        (pipe, "must be a regular file"),
        (folder.path().join("link"), "must be a regular file"),
        (folder.path().to_owned(), "must be a regular file"),
        (Path::new("/proc/audit.jsonl").to_owned(), "/proc/audit.jsonl: "),
    ] {
        for log in [AuditLog::new(&path), AuditLog::new(&path).keep_days(1)] {
            let error = log.begin(&reader, Path::new("study"), &scope()).unwrap_err().to_string();
            assert!(error.contains(expected) || error.contains("audit log"), "{}: {error}", path.display());
        }
    }
    assert_eq!(service.server.requests().len(), 0);
}

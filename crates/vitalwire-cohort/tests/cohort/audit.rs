//! Tests of the audit log of exports.

use std::fs;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;
use vitalwire::Client;
use vitalwire_cohort::dataset::{AuditLog, AuditRun, AuditScope, Export, Summary};
use vitalwire_cohort::{Changes, CohortReader, CohortTable, Credential, RateLimits, Selection, UserCredentials};
use vitalwire_testkit::{Reply, Request, Server, response};

use super::service::Service;
use super::{changes, date};

const LIMIT: Duration = Duration::from_secs(60);

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
    begin(&log, &reader).end(&summary(changes(9, 1, 1), 0)).unwrap();
    begin(&log, &reader).end(&summary(changes(0, 0, 0), 2)).unwrap();
    begin(&log, &reader).fail("transport").unwrap();
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

/// Exports the data of users to a folder, until a call returns an error or a time has passed. Returns the last line of the log.
async fn audited_export(server: &Server, users: &[&str], limit: Duration) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let credentials = users.iter().map(|user| (*user, Credential::Token(format!("token-{user}").into())));
    let client = Client::builder().base_url(server.url()).retry_delay_scale(0.0);
    let reader = CohortReader::new(client, UserCredentials::new(credentials).unwrap(), RateLimits::new()).unwrap();
    let days = super::days("2025-01-01", "2025-01-31");
    let selection = Selection::new(users.iter().copied(), [CohortTable::Daily], days).unwrap();
    let log = AuditLog::new(folder.path().join("audit.jsonl"));
    let run = log.begin(&reader, Path::new("study"), &scope()).unwrap();
    let export = Export::new(super::first_plan(&selection)).audit(&run);
    match tokio::time::timeout(limit, export.run(&reader, folder.path().join("study"), |_| ())).await {
        Ok(Ok(summary)) => run.end(&summary).unwrap(),
        Ok(Err(_)) => run.fail("invalid_request").unwrap(),
        Err(_) => drop(run),
    }
    lines(&folder.path().join("audit.jsonl")).pop().unwrap()
}

fn daily(request: &Request) -> Option<Reply> {
    let body = r#"{"from_date":"2025-01-01","to_date":"2025-01-31","statistics":[{"date":"2025-01-28","values":{"steps":1}}]}"#;
    let head = [("content-type", "application/json"), ("date", "Sat, 01 Mar 2025 12:00:00 GMT")];
    request.target().contains("/statistics/daily").then(|| response(200, &head, body.as_bytes()))
}

fn other() -> Reply {
    response(422, &[("date", "Sat, 01 Mar 2025 12:00:00 GMT")], b"")
}

#[tokio::test]
async fn a_failed_run_states_its_failures_and_reasons() {
    let server = Server::with_script(|_, _| other());
    let end = audited_export(&server, &["anna", "ben"], LIMIT).await;
    assert_eq!((&end["result"], &end["error"]), (&"failed".into(), &"invalid_request".into()), "{end}");
    assert_eq!((&end["failures"], &end["reasons"][0]["status"], &end["reasons"][0]["count"]), (&2.into(), &422.into(), &2.into()), "{end}");
    assert_eq!(end["tables"]["daily"], serde_json::json!({"added": 0, "changed": 0, "removed": 0}));
}

/// The export writes every 10 seconds, and the second user never has a response.
#[tokio::test]
async fn an_interrupted_run_states_the_rows_that_it_has_written() {
    let server = Server::with_script(|request, _| {
        if request.header("authorization").is_some_and(|token| token.ends_with("token-ben")) {
            return Reply::SendAndHang(Vec::new());
        }
        daily(request).unwrap_or_else(other)
    });
    let end = audited_export(&server, &["anna", "ben"], Duration::from_secs(20)).await;
    assert_eq!(end["result"], "interrupted", "{end}");
    assert_eq!(end["tables"]["daily"], serde_json::json!({"added": 1, "changed": 0, "removed": 0}), "{end}");
}

/// A line that is appended while another program removes old lines must not be lost.
#[test]
fn a_new_line_waits_while_old_lines_are_removed() {
    let (_service, reader) = reader();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("audit.jsonl");
    let lock = fs::File::create(folder.path().join("audit.jsonl.lock")).unwrap();
    lock.lock().unwrap();
    std::thread::scope(|scope| {
        let run = scope.spawn(|| begin(&AuditLog::new(&path), &reader));
        std::thread::sleep(Duration::from_millis(300));
        let is_written = path.exists();
        lock.unlock().unwrap();
        run.join().unwrap().fail("transport").unwrap();
        assert!(!is_written);
    });
    assert_eq!(lines(&path).len(), 2);
}

#[test]
fn old_lines_are_removed_and_a_cut_line_stays_alone() {
    let (_service, reader) = reader();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("audit.jsonl");
    let old = r#"{"time":"2020-01-01T00:00:00Z","run":"1","event":"start"}"#;
    fs::write(&path, format!("{old}\n{{\"time\":\"2999-01-01T00:00:00Z\",\"run\":\"2\"}}\n{{\"time\":\"20")).unwrap();
    begin(&AuditLog::new(&path), &reader).fail("transport").unwrap();
    assert!(fs::read_to_string(&path).unwrap().starts_with(old));
    begin(&AuditLog::new(&path).keep_days(365), &reader).fail("transport").unwrap();
    let text = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2 + 4, "{text}");
    assert_eq!(lines[..2], [r#"{"time":"2999-01-01T00:00:00Z","run":"2"}"#, r#"{"time":"20"#]);
}

/// A file of users, a key or a manifest would be damaged by the lines of a log.
#[test]
fn a_file_of_another_kind_is_rejected_and_not_changed() {
    let (service, reader) = reader();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    for content in ["user,token\nanna,t\n", "0123456789abcdef", "{\"version\":1}", "PAR1"] {
        fs::write(&path, content).unwrap();
        for log in [AuditLog::new(&path), AuditLog::new(&path).keep_days(1)] {
            let error = log.begin(&reader, Path::new("study"), &scope()).unwrap_err().to_string();
            assert!(error.ends_with("the file has other content than an audit log; name another file"), "{error}");
            assert_eq!(fs::read_to_string(&path).unwrap(), content);
        }
    }
    for content in ["", "{\"ti", "{\"ti\n", "{\"time\":\"2999-01-01T00:00:00Z\"}\n"] {
        fs::write(&path, content).unwrap();
        begin(&AuditLog::new(&path), &reader).fail("transport").unwrap();
        assert!(fs::read_to_string(&path).unwrap().starts_with(content));
    }
    assert_eq!(service.server.requests().len(), 0);
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
    begin(&AuditLog::new(&path).keep_days(365), &reader).fail("transport").unwrap();
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

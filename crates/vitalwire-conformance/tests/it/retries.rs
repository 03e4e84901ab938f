//! Retries of failed cases, with the Rust runner.
#![cfg(unix)]

use std::path::{Path, PathBuf};

use serde_json::json;
use vitalwire_conformance::report::{self, LanguageResults};
use vitalwire_conformance::run::{self, Runner};

struct RunResult {
    failures: usize,
    report: String,
    /// Number of times that the runner was started.
    starts: usize,
}

/// Runs the cases of a workspace that match a pattern. The first `failed_starts` starts of the runner exit at once.
fn run_cases(root: &Path, pattern: &str, failed_starts: usize) -> RunResult {
    let folder = tempfile::tempdir().unwrap();
    let (starts, program) = (folder.path().join("starts"), env!("CARGO_BIN_EXE_vitalwire-conformance"));
    let script = format!("echo >> {starts}; [ $(wc -l < {starts}) -le {failed_starts} ] || exec {program} rust", starts = starts.display());
    let runner = Runner { language: "rust".to_owned(), command: ["sh", "-c", &script].map(str::to_owned).to_vec() };
    let columns = tokio::runtime::Runtime::new().unwrap().block_on(run::run(root, pattern, &[runner])).unwrap();
    RunResult {
        failures: columns.iter().map(LanguageResults::failures).sum(),
        report: report::render(&columns),
        starts: std::fs::read_to_string(starts).unwrap().lines().count(),
    }
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn a_failed_case_that_depends_on_time_is_retried_twice() {
    for failed_starts in [1, 2] {
        let RunResult { failures, report, starts } = run_cases(&workspace(), "cancel.calls.before_head", failed_starts);
        assert_eq!((failures, starts), (0, failed_starts + 1), "{report}");
        assert!(report.contains("rust: cancel.calls.before_head passed on a retry; first failure:\n"), "{report}");
    }
    let RunResult { failures, report, starts } = run_cases(&workspace(), "cancel.calls.before_head", 3);
    assert_eq!((failures, starts), (1, 3), "{report}");
}

#[test]
fn cases_without_an_outcome_are_retried_together() {
    let RunResult { failures, report, starts } = run_cases(&workspace(), "user.*", 1);
    assert_eq!((failures, starts), (0, 2), "{report}");
    assert!(report.contains("rust: 46 passed, 0 failed"), "{report}");
}

#[test]
fn a_case_with_a_wrong_outcome_is_not_retried() {
    let folder = tempfile::tempdir().unwrap();
    let write = |file: &str, text: &str| {
        let file = folder.path().join(file);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    };
    let case = json!([{"id": "area.topic.case", "title": "Something holds.", "call": {"redirect": {"url": "https://app.example/?state=a"}},
        "outcome": {"value": {"state": "b"}}}]);
    write("tests/conformance/cases/area/topic.json", &case.to_string());
    write("tests/conformance/ledger/rust.toml", "");
    write("openapi/statements.toml", &std::fs::read_to_string(workspace().join("openapi/statements.toml")).unwrap());
    let RunResult { failures, report, starts } = run_cases(folder.path(), "*", 0);
    assert_eq!((failures, starts), (1, 1), "{report}");
    assert!(report.contains("outcome /value/state: expected \"b\", got \"a\""), "{report}");
}

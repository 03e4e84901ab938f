//! Failed cases that are played again, by the runner in Rust.
#![cfg(unix)]

use std::path::{Path, PathBuf};

use serde_json::json;
use vitalwire_conformance::report::{self, LanguageResults};
use vitalwire_conformance::run::{self, Runner};

/// What came of cases.
struct CallOutcome {
    failures: usize,
    report: String,
    /// How often the runner was started.
    starts: usize,
}

/// Plays the cases of a workspace that fit a pattern; of the runner's starts, the first so many end before it did anything.
fn played(root: &Path, pattern: &str, lost: usize) -> CallOutcome {
    let folder = tempfile::tempdir().unwrap();
    let (starts, program) = (folder.path().join("starts"), env!("CARGO_BIN_EXE_vitalwire-conformance"));
    let script = format!("echo >> {starts}; [ $(wc -l < {starts}) -le {lost} ] || exec {program} rust", starts = starts.display());
    let runner = Runner { language: "rust".to_owned(), command: ["sh", "-c", &script].map(str::to_owned).to_vec() };
    let columns = tokio::runtime::Runtime::new().unwrap().block_on(run::run(root, pattern, &[runner])).unwrap();
    CallOutcome {
        failures: columns.iter().map(LanguageResults::failures).sum(),
        report: report::render(&columns),
        starts: std::fs::read_to_string(starts).unwrap().lines().count(),
    }
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn a_case_in_which_time_counts_is_played_twice_again() {
    for lost in [1, 2] {
        let CallOutcome { failures, report, starts } = played(&workspace(), "cancel.calls.before_head", lost);
        assert_eq!((failures, starts), (0, lost + 1), "{report}");
        assert!(report.contains("rust: cancel.calls.before_head held when it was played again; before:\n"), "{report}");
    }
    let CallOutcome { failures, report, starts } = played(&workspace(), "cancel.calls.before_head", 3);
    assert_eq!((failures, starts), (1, 3), "{report}");
}

#[test]
fn cases_without_outcome_are_played_again_together() {
    let CallOutcome { failures, report, starts } = played(&workspace(), "user.*", 1);
    assert_eq!((failures, starts), (0, 2), "{report}");
    assert!(report.contains("rust: 46 passed, 0 failed"), "{report}");
}

#[test]
fn a_case_that_comes_to_something_else_is_not_played_again() {
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
    let CallOutcome { failures, report, starts } = played(folder.path(), "*", 0);
    assert_eq!((failures, starts), (1, 1), "{report}");
    assert!(report.contains("outcome /value/state: expected \"b\", got \"a\""), "{report}");
}

use serde_json::json;

use super::report::Statement;
use super::*;
use vitalwire_spec::{Origins, Sources, Spec};

fn statements(text: &str) -> Vec<Statement> {
    toml::from_str::<Statements>(text).unwrap().statement
}

fn sources() -> Sources {
    let document = json!({
        "info": {"x-statements": ["one.said"]},
        "paths": {"/v3/a": {"get": {"x-statements": ["one.said", "one.unknown"], "parameters": [{"x-statements": ["two.parameter"]}]}}},
    });
    let overlay = json!({"actions": [{"target": "$"}, {"target": "$", "x-statements": ["two.overlay", "two.parameter", "two.overlay_unit", "two.done"], "x-mark": "P"}]});
    Sources {
        files: Vec::new(),
        specs: vec![Spec { service: "health", path: "openapi/health.v3.yaml", document, origins: Origins::default() }],
        overlays: vec![("openapi/overlays/10-a.yaml".into(), overlay)],
    }
}

/// Cases for each statement of `CLEAN` that needs one.
fn cases() -> cases::Cases {
    let ids = ["one.said", "two.parameter", "two.overlay", "rule.kept"];
    cases::Cases { by_statement: ids.map(|id| (id.to_owned(), vec!["area.topic.case".to_owned()])).into(), without_statement: Vec::new() }
}

/// A test of the sandbox for the statement about the service.
fn service_tests() -> test_index::TestIndex {
    sandbox_test("two.done", "topic::it_is_done")
}

fn sandbox_test(id: &str, test: &str) -> test_index::TestIndex {
    test_index::TestIndex { service: [(id.to_owned(), vec![test.to_owned()])].into(), ..test_index::TestIndex::default() }
}

const CLEAN: &str = r#"
[[statement]]
id = "one.said"
section = "One"
kind = "testable"
text = "Said twice."

[[statement]]
id = "two.parameter"
section = "Two"
kind = "testable"
text = "Said by a parameter and by an overlay."

[[statement]]
id = "two.overlay"
section = "Two"
kind = "testable"
text = "Said by an overlay only."

[[statement]]
id = "two.done"
section = "Two"
kind = "service"
text = "Done by the service."

[[statement]]
id = "one.unknown"
section = "One"
kind = "background"
text = "Context may be cited."

[[statement]]
id = "two.no_operation"
section = "Two"
kind = "no-operation"
text = "Never called."

[[statement]]
id = "two.no_status"
section = "Two"
kind = "status-open"
text = "Some error."

[[statement]]
id = "two.overlay_unit"
section = "Two"
kind = "documented"
mark = "I"
text = "In metres."

[[statement]]
id = "rule.kept"
section = "Promises"
kind = "promise"
text = "Kept whatever a service does."
"#;

#[test]
fn every_citation_is_found() {
    let (statements, sources) = (statements(CLEAN), sources());
    let report = Report::new(&statements, &sources, cases(), service_tests());
    assert_eq!(report.places("one.said"), ["openapi/health.v3.yaml#/info", "openapi/health.v3.yaml#/paths/~1v3~1a/get"]);
    assert_eq!(
        report.places("two.parameter"),
        ["openapi/health.v3.yaml#/paths/~1v3~1a/get/parameters/0", "openapi/overlays/10-a.yaml#/actions/1"]
    );
    assert_eq!(report.places("two.overlay"), ["openapi/overlays/10-a.yaml#/actions/1"]);
    assert_eq!(report.errors(), 0);
}

#[test]
fn each_kind_of_error_is_counted_and_named() {
    let text = CLEAN.replace("one.unknown", "one.uncited").replace("background", "testable");
    let twice = "[[statement]]\nid = \"one.said\"\nsection = \"One\"\nkind = \"testable\"\ntext = \"Again.\"\n";
    let empty = "[[statement]]\nid = \"Three\"\nsection = \"Three\"\nkind = \"background\"\ntext = \" \"\n";
    let (statements, sources) = (statements(&format!("{text}{twice}{empty}")), sources());
    let mut held = cases();
    held.by_statement.insert("one.invented".to_owned(), vec!["area.topic.case".to_owned()]);
    held.without_statement.push("area.topic.free".to_owned());
    // A case with a scripted server proves nothing about the service.
    held.by_statement.insert("two.done".to_owned(), vec!["area.topic.case".to_owned()]);
    let tests = sandbox_test("two.made_up", "topic::test");
    let report = Report::new(&statements, &sources, held, tests);
    assert_eq!(report.errors(), 9);
    let text = report.text();
    for lines in [
        "not cited: 1\n    one.uncited (One)\n",
        "without a case: 1\n    one.uncited (One)\n",
        "without a test of the sandbox: 1\n    two.done (Two)\n",
        "unknown ids: 3\n    one.unknown by openapi/health.v3.yaml#/paths/~1v3~1a/get\n    one.invented by area.topic.case\n    \
         two.made_up by topic::test\n",
        "cases without a statement: 1\n    area.topic.free\n",
        "duplicate ids: 1\n    one.said\n",
        "without text or with an invalid id: 1\n    Three\n",
    ] {
        assert!(text.contains(lines), "{lines:?} is not in\n{text}");
    }
}

/// A guarantee that no conformance case can test must have a test of the client. A test of the sandbox does not count.
#[test]
fn a_promise_may_be_tested_by_the_client() {
    let (statements, sources) = (statements(CLEAN), sources());
    let report = |tests| {
        let mut held = cases();
        held.by_statement.remove("rule.kept");
        Report::new(&statements, &sources, held, tests)
    };
    let by = || [("rule.kept".to_owned(), vec!["upload::strip::it_is_kept".to_owned()])];
    let (mut service, mut client) = (service_tests(), service_tests());
    service.service.extend(by());
    client.client.extend(by());
    assert_eq!([service_tests(), service].map(|tests| report(tests).errors()), [1, 1]);
    let kept = report(client);
    assert_eq!(kept.errors(), 0);
    assert!(table::render(&kept).contains("| `rule.kept` |  | `upload::strip::it_is_kept` |\n"));
}

/// Finds tests in subfolders and ignores other files.
#[test]
fn tests_are_named_by_their_path() {
    let root = tempfile::tempdir().unwrap();
    let [below, service] =
        ["crates/vitalwire/tests/client/upload", "crates/vitalwire-sandbox/tests/service"].map(|path| root.path().join(path));
    std::fs::create_dir_all(&below).unwrap();
    std::fs::create_dir_all(service).unwrap();
    std::fs::write(below.join("strip.rs"), "// statements: rule.kept\n#[test]\nfn it_is_kept() {}\n").unwrap();
    std::fs::write(below.join("notes.txt"), "// statements: rule.lost").unwrap();
    let found = test_index::read(root.path()).unwrap();
    assert_eq!(found.client, [("rule.kept".to_owned(), vec!["upload::strip::it_is_kept".to_owned()])].into());
    assert!(found.service.is_empty());
}

#[test]
fn the_variants_of_a_template_are_cases() {
    let root = tempfile::tempdir().unwrap();
    let area = root.path().join("tests/conformance/cases/area");
    std::fs::create_dir_all(&area).unwrap();
    let cases = r#"[{"statements": ["one.said"], "variants": [{"id": "area.more.a"}, {"id": "area.more.b", "statements": ["two.said"]}]},
        {"id": "area.more.c"}]"#;
    std::fs::write(area.join("more.json"), cases).unwrap();
    let found = cases::read(root.path()).unwrap();
    let expected = [("one.said", vec!["area.more.a"]), ("two.said", vec!["area.more.b"])];
    let expected = expected.map(|(statement, ids)| (statement.to_owned(), ids.into_iter().map(str::to_owned).collect()));
    assert_eq!(found.by_statement, expected.into());
    assert_eq!(found.without_statement, ["area.more.c"]);
}

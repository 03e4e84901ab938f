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
    assert_eq!(
        report.text(false),
        "\
statements: 9 (3 testable by cases, 1 about the service, 1 for documentation, 1 about our clients, 1 background)
statements by mark: 0 public, 1 inferred, 0 unknown
overlay actions by mark: 1 P
statements that a specification cites: 6, in 8 places
no operation: 1
    two.no_operation (Two)
status open: 1
    two.no_status (Two)
not cited: 0
without a case: 0
without a test of the sandbox: 0
unknown ids: 0
cases without a statement: 0
duplicate ids: 0
without text or with an invalid id: 0
"
    );
}

#[test]
fn all_citations_are_printed_before_the_summary() {
    let (statements, sources) = (statements(CLEAN), sources());
    let report = Report::new(&statements, &sources, cases(), service_tests());
    let text = report.text(true);
    assert!(
        text.starts_with("one.said\n    openapi/health.v3.yaml#/info\n    openapi/health.v3.yaml#/paths/~1v3~1a/get\ntwo.parameter\n"),
        "{text}"
    );
    assert!(text.ends_with(&report.text(false)), "{text}");
    assert!(text.contains("rule.kept\n\nstatements: 9"), "{text}");
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
    let text = report.text(false);
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
    let folder = workspace("");
    let below = folder.path().join("crates/vitalwire/tests/client/upload");
    let text = "// statements: rule.kept\n#[test]\nfn it_is_kept() {}\n";
    std::fs::write(below.join("strip.rs"), text).unwrap();
    std::fs::write(below.join("notes.txt"), "// statements: rule.lost").unwrap();
    let found = test_index::read(folder.path()).unwrap();
    assert_eq!(found.client, [("rule.kept".to_owned(), vec!["upload::strip::it_is_kept".to_owned()])].into());
    assert!(found.service.is_empty());
}

#[test]
fn an_empty_or_invalid_file_is_an_error() {
    let sources = Sources { files: Vec::new(), specs: Vec::new(), overlays: Vec::new() };
    assert_eq!(Report::new(&[], &sources, cases::Cases::default(), test_index::TestIndex::default()).errors(), 1);
    for wrong in [
        "[[statements]]\nid = \"a.b\"\n",
        "[[statement]]\nid = \"a.b\"\n",
        &CLEAN.replace("\"testable\"", "\"tested\""),
        "statement = 1",
        "[[",
    ] {
        assert!(toml::from_str::<Statements>(wrong).is_err(), "{wrong}");
    }
}

fn workspace(statements: &str) -> tempfile::TempDir {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/vitalwire-codegen/tests/fixtures/base");
    let folder = tempfile::tempdir().unwrap();
    let openapi = folder.path().join("openapi");
    std::fs::create_dir_all(openapi.join("overlays")).unwrap();
    std::fs::copy(fixtures.join("care.yaml"), openapi.join("care.v1.yaml")).unwrap();
    let health = std::fs::read_to_string(fixtures.join("health.yaml")).unwrap();
    std::fs::write(openapi.join("health.v3.yaml"), health.replace("  version: 1.0.0\n", "  version: 1.0.0\n  x-statements: [one.said]\n"))
        .unwrap();
    std::fs::write(openapi.join("statements.toml"), statements).unwrap();
    let cases = folder.path().join("tests/conformance/cases/area");
    std::fs::create_dir_all(&cases).unwrap();
    for tests in ["crates/vitalwire-sandbox/tests/service", "crates/vitalwire/tests/client/upload"] {
        std::fs::create_dir_all(folder.path().join(tests)).unwrap();
    }
    std::fs::write(cases.join("topic.json"), r#"[{"id": "area.topic.case", "statements": ["one.said"], "title": "Held."}]"#).unwrap();
    folder
}

/// `--check` turns the printed errors into a failure.
#[test]
fn the_check_fails_on_errors_only() {
    let one = "[[statement]]\nid = \"one.said\"\nsection = \"One\"\nkind = \"testable\"\ntext = \"Said.\"\n";
    let trace = |write: bool, check: bool| Trace { check, write, all: false };
    let run = |statements: &str, check: bool| {
        let folder = workspace(statements);
        trace(true, false).run(folder.path())?;
        trace(false, check).run(folder.path())
    };
    assert!(run(one, true).is_ok());
    let uncited = format!("{one}{}", one.replace("one.said", "one.unsaid"));
    assert!(run(&uncited, false).is_ok());
    // Neither cited nor tested by a case.
    assert_eq!(run(&uncited, true).unwrap_err().to_string(), "errors in openapi/statements.toml and its citations: 2");
    assert!(format!("{:#}", run("[[", true).unwrap_err()).starts_with("reading openapi/statements.toml: "));
    let stale = workspace(one);
    assert!(trace(false, false).run(stale.path()).is_ok());
    assert_eq!(trace(false, true).run(stale.path()).unwrap_err().to_string(), "errors in openapi/statements.toml and its citations: 1");
    std::fs::remove_file(stale.path().join("openapi/statements.toml")).unwrap();
    assert!(trace(false, false).run(stale.path()).is_err());
}

#[test]
fn the_variants_of_a_template_are_cases() {
    let folder = workspace("");
    let cases = r#"[{"statements": ["one.said"], "variants": [{"id": "area.more.a"}, {"id": "area.more.b", "statements": ["two.said"]}]}]"#;
    std::fs::write(folder.path().join("tests/conformance/cases/area/more.json"), cases).unwrap();
    let found = cases::read(folder.path()).unwrap();
    let expected = [("one.said", vec!["area.more.a", "area.topic.case"]), ("two.said", vec!["area.more.b"])];
    let expected = expected.map(|(statement, ids)| (statement.to_owned(), ids.into_iter().map(str::to_owned).collect()));
    assert_eq!(found.by_statement, expected.into());
    assert_eq!(found.without_statement, Vec::<String>::new());
}

#[test]
fn the_table_names_places_and_cases() {
    let (statements, sources) = (statements(CLEAN), sources());
    let table = table::render(&Report::new(&statements, &sources, cases(), service_tests()));
    assert!(table.contains("\n## Two\n\n| statement | specification | tests |\n|---|---|---|\n"), "{table}");
    assert!(table.contains("| `two.overlay` | `openapi/overlays/10-a.yaml#/actions/1` | area.topic.case |\n"), "{table}");
    assert!(table.contains("| `two.done` | `openapi/overlays/10-a.yaml#/actions/1` | `topic::it_is_done` |\n"), "{table}");
    assert!(table.contains("| `two.no_operation` |  | no operation |\n"), "{table}");
}

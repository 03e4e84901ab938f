//! Findings about invalid cases. Each names the id of the case.

use serde_json::{Value, json};
use vitalwire_conformance::case::Call;
use vitalwire_conformance::set;

/// Returns the findings about a case. Sets its `id`, `title` and call.
fn findings(mut case: Value) -> Vec<String> {
    case["id"] = "area.topic.case".into();
    case["title"] = "Something holds.".into();
    case["call"] = json!({"redirect": {"url": "?state=a"}});
    let folder = tempfile::tempdir().unwrap();
    let cases = folder.path().join("tests/conformance/cases/area");
    std::fs::create_dir_all(&cases).unwrap();
    std::fs::write(cases.join("topic.json"), json!([case]).to_string()).unwrap();
    set::findings(&set::read(folder.path()).unwrap(), &["one.said".to_owned()])
}

#[test]
fn a_case_cites_only_known_statements() {
    let case = |id: &str| json!({"statements": [id], "outcome": {"value": {"state": "a"}}});
    assert_eq!(findings(case("one.said")), Vec::<String>::new());
    assert_eq!(findings(case("one.unsaid")), ["area.topic.case: unknown statement `one.unsaid`"]);
}

#[test]
fn the_marks_of_a_case_point_into_its_outcome() {
    let case = |place: &str| json!({"outcome": {"value": {"state": "a"}}, "extra": [place]});
    assert_eq!(findings(case("/value/state")), Vec::<String>::new());
    assert_eq!(findings(case("/value/status")), ["area.topic.case: the outcome has no value at `/value/status`"]);
    assert_eq!(findings(case("value")), ["area.topic.case: the pointer `value` must begin with `/`"]);
}

#[test]
fn a_canary_must_contain_letters() {
    let case = |canary: &str| json!({"outcome": {"value": {"state": "a"}}, "canaries": [canary]});
    assert_eq!(findings(case("canary-heron-42")), Vec::<String>::new());
    assert_eq!(findings(case("1980-05-17")), Vec::<String>::new());
    for canary in ["73919", "61.25", "07:39:19"] {
        assert_eq!(
            findings(case(canary)),
            ["area.topic.case: a canary must contain letters, because digits may be part of a timestamp in the log"]
        );
    }
}

#[test]
fn every_operation_has_a_case_with_a_kept_body() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let set = set::read(root.as_ref()).unwrap();
    let with_body: Vec<&str> = set
        .cases()
        .iter()
        .filter(|case| case.expected_metadata.body_of_exchange.is_some())
        .filter_map(|case| if let Call::Operation(call) = &case.call { Some(call) } else { None })
        .filter(|call| call.options.keep_body == Some(true))
        .map(|call| call.id.as_str())
        .collect();
    let missing: Vec<&str> = vitalwire::OPERATIONS.iter().map(|operation| operation.id).filter(|id| !with_body.contains(id)).collect();
    assert_eq!(missing, Vec::<&str>::new());
}

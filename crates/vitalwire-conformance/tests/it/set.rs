//! What is wrong with cases, each told with its id.

use serde_json::{Value, json};
use vitalwire_conformance::case::Call;
use vitalwire_conformance::set;

/// What is found in one case; `id`, `title` and call are given.
fn found(mut case: Value) -> Vec<String> {
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
fn a_case_cites_statements_that_there_are() {
    let case = |id: &str| json!({"statements": [id], "outcome": {"value": {"state": "a"}}});
    assert_eq!(found(case("one.said")), Vec::<String>::new());
    assert_eq!(found(case("one.unsaid")), ["area.topic.case: `one.unsaid` is no statement"]);
}

#[test]
fn a_case_lists_places_of_its_outcome() {
    let case = |place: &str| json!({"outcome": {"value": {"state": "a"}}, "extra": [place]});
    assert_eq!(found(case("/value/state")), Vec::<String>::new());
    assert_eq!(found(case("/value/status")), ["area.topic.case: there is nothing at `/value/status`"]);
    assert_eq!(found(case("value")), ["area.topic.case: the place `value` does not begin with `/`"]);
}

#[test]
fn a_canary_has_letters() {
    let case = |canary: &str| json!({"outcome": {"value": {"state": "a"}}, "canaries": [canary]});
    assert_eq!(found(case("canary-heron-42")), Vec::<String>::new());
    assert_eq!(found(case("1980-05-17")), Vec::<String>::new());
    for canary in ["73919", "61.25", "07:39:19"] {
        assert_eq!(found(case(canary)), ["area.topic.case: a canary of digits may stand in the times of a log: use letters"]);
    }
}

#[test]
fn every_operation_has_a_case_that_keeps_its_body() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let set = set::read(root.as_ref()).unwrap();
    let kept: Vec<&str> = set
        .cases()
        .iter()
        .filter(|case| case.answer.body_of_exchange.is_some())
        .filter_map(|case| if let Call::Operation(call) = &case.call { Some(call) } else { None })
        .filter(|call| call.options.keep_raw == Some(true))
        .map(|call| call.id.as_str())
        .collect();
    let missing: Vec<&str> = vitalwire::OPERATIONS.iter().map(|operation| operation.id).filter(|id| !kept.contains(id)).collect();
    assert_eq!(missing, Vec::<&str>::new());
}

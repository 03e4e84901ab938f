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
fn only_syncs_have_outcomes_of_syncs() {
    let finding = "area.topic.case: `sync` must be used in both the call and the outcome, with the same number of items";
    assert_eq!(findings(json!({"outcome": {"sync": []}})), [finding]);
    assert_eq!(findings(json!({"outcome": {"sync": [{"parts": []}]}})), [finding]);
}

/// Reads a file with one template.
fn expand(template: &Value) -> anyhow::Result<set::Set> {
    read_text(&json!([template]).to_string())
}

/// Reads a file with this text.
fn read_text(text: &str) -> anyhow::Result<set::Set> {
    let folder = tempfile::tempdir().unwrap();
    let cases = folder.path().join("tests/conformance/cases/area");
    std::fs::create_dir_all(&cases).unwrap();
    std::fs::write(cases.join("topic.json"), text).unwrap();
    set::read(folder.path())
}

/// A decoder would use the last value, and the case would not test what the first one says.
#[test]
fn a_name_that_occurs_twice_in_an_object_is_an_error_with_its_place() {
    let file = |outcome: &str| {
        let call = r#"{"redirect": {"url": "?state=a"}}"#;
        format!("[\n{{\"id\": \"area.topic.case\", \"title\": \"It holds.\",\n\"call\": {call},\n\"outcome\": {outcome}}}\n]")
    };
    assert_eq!(read_text(&file(r#"{"value": {"state": "a"}}"#)).unwrap().cases().len(), 1);
    // Equal names in different objects are not equal places.
    read_text(&file(r#"{"value": [{"state": "a"}, {"state": {"state": 1.5}}, null, true, -1]}"#)).unwrap();
    for (outcome, name) in [
        (r#"{"value": {"state": "a", "state": "b"}}"#, "state"),
        (r#"{"value": {"state": "a", "st\u0061te": "a"}}"#, "state"),
        (r#"{"value": 1, "value": 1}"#, "value"),
        (r#"{"value": [[{"a": 1}, {"a": 1, "b": 2, "a": 3}]]}"#, "a"),
    ] {
        let error = format!("{:#}", read_text(&file(outcome)).unwrap_err());
        let start = format!("reading area/topic: the object has the name `{name}` twice at line 4 column ");
        assert!(error.starts_with(&start), "{error}");
    }
}

/// Returns a template of two redirects.
fn redirects(first: &Value, second: &Value) -> Value {
    json!({
        "title": "The state `${state}` is returned.",
        "call": {"redirect": {"url": "?state=${state}&user_id=${user}", "expected_state": "${state}"}},
        "outcome": {"value": {"state": "${state}", "${name}": "${user}"}},
        "variants": [first, second]
    })
}

fn redirect(id: &str) -> Value {
    json!({"id": format!("area.topic.{id}"), "state": "${x}", "name": "user_id", "user": id})
}

#[test]
fn a_template_has_one_case_per_variant() {
    let mut second = redirect("b");
    second["canaries"] = json!(["Wren"]);
    let set = expand(&redirects(&redirect("a"), &second)).unwrap();
    let case = |id: &str| serde_json::to_value(set.case(id).unwrap()).unwrap();
    assert_eq!(set.cases().len(), 2);
    let (a, b) = (case("area.topic.a"), case("area.topic.b"));
    assert_eq!(a["title"], "The state `${x}` is returned.");
    assert_eq!(a["call"]["redirect"], json!({"url": "?state=${x}&user_id=a", "expected_state": "${x}"}));
    assert_eq!(b["outcome"]["value"], json!({"state": "${x}", "user_id": "b"}));
    assert_eq!((&a["canaries"], &b["canaries"]), (&json!([]), &json!(["Wren"])));
}

#[test]
fn a_placeholder_alone_stands_for_any_value() {
    let variant = |id: &str, arguments: Value| json!({"id": id, "title": "It is sent.", "arguments": arguments});
    let set = expand(&json!({
        "call": {"operation": {"id": "get_sleep", "arguments": "${arguments}"}}, "outcome": {"value": null},
        "variants": [variant("area.topic.a", json!({"sleep_id": "a"})), variant("area.topic.b", json!({"n": 72.0}))]
    }))
    .unwrap();
    let arguments = |id: &str| match &set.case(id).unwrap().call {
        Call::Operation(call) => Value::Object(call.arguments.clone()),
        _ => Value::Null,
    };
    assert_eq!((arguments("area.topic.a"), arguments("area.topic.b")), (json!({"sleep_id": "a"}), json!({"n": 72.0})));
}

#[test]
fn an_invalid_template_is_an_error_with_its_place() {
    let error = |template: &Value| format!("{:#}", expand(template).unwrap_err());
    let with = |field: &str, value: Value| {
        let mut variant = redirect("b");
        variant[field] = value;
        error(&redirects(&redirect("a"), &variant))
    };
    let mut without_user = redirect("b");
    without_user.as_object_mut().unwrap().remove("user");
    let place = "reading area/topic: area.topic.b";
    assert_eq!(error(&redirects(&redirect("a"), &without_user)), format!("{place}: no value for the placeholder `${{user}}`"));
    assert!(with("usr", json!("b")).starts_with(&format!("{place}: unknown field `usr`")));
    assert_eq!(with("user", json!(1)), format!("{place}: `user` must be a text, because it is a part of a text"));
    let equal = "two names of an object are equal after their placeholders are replaced";
    assert_eq!(with("name", json!("state")), format!("{place}: {equal}"));
    assert_eq!(
        with("title", json!("It holds.")),
        format!("{place}: the template has the field `title`: remove it from the template or use a placeholder")
    );
    // The template does not use these fields, so nothing replaces their placeholders.
    for (field, value) in [("canaries", json!(["${user}"])), ("unknown", json!([{"${user}": 1}])), ("basis", json!("a ${user}"))] {
        let text = format!("{place}: `{field}` has a placeholder; only those of the template are replaced");
        assert_eq!(with(field, value), text);
    }
    for items in [json!([]), json!([redirect("a")])] {
        let mut template = redirects(&redirect("a"), &redirect("b"));
        template["variants"] = items;
        assert_eq!(error(&template), "reading area/topic: `variants` must have at least two items");
    }
    let with_id = json!({"id": "area.topic.${name}", "variants": [{"name": "a"}, {"name": "b"}]});
    assert_eq!(error(&with_id), "reading area/topic: variants[0] must have an `id`");
    let unclosed = json!({"title": "It ${holds.", "variants": [redirect("a"), redirect("b")]});
    assert_eq!(error(&unclosed), "reading area/topic: area.topic.a: `${` without `}`");
    let same = expand(&redirects(&redirect("a"), &redirect("a"))).unwrap();
    assert!(set::findings(&same, &[]).contains(&"area.topic.a: the id must be unique".to_owned()));
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

//! Effects of overlays, and findings about invalid ones.

use serde_json::{Value, json};

use super::{build, places, read, text, workspace};

/// Returns the main specification after one overlay. Panics if there are findings.
fn applied(actions: &str) -> Value {
    let workspace = workspace(&read("base/health.yaml"), &[("10-test.yaml", &overlay(actions))]);
    match super::spec::load(workspace.path(), &[]) {
        Ok(mut sources) => sources.specs.swap_remove(0).document,
        Err(findings) => panic!("{findings}"),
    }
}

fn overlay(actions: &str) -> String {
    format!("overlay: 1.0.0\ninfo:\n  title: A test\n  version: 1.0.0\nactions:\n{actions}")
}

/// Returns rule and pointer of the findings about an overlay, and their text.
fn findings(overlay: &str) -> (Vec<(String, String)>, String) {
    let workspace = workspace(&read("base/health.yaml"), &[("10-test.yaml", overlay)]);
    (places(workspace.path()), text(workspace.path()))
}

#[track_caller]
fn expect(overlay: &str, expected: &[(&str, &str)]) -> String {
    let (found, text) = findings(overlay);
    let found: Vec<(&str, &str)> = found.iter().map(|(rule, pointer)| (rule.as_str(), pointer.as_str())).collect();
    assert_eq!(found, expected, "{text}");
    assert!(text.starts_with("openapi/overlays/10-test.yaml "), "{text}");
    text
}

#[test]
fn objects_merge_and_arrays_grow() {
    let document = applied(
        r#"
  - target: $.components.schemas.Thing
    update:
      required: [name]
      description: Another text.
      properties:
        size:
          type: number
  - target: $.components.schemas.Thing
    update:
      required: [size]
  - target: $.components.schemas.Thing.required
    update: extra_item
"#,
    );
    let thing = &document["components"]["schemas"]["Thing"];
    assert_eq!(
        *thing,
        json!({
            "type": "object",
            "description": "Another text.",
            "properties": {"name": {"type": "string"}, "size": {"type": "number"}},
            "required": ["name", "size", "extra_item"],
        })
    );
}

/// The order in which items are named does not matter.
#[test]
fn only_selected_items_of_an_array_are_removed() {
    for target in
        ["$.components.list[0, 2]", "$.components.list[2, 0]", "$.components.list[?@ == 'a' || @ == 'c']", "$.components.list[-4, -2]"]
    {
        let actions =
            format!("  - target: $.components\n    update:\n      list: [a, b, c, d]\n  - target: \"{target}\"\n    remove: true\n");
        assert_eq!(applied(&actions)["components"]["list"], json!(["b", "d"]), "{target}");
    }
}

/// Later actions see the changes of earlier ones, in the same overlay and in overlays with earlier names.
#[test]
fn actions_are_applied_in_order() {
    let first = overlay("  - target: $.components.schemas.Thing.properties\n    update:\n      size:\n        type: number\n");
    let second = overlay("  - target: $.components.schemas.Thing.properties.size\n    update:\n      description: How large.\n");
    let workspace = workspace(&read("base/health.yaml"), &[("20-b.yaml", &second), ("10-a.yaml", &first), ("ignored.txt", "no overlay")]);
    let (sources, _) = build(workspace.path()).unwrap_or_else(|findings| panic!("{findings}"));
    assert_eq!(sources.specs[0].document.pointer("/components/schemas/Thing/properties/size/description"), Some(&"How large.".into()));
    let files: Vec<&str> = sources.files.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(files, ["openapi/health.v3.yaml", "openapi/care.v1.yaml", "openapi/overlays/10-a.yaml", "openapi/overlays/20-b.yaml"]);
}

#[test]
fn a_target_that_matches_nothing_is_reported() {
    let text = expect(&overlay("  - target: $.components.schemas.Thign\n    update: {}\n"), &[("overlay-target", "/actions/0/target")]);
    assert!(text.contains("`$.components.schemas.Thign` matches nothing"), "{text}");
    assert!(text.contains("hint: the specification has changed, or the path has a typing mistake"), "{text}");
}

#[test]
fn every_name_of_a_list_must_exist() {
    let text = expect(
        &overlay(
            "  - target: $.components.schemas['Thing', 'Thign', \"Tihng\"].properties['name', 'a,b']\n    update:\n      description: x\n",
        ),
        &[("overlay-target", "/actions/0/target"); 3],
    );
    for name in ["'Thign'", "\"Tihng\"", "'a,b'"] {
        assert!(text.contains(&format!("`{name}` of `$.components.schemas[")), "{name}: {text}");
    }
    assert!(!text.contains("`'Thing'` of"), "{text}");
}

#[test]
fn commas_in_texts_filters_and_nested_brackets_separate_nothing() {
    let document = applied(
        "  - target: \"$.paths[?@.get['operationId', 'nothing'] && @.get.description != 'a, [b']..responses['200']\"\n    update:\n      description: Changed.\n",
    );
    assert_eq!(document.pointer("/paths/~1v3~1things~1{thing_id}/get/responses/200/description"), Some(&"Changed.".into()));
}

#[test]
fn a_value_that_is_selected_twice_is_reported() {
    expect(&overlay("  - target: $.components.schemas['Thing', 'Thing']\n    update: {}\n"), &[("overlay-twice", "/actions/0/target")]);
}

/// With `both`, each specification must match. Without `x-spec`, one is enough.
#[test]
fn x_spec_selects_the_specifications() {
    let action = |scope: &str| overlay(&format!("  - target: $.components.schemas.Thing\n    update: {{}}\n{scope}"));
    for scope in ["", "    x-spec: health\n"] {
        let (found, text) = findings(&action(scope));
        assert!(found.is_empty(), "{text}");
    }
    let text = expect(&action("    x-spec: both\n"), &[("overlay-target", "/actions/0/target")]);
    assert!(text.contains("matches nothing in openapi/care.v1.yaml"), "{text}");
    expect(&action("    x-spec: care\n"), &[("overlay-target", "/actions/0/target")]);
    expect(&action("    x-spec: heatlh\n"), &[("overlay-action", "/actions/0/x-spec")]);
}

/// `extends` names the only specification that the overlay changes, so actions need no `x-spec`.
#[test]
fn an_overlay_extends_one_specification() {
    let whole = |extends: &str, scope: &str| {
        overlay(&format!("  - target: $.components.schemas.Thing\n    update: {{}}\n{scope}")).replacen(
            "overlay: 1.0.0\n",
            &format!("overlay: 1.0.0\nextends: {extends}\n"),
            1,
        )
    };
    for file in ["../health.v3.yaml", "health.v3.yaml", "https://specifications.example/health.v3.yaml"] {
        let (found, text) = findings(&whole(file, ""));
        assert!(found.is_empty(), "{text}");
    }
    expect(&whole("../care.v1.yaml", ""), &[("overlay-target", "/actions/0/target")]);
    expect(&whole("../health.v3.yaml", "    x-spec: health\n"), &[("overlay-action", "/actions/0/x-spec")]);
    for strange in ["../other.yaml", "7", "[]"] {
        let text = expect(&whole(strange, ""), &[("overlay", "/extends")]);
        assert!(text.contains("must name one of openapi/health.v3.yaml, openapi/care.v1.yaml"), "{text}");
    }
}

#[test]
fn an_invalid_header_of_an_overlay_is_reported() {
    let actions = "actions:\n  - target: $.info\n    update: {}\n";
    let info = "info:\n  title: A test\n  version: 1.0.0\n";
    for version in ["", "overlay: 2.0.0\n", "overlay: 1.0\n", "overlay: 1.1.0\n"] {
        expect(&format!("{version}{info}{actions}"), &[("overlay-version", "/overlay")]);
    }
    expect(&format!("overlay: 1.0.0\n{actions}"), &[("overlay", "/info"), ("overlay", "/info")]);
    expect(&format!("overlay: 1.0.0\n{info}action: []\n{actions}"), &[("overlay", "/action")]);
    for list in ["", "actions: []\n", "actions: {}\n", "actions: none\n"] {
        expect(&format!("overlay: 1.0.0\n{info}{list}"), &[("overlay", "/actions")]);
    }
}

/// Other tools write overlays of a later version, with `copy` actions and their own fields.
#[test]
fn an_unsupported_overlay_of_another_tool_is_reported() {
    let foreign = "overlay: 1.1.0\ninfo:\n  title: A test\n  version: 1.0.0\nactions:\n  - target: $.components.schemas.Thing\n    \
        copy: $.components.schemas.Other\n  - target: $.info\n    update: {}\n    x-vendor-metadata: {}\n";
    expect(
        foreign,
        &[
            ("overlay-version", "/overlay"),
            ("overlay-action", "/actions/0/copy"),
            ("overlay-action", "/actions/0"),
            ("overlay-action", "/actions/1/x-vendor-metadata"),
        ],
    );
}

#[test]
fn all_errors_of_all_actions_are_reported_at_once() {
    expect(
        &overlay(
            "  - tagret: $.info\n    x-mark: Z\n    x-spec: all\n    description: ''\n  - target: $.info\n    update: {}\n    x-mark: P\n  - nothing\n",
        ),
        &[
            ("overlay-action", "/actions/0/tagret"),
            ("overlay-action", "/actions/0/description"),
            ("overlay-action", "/actions/0/x-mark"),
            ("overlay-action", "/actions/0"),
            ("overlay-action", "/actions/0/x-spec"),
            ("overlay-action", "/actions/0"),
            ("overlay-action", "/actions/0/target"),
            ("overlay-action", "/actions/1"),
            ("overlay-action", "/actions/2"),
        ],
    );
    for (members, place) in [
        ("update: {}\n    remove: true", "/actions/0"),
        ("remove: false", "/actions/0"),
        ("remove: yes", "/actions/0/remove"),
        ("update: {}\n    x-mark: P\n    x-reason: ''", "/actions/0/x-reason"),
        ("update: {}\n    x-reason: Because.", "/actions/0"),
        ("update: text", "/actions/0/target"),
    ] {
        let (found, text) = findings(&overlay(&format!("  - target: $.info\n    {members}\n")));
        assert_eq!(found.first().map(|(_, pointer)| pointer.as_str()), Some(place), "{members}: {text}");
    }
    expect(&overlay("  - target: $.info\n    update: {}\n    x-statements: one.two\n"), &[("statements", "/actions/0/x-statements")]);
    expect(&overlay("  - target: $\n    remove: true\n"), &[("overlay-update", "/actions/0/target"); 2]);
}

#[test]
fn invalid_targets_are_reported() {
    let deep = format!("$[?{}@.a{}]", "(".repeat(10_000), ")".repeat(10_000));
    let long = format!("$['{}']", "a".repeat(20_000));
    let nested = format!("$[?{}@.a{}]", "(".repeat(100), ")".repeat(100));
    for target in ["info", "$.", "$[", "$..*..*..*", "$['a", "", "42", &deep, &long, &nested] {
        let yaml = format!("  - target: {}\n    update: {{}}\n", serde_json::to_string(target).unwrap());
        expect(&overlay(&yaml), &[("overlay-action", "/actions/0/target")]);
    }
}

/// Actions that build on each other cannot create a document that is too deep or too large.
#[test]
fn growth_is_limited() {
    let mut actions = String::new();
    let mut target = "$.info".to_owned();
    for _ in 0..20 {
        actions.push_str(&format!("  - target: \"{target}\"\n    update: {{a: {{a: {{a: {{a: {{}}}}}}}}}}\n"));
        target.push_str(".a.a.a.a");
    }
    let (found, text) = findings(&overlay(&actions));
    assert_eq!(found.first().map(|(rule, _)| rule.as_str()), Some("overlay-update"), "{text}");
    assert!(text.contains("deeper than 64"), "{text}");

    let double = (0..40).map(|index| format!("  - target: $.info..*\n    update: {{a{index}: 1, b{index}: {{}}}}\n")).collect::<String>();
    let start = "  - target: $.info\n    update: {a: {}}\n  - target: $.info.title\n    remove: true\n  - target: $.info.version\n    remove: true\n";
    let (found, text) = findings(&overlay(&format!("{start}{double}")));
    assert!(!found.is_empty() && found.len() <= 60, "{}", found.len());
    assert!(found.iter().any(|(rule, _)| rule == "overlay-size" || rule == "overlay-update"), "{}", &text[..text.len().min(2000)]);
}

#[test]
fn the_specification_is_checked_after_overlays() {
    let workspace = workspace(
        &read("base/health.yaml"),
        &[("10-test.yaml", &overlay("  - target: $.paths..get\n    x-spec: health\n    update:\n      x-vitalwire-gruop: things\n"))],
    );
    assert_eq!(places(workspace.path()), [("extension".to_owned(), "/paths/~1v3~1things~1{thing_id}/get/x-vitalwire-gruop".to_owned())]);
}

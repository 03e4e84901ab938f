//! One specification per pitfall. Each causes a finding with its place, and no panic. Without the rule, progenitor would panic or misread
//! some of these specifications.

use super::{build, fixture, places, read, text, workspace};

/// A fixture's folder, and the rule and place of every finding, in order.
type Case = (&'static str, &'static [(&'static str, &'static str)]);

/// Input that makes progenitor panic.
const PANICS: &[Case] = &[
    ("success-and-default", &[("response-default", "/paths/~1v3~1things~1{thing_id}/get/responses/default")]),
    ("nothing-and-default", &[("response-default", "/paths/~1v3~1things/post/responses/default")]),
    ("two-successes", &[("response-success", "/paths/~1v3~1things~1{thing_id}/get/responses")]),
    ("two-error-kinds", &[("error-body", "/paths/~1v3~1things~1{thing_id}/get/responses/413/content")]),
    ("two-request-media-types", &[("request-media", "/paths/~1v3~1things/post/requestBody/content")]),
    ("enum-case", &[("enum-case", "/components/schemas/Gender/enum/2")]),
    ("answer-without-schema", &[("response-schema", "/paths/~1v3~1things~1{thing_id}/get/responses/200/content/application~1json")]),
    ("encoding", &[("request-encoding", "/paths/~1v3~1things/post/requestBody/content/application~1json/encoding")]),
    ("path-ref", &[("path-ref", "/paths/~1v3~1others/$ref")]),
    ("optional-path-parameter", &[("path-parameter", "/paths/~1v3~1things~1{thing_id}/get/parameters/0")]),
];

/// Input that progenitor rejects.
const REJECTED: &[Case] = &[
    ("openapi-3-1", &[("openapi-version", "/openapi")]),
    ("multipart", &[("request-media", "/paths/~1v3~1things/post/requestBody/content")]),
    ("query-style", &[("parameter-style", "/paths/~1v3~1things~1{thing_id}/get/parameters/1/style")]),
    (
        "query-style-object",
        &[
            ("parameter-style", "/paths/~1v3~1things~1{thing_id}/get/parameters/1/style"),
            ("parameter-type", "/paths/~1v3~1things~1{thing_id}/get/parameters/1/schema"),
        ],
    ),
    ("cookie", &[("parameter-place", "/paths/~1v3~1things~1{thing_id}/get/parameters/1/in")]),
    ("header", &[("parameter-header", "/paths/~1v3~1things~1{thing_id}/get/parameters/1/name")]),
    ("header-name", &[("parameter-header", "/paths/~1v3~1things~1{thing_id}/get/parameters/1/name")]),
    ("header-list", &[("parameter-type", "/paths/~1v3~1things~1{thing_id}/get/parameters/1/schema")]),
    ("no-operation-id", &[("operation-id", "/paths/~1v3~1things~1{thing_id}/get")]),
    ("operation-id-twice", &[("operation-id", "/paths/~1v3~1things/delete/operationId")]),
];

/// Input that progenitor misreads silently.
const MISREAD: &[Case] = &[
    ("explode-false", &[("parameter-explode", "/paths/~1v3~1things~1{thing_id}/get/parameters/1/explode")]),
    ("optional-body", &[("request-required", "/paths/~1v3~1things/post/requestBody")]),
    ("additional-properties", &[("additional", "/components/schemas/Thing/additionalProperties")]),
    ("property-extra", &[("reserved-name", "/components/schemas/Thing/properties/extra")]),
    ("query-body", &[("reserved-name", "/paths/~1v3~1things~1{thing_id}/get/parameters/1")]),
    (
        "limit-on-integer",
        &[
            ("limit", "/paths/~1v3~1things~1{thing_id}/get/parameters/1/schema/minimum"),
            ("limit", "/paths/~1v3~1things~1{thing_id}/get/parameters/1/schema/maximum"),
            ("limit", "/paths/~1v3~1things~1{thing_id}/get/parameters/1/schema/exclusiveMaximum"),
        ],
    ),
    (
        "limit-on-text",
        &[
            ("limit", "/paths/~1v3~1things~1{thing_id}/get/parameters/1/schema/minimum"),
            ("limit", "/paths/~1v3~1things~1{thing_id}/get/parameters/1/schema/maximum"),
        ],
    ),
    (
        "limit-unchecked",
        &[
            ("limit", "/paths/~1v3~1things~1{thing_id}/get/parameters/0/schema/pattern"),
            ("limit", "/paths/~1v3~1things~1{thing_id}/get/parameters/1/schema/maxItems"),
            ("limit", "/paths/~1v3~1things~1{thing_id}/get/parameters/1/schema/items/maxLength"),
            ("limit", "/components/schemas/Code/pattern"),
            ("limit", "/paths/~1v3~1things~1{thing_id}/get/parameters/3/schema/x-vitalwire-unchecked"),
        ],
    ),
    ("limit-order", &[("limit", "/paths/~1v3~1things~1{thing_id}/get/parameters/1/schema/maximum")]),
    ("range-status", &[("response-status", "/paths/~1v3~1things~1{thing_id}/get/responses/4XX")]),
    ("shared-parameters", &[("path-parameters", "/paths/~1v3~1things~1{thing_id}/parameters")]),
];

/// Our own rules.
const OURS: &[Case] = &[
    ("no-success", &[("response-success", "/paths/~1v3~1things~1{thing_id}/get/responses")]),
    ("closed-enum", &[("closed-enum", "/components/schemas/Colour")]),
    ("inline-enum", &[("type", "/components/schemas/Thing/properties/colour")]),
    ("inline-object", &[("type", "/components/schemas/Thing/properties/inner")]),
    ("one-of", &[("type", "/components/schemas/Thing/properties/either")]),
    ("untyped-object", &[("schema", "/components/schemas/Loose")]),
    (
        "reference-nowhere",
        &[("reference", "/components/schemas/Thing/properties/other"), ("type", "/components/schemas/Thing/properties/other")],
    ),
    (
        "reference-elsewhere",
        &[("reference", "/components/schemas/Thing/properties/other"), ("type", "/components/schemas/Thing/properties/other")],
    ),
    ("alias-circle", &[("schema", "/components/schemas/First"), ("schema", "/components/schemas/Second")]),
    (
        "received-bytes",
        &[("bytes", "/components/schemas/Thing/properties/photo"), ("bytes", "/components/schemas/Thing/properties/photos")],
    ),
    ("contains-itself", &[("recursive", "/components/schemas/Thing")]),
    ("parameter-ref", &[("parameter-ref", "/paths/~1v3~1things~1{thing_id}/get/parameters/1")]),
    ("parameter-object", &[("parameter-type", "/paths/~1v3~1things~1{thing_id}/get/parameters/1/schema")]),
    (
        "request-object",
        &[
            ("parameter-type", "/components/schemas/Thing/properties/inner"),
            ("parameter-type", "/components/schemas/Thing/properties/free"),
        ],
    ),
    ("request-twice", &[("request-schema", "/paths/~1v3~1things/patch/requestBody")]),
    ("request-received", &[("request-schema", "/paths/~1v3~1things/post/requestBody")]),
    ("path-without-parameter", &[("path-parameter", "/paths/~1v3~1things~1{thing_id}~1parts~1{part_id}/get")]),
    ("path-with-dots", &[("path", "/paths/~1v3~1..~1things~1{thing_id}")]),
    ("head", &[("path-item", "/paths/~1v3~1things~1{thing_id}/head")]),
    ("names-one-in-code", &[("name-twice", "/components/schemas/Thing/properties/plan_type")]),
    ("values-one-in-code", &[("enum-case", "/components/schemas/Zone/enum/1")]),
    (
        "value-no-name",
        &[
            ("enum-value", "/components/schemas/Interval/enum/0"),
            ("enum-value", "/components/schemas/Interval/enum/1"),
            ("enum-value", "/components/schemas/Interval/enum/2"),
            ("enum-value", "/components/schemas/Interval/enum/3"),
        ],
    ),
    ("value-no-text", &[("enum-value", "/components/schemas/Answer/enum/1"), ("enum-value", "/components/schemas/Answer/enum/2")]),
    (
        "alias-taken",
        &[("enum-value", "/components/schemas/Colour/x-vitalwire-aliases/mauve"), ("enum-value", "/components/schemas/Colour/enum/1")],
    ),
    (
        "number-map-names",
        &[
            ("reserved-name", "/components/schemas/Numbers/properties/get"),
            ("reserved-name", "/components/schemas/Numbers/properties/type"),
            ("reserved-name", "/components/schemas/Numbers/properties/2nd_wind"),
            ("number-map", "/components/schemas/Numbers/properties/note"),
        ],
    ),
    (
        "series-map-keys",
        &[("series-map", "/components/schemas/Series/additionalProperties"), ("keys", "/components/schemas/Series/x-vitalwire-series-map")],
    ),
    (
        "type-names",
        &[
            ("type-name", "/components/schemas/Vec"),
            ("type-name", "/components/schemas/Client"),
            ("type-name", "/components/schemas/snake_case"),
            ("type-name", "/components/schemas/GetParams"),
            ("type-name", "/components/schemas/Type"),
        ],
    ),
    (
        "keywords",
        &[
            ("operation-id", "/paths/~1v3~1things~1{thing_id}/get/operationId"),
            ("annotation", "/paths/~1v3~1things~1{thing_id}/get/x-vitalwire-group"),
            ("annotation", "/paths/~1v3~1things~1{thing_id}/get/x-vitalwire-method"),
        ],
    ),
    (
        "annotations",
        &[
            ("extension", "/paths/~1v3~1things~1{thing_id}/get/x-vitalwire-retry"),
            ("extension", "/paths/~1v3~1things~1{thing_id}/get/x-vitalwire-unit"),
            ("extension", "/paths/~1v3~1things~1{thing_id}/get/x-vitalwire-dedline"),
            ("annotation", "/paths/~1v3~1things~1{thing_id}/get"),
        ],
    ),
    ("safe-post", &[("annotation", "/paths/~1v3~1things/post/x-vitalwire-retry")]),
    (
        "range",
        &[
            ("range", "/paths/~1v3~1things/get/x-vitalwire-range/from"),
            ("range", "/paths/~1v3~1things/get/x-vitalwire-range/to"),
            ("range", "/paths/~1v3~1things/get/x-vitalwire-range/key"),
        ],
    ),
    (
        "range-items",
        &[("range", "/paths/~1v3~1things/get/x-vitalwire-range/to"), ("range", "/paths/~1v3~1things/get/x-vitalwire-range/items")],
    ),
    ("range-kind", &[("range", "/paths/~1v3~1things/get/x-vitalwire-range/kind")]),
    ("range-list", &[("range", "/paths/~1v3~1things/get/x-vitalwire-range")]),
    (
        "range-members",
        &[("range", "/paths/~1v3~1things/get/x-vitalwire-range/first"), ("range", "/paths/~1v3~1things/get/x-vitalwire-range")],
    ),
    ("range-unsafe", &[("range", "/paths/~1v3~1things/get/x-vitalwire-retry")]),
    (
        "call-methods",
        &[
            ("reserved-name", "/paths/~1v3~1things~1{thing_id}/get/parameters/1"),
            ("reserved-name", "/paths/~1v3~1things~1{thing_id}/get/parameters/2"),
            ("reserved-name", "/paths/~1v3~1things~1{thing_id}/get/parameters/3"),
        ],
    ),
    ("wait-twice", &[("wait", "/paths/~1v3~1others/post/x-vitalwire-wait/poll")]),
    ("range-optional-items", &[("range", "/paths/~1v3~1things/get/x-vitalwire-range/items")]),
    (
        "wait",
        &[
            ("wait", "/paths/~1v3~1things~1{thing_id}/get/x-vitalwire-wait/status"),
            ("wait", "/paths/~1v3~1things~1{thing_id}/get/x-vitalwire-wait/id"),
            ("wait", "/paths/~1v3~1things~1{thing_id}/get/x-vitalwire-wait/status"),
        ],
    ),
    (
        "table-shape",
        &[("extension", "/components/schemas/Thing/x-vitalwire-tables"), ("extension", "/components/schemas/Odd/x-vitalwire-tables")],
    ),
    (
        "table-words",
        &[
            ("table", "/components/schemas/Thing/x-vitalwire-tables/Things"),
            ("table", "/components/schemas/Thing/x-vitalwire-tables/things/row"),
            ("table", "/components/schemas/Thing/x-vitalwire-tables/things/description"),
            ("table", "/components/schemas/Thing/x-vitalwire-tables/things/keys"),
            ("table", "/components/schemas/Other/x-vitalwire-tables/elsewhere"),
            ("table", "/components/schemas/Loose/x-vitalwire-tables/lists"),
        ],
    ),
    (
        "table-members",
        &[
            ("table", "/components/schemas/Thing/x-vitalwire-tables/no_rows/rows"),
            ("table", "/components/schemas/Thing/x-vitalwire-tables/no_list/rows"),
            ("table", "/components/schemas/Thing/x-vitalwire-tables/no_inner_rows/rows"),
            ("table", "/components/schemas/Thing/x-vitalwire-tables/no_keys/keys/none"),
            ("table", "/components/schemas/Thing/x-vitalwire-tables/no_keys/keys/part"),
            ("table", "/components/schemas/Thing/x-vitalwire-tables/no_keys/keys/deep"),
            ("table", "/components/schemas/Thing/x-vitalwire-tables/no_keys/keys/beside"),
            ("table", "/components/schemas/Thing/x-vitalwire-tables/no_keys/keys/again"),
            ("table", "/components/schemas/Thing/x-vitalwire-tables/no_offset/time-offset"),
            ("table", "/components/schemas/Thing/x-vitalwire-tables/no_offset_at_all/time-offset"),
            ("table", "/components/schemas/Thing/x-vitalwire-tables/no_sources/flags"),
            ("table", "/components/schemas/Thing/x-vitalwire-tables/no_sources/dates"),
        ],
    ),
    (
        "table-columns",
        &[
            ("table", "/components/schemas/Thing/x-vitalwire-tables/names"),
            ("table", "/components/schemas/Thing/x-vitalwire-tables/times"),
            ("table", "/components/schemas/Part/x-vitalwire-tables/parts"),
        ],
    ),
    (
        "table-series",
        &[
            ("table", "/components/schemas/Thing/x-vitalwire-tables/without/start"),
            ("table", "/components/schemas/Thing/x-vitalwire-tables/without/series-columns"),
            ("table", "/components/schemas/Thing/x-vitalwire-tables/no_object/series"),
            ("table", "/components/schemas/Thing/x-vitalwire-tables/no_instants/series"),
            ("table", "/components/schemas/Thing/x-vitalwire-tables/wrong/rows"),
            ("table", "/components/schemas/Thing/x-vitalwire-tables/wrong/start"),
            ("table", "/components/schemas/Thing/x-vitalwire-tables/wrong/series-columns/offset"),
            ("table", "/components/schemas/Thing/x-vitalwire-tables/wrong/series-columns/name"),
        ],
    ),
    ("table-range", &[("table", "/components/schemas/Thing/x-vitalwire-tables/parts")]),
    ("table-wide", &[("table", "/components/schemas/Thing/x-vitalwire-tables/things")]),
    (
        "languages",
        &[
            ("extension", "/components/schemas/Misspelt/x-vitalwire-languages"),
            ("languages", "/components/schemas/Half/x-vitalwire-languages"),
            ("languages", "/components/schemas/Baseless/x-vitalwire-languages"),
            ("languages", "/components/schemas/Thing/properties/event"),
        ],
    ),
    ("unit", &[("extension", "/components/schemas/Thing/properties/pulse/x-vitalwire-unit")]),
    ("undeclared-tags", &[("tag", "/paths/~1v3~1things~1{thing_id}/get/tags/1")]),
    ("group-file", &[("annotation", "/paths/~1v3~1things~1{thing_id}/get/x-vitalwire-group")]),
    ("servers", &[("servers", "/servers")]),
    ("document-member", &[("member", "/webhooks")]),
    ("statements", &[("statements", "/info/x-statements")]),
    ("extends-nowhere", &[("expand", "/components/schemas/Bigger"), ("expand", "/components/schemas/Smaller")]),
];

fn check(cases: &[Case]) {
    for (name, expected) in cases {
        let workspace = workspace(&read(&format!("pitfalls/{name}/health.yaml")), &[]);
        let found = places(workspace.path());
        let found: Vec<(&str, &str)> = found.iter().map(|(rule, pointer)| (rule.as_str(), pointer.as_str())).collect();
        assert_eq!(found, *expected, "{name}");
        let text = text(workspace.path());
        for (rule, pointer) in *expected {
            let line = text.lines().find(|line| line.contains(&format!("[{rule}]")) && line.contains(&format!(" {pointer}: ")));
            assert!(line.is_some_and(|line| line.starts_with("openapi/health.v3.yaml ")), "{name}:\n{text}");
        }
    }
}

#[test]
fn input_that_makes_progenitor_panic_is_found() {
    check(PANICS);
}

#[test]
fn input_that_progenitor_rejects_is_found() {
    check(REJECTED);
}

#[test]
fn input_that_progenitor_misreads_is_found() {
    check(MISREAD);
}

#[test]
fn violations_of_our_own_rules_are_found() {
    check(OURS);
}

/// Each fixture differs from this specification in one point.
#[test]
fn the_base_specification_has_no_findings() {
    let workspace = workspace(&read("base/health.yaml"), &[]);
    let (_, ir) = build(workspace.path()).unwrap_or_else(|findings| panic!("{findings}"));
    assert_eq!(ir.operations.iter().map(|operation| operation.id.as_str()).collect::<Vec<_>>(), ["get_thing", "get_benefits"]);
}

#[test]
fn every_fixture_has_a_case() {
    let mut folders: Vec<String> =
        std::fs::read_dir(fixture("pitfalls")).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    folders.sort();
    let mut cases: Vec<&str> = [PANICS, REJECTED, MISREAD, OURS].concat().iter().map(|(name, _)| *name).collect();
    cases.sort_unstable();
    assert_eq!(folders, cases);
}

#[test]
fn findings_of_document_schemas_and_operations_are_reported_at_once() {
    let health = read("pitfalls/openapi-3-1/health.yaml");
    let health = health
        .replace("        name:\n          type: string", "        extra:\n          type: string")
        .replace("x-vitalwire-group: things", "x-vitalwire-group: Things");
    let workspace = workspace(&health, &[]);
    let rules: Vec<String> = places(workspace.path()).into_iter().map(|(rule, _)| rule).collect();
    assert_eq!(rules, ["openapi-version", "reserved-name", "annotation"]);
    assert!(text(workspace.path()).ends_with("\n3 findings; nothing was written"));
}

/// A name that both specifications declare is reported in the second one.
#[test]
fn a_finding_names_the_file_to_change() {
    let workspace = workspace(&read("base/health.yaml"), &[]);
    let care = read("base/care.yaml").replacen(
        "  schemas:\n",
        "  schemas:\n    Thing:\n      type: string\n      enum: [a, b]\n      x-vitalwire-open-set: true\n",
        1,
    );
    std::fs::write(workspace.path().join("openapi/care.v1.yaml"), care).unwrap();
    let text = text(workspace.path());
    assert!(text.contains("openapi/care.v1.yaml /components/schemas/Thing: type name `Thing` is used twice [name]"), "{text}");
}

#[test]
fn a_finding_names_the_overlay_that_wrote_the_place() {
    let overlay = &read("overlays/unit.yaml");
    let workspace =
        workspace(&read("base/health.yaml").replace("x-vitalwire-group: things", "x-vitalwire-group: Things"), &[("30-own.yaml", overlay)]);
    assert_eq!(
        places(workspace.path()),
        [
            ("extension".to_owned(), "/components/schemas/Thing/properties/weight/x-vitalwire-unit".to_owned()),
            ("annotation".to_owned(), "/paths/~1v3~1things~1{thing_id}/get/x-vitalwire-group".to_owned()),
        ]
    );
    let text = text(workspace.path());
    let by = "openapi/overlays/30-own.yaml /actions/1: /components/schemas/Thing/properties/weight/x-vitalwire-unit of openapi/health";
    assert!(text.lines().any(|line| line.starts_with(by) && line.contains(": must be one of bpm, ")), "{text}");
    assert!(
        text.lines().any(|line| line.starts_with("openapi/health.v3.yaml /paths/~1v3~1things~1{thing_id}/get/x-vitalwire-group: ")),
        "{text}"
    );
}

/// Our own annotations need neither a mark nor a reason.
#[test]
fn an_action_of_the_supplement_needs_a_mark_and_a_reason() {
    let overlay = &read("overlays/unmarked.yaml");
    let supplement = workspace(&read("base/health.yaml"), &[("10-supplement.yaml", overlay)]);
    assert_eq!(places(supplement.path()), [("overlay-action".to_owned(), "/actions/0".to_owned())]);
    assert!(text(supplement.path()).starts_with("openapi/overlays/10-supplement.yaml /actions/0: must have `x-mark` and `x-reason`"));
    assert!(places(workspace(&read("base/health.yaml"), &[("20-client.yaml", overlay)]).path()).is_empty());
}

/// The claim may be at any depth of the update.
#[test]
fn an_annotation_with_a_claim_about_the_service_needs_a_mark_and_a_reason() {
    let overlay = |update: &str, mark: &str| {
        format!(
            "overlay: 1.0.0\ninfo:\n  title: A test\n  version: 1.0.0\nactions:\n  - target: $.components.schemas\n    description: A claim.\n\
             {mark}    update:\n      Thing:\n        properties:\n          name:\n            {update}\n"
        )
    };
    let of = |file: &str, text: &str| {
        let found = places(workspace(&read("base/health.yaml"), &[(file, text)]).path());
        found.into_iter().filter(|(rule, _)| rule == "overlay-action").collect::<Vec<_>>()
    };
    let found = |text: &str| of("20-client.health.v3.yaml", text);
    let unmarked = [("overlay-action".to_owned(), "/actions/0".to_owned())];
    assert_eq!(found(&overlay("x-vitalwire-sensitivity: credential", "")), unmarked);
    assert_eq!(found(&overlay("x-vitalwire-retry: idempotent", "")), unmarked);
    assert_eq!(found(&overlay("x-vitalwire-sensitivity: credential", "    x-mark: P\n    x-reason: It gives access.\n")), []);
    // Overlays of users need no mark.
    let own = overlay("x-vitalwire-sensitivity: credential", "");
    assert_eq!(of("30-own.yaml", &own), []);
}

//! Difficult names and types in C and C++.

use std::collections::BTreeMap;

use vitalwire_codegen::c::emit;
use vitalwire_codegen::c::spelling as names;
use vitalwire_codegen::ir::features::Language;
use vitalwire_codegen::ir::{Docs, Ir, Member, Model, OpenSet, OpenValue, Operation, Param, ParamLocation, ResponseType, Retry, Type};

fn ir(models: Vec<Model>, operations: Vec<Operation>) -> Ir {
    Ir { models, operations, ..Ir::default() }
}

fn member(name: &str, ty: Type) -> Member {
    let (wire, name) = (name.to_owned(), name.to_owned());
    Member { wire, name, ty, required: false, credential: false, default: None, limits: BTreeMap::new(), docs: Docs::default() }
}

fn model(name: &str, members: Vec<Member>) -> Model {
    Model { name: name.to_owned(), docs: Docs::default(), members, request: false, has_basis: false, languages: Language::ALL.to_vec() }
}

fn operation(group: &str, method: &str, params: Vec<Member>, response: ResponseType) -> Operation {
    let param = |member| Param {
        member,
        place: ParamLocation::Body,
        minimum: None,
        maximum: None,
        min_items: None,
        max_bytes: None,
        accepts: Vec::new(),
        names: Vec::new(),
    };
    Operation {
        languages: Language::ALL.to_vec(),
        id: format!("{method}_{group}"),
        group: group.to_owned(),
        method: method.to_owned(),
        service: "health".to_owned(),
        http: "POST".to_owned(),
        path: "/v3/x".to_owned(),
        params: params.into_iter().map(param).collect(),
        body: None,
        response,
        success: vec![200],
        headers: vec![],
        authenticated: true,
        retry: Retry::Safe,
        long: false,
        basis: None,
        max_request_bytes: None,
        wait: None,
        range: None,
        docs: Docs::default(),
    }
}

fn text(ir: &Ir, path: &str) -> String {
    let files = emit(ir).unwrap();
    files.into_iter().find(|file| file.path.ends_with(path)).unwrap_or_else(|| panic!("no {path}")).text
}

fn error_text(ir: &Ir) -> String {
    emit(ir).map_or_else(|error| error.to_string(), |_| String::new())
}

#[test]
fn a_resource_and_a_type_can_have_the_same_name() {
    let ir = ir(vec![model("UserInfo", vec![])], vec![operation("user", "info", vec![], ResponseType::Model("UserInfo".to_owned()))]);
    assert!(text(&ir, "types.rs").contains("pub type vitalwire_user_info = models::UserInfo;"));
    assert!(text(&ir, "calls/user.rs").contains("extern \"C\" fn vitalwire_client_user_info("));
}

#[test]
fn only_results_of_calls_have_a_free_function() {
    let ir = ir(
        vec![model("Night", vec![member("stages", Type::List(Box::new(Type::Model("Stage".to_owned()))))]), model("Stage", vec![])],
        vec![operation("nights", "get", vec![], ResponseType::Model("Night".to_owned()))],
    );
    assert!(text(&ir, "models/night.rs").contains("fn vitalwire_night_free("));
    assert!(!text(&ir, "models/stage.rs").contains("_free("));
}

#[test]
fn duplicate_c_names_are_rejected_with_both_places() {
    let documented = |text: &str, member: Member| Member { docs: Docs { text: text.to_owned(), ..Docs::default() }, ..member };
    let expect_parts = |ir: &Ir, parts: &[&str]| {
        let error = error_text(ir);
        parts.iter().for_each(|part| assert!(error.contains(part), "{part}: {error}"));
    };
    let stages = member("stages", Type::List(Box::new(Type::Text)));
    let twins = model("Night", vec![stages, documented("How many stages.", member("stages_count", Type::Integer))]);
    let place = "a function of models/night.rs (\"How many stages. Writes the field `stages_count` to `value`.";
    expect_parts(&ir(vec![twins], vec![]), &["`vitalwire_night_stages_count` in C would be a function of models/night.rs", place]);
    let type_and_function = vec![model("Night", vec![documented("When it is.", member("at", Type::Text))]), model("NightAt", vec![])];
    let both =
        ["`vitalwire_night_at`", "the type of `models::NightAt`", "a function of models/night.rs (\"When it is. Returns the field `at`"];
    expect_parts(&ir(type_and_function, vec![]), &both);
    let value = |name: &str| OpenValue { wire: name.to_owned(), name: name.to_owned(), aliases: vec![], docs: Docs::default() };
    let set = |name: &str, value| OpenSet {
        name: name.to_owned(),
        docs: Docs::default(),
        values: vec![value],
        languages: Language::ALL.to_vec(),
    };
    let mut constants = ir(vec![], vec![]);
    constants.open_sets = vec![set("A", value("b_c")), set("A_B", value("c"))];
    expect_parts(&constants, &["`VITALWIRE_A_B_C` in C would be `b_c` of `A` and `c` of `A_B`", "x-vitalwire-names"]);
}

#[test]
fn an_optional_list_can_be_sent_empty() {
    let list = |name: &str, required| Member { required, ..member(name, Type::List(Box::new(Type::Text))) };
    let ir = ir(vec![], vec![operation("days", "list", vec![list("types", true), list("fields", false)], ResponseType::Nothing)]);
    let params = text(&ir, "params/days.rs");
    assert!(params.contains("_params_clear_fields(") && params.contains("params.fields.get_or_insert_default().clear()"));
    assert!(params.contains("/// Sends an empty list.\n"));
    // A required list always exists.
    assert!(!params.contains("_clear_types("));
    let mut query = ir;
    query.operations[0].params.iter_mut().for_each(|param| param.place = ParamLocation::Query);
    assert!(text(&query, "params/days.rs").contains("/// Removes all items. An empty list is not sent.\n"));
}

#[test]
fn a_type_without_a_c_representation_is_rejected_by_name() {
    let bytes = model("Scan", vec![member("image", Type::Bytes)]);
    assert!(error_text(&ir(vec![bytes], vec![])).contains("`image`"));
    let object = operation("scans", "add", vec![member("device", Type::Model("Device".to_owned()))], ResponseType::Nothing);
    assert!(error_text(&ir(vec![], vec![object])).contains("`device`"));
}

#[test]
fn every_call_can_be_started_and_calls_with_texts_have_a_simple_form() {
    let required = |name: &str, ty| Member { required: true, ..member(name, ty) };
    let day = vec![required("id", Type::Id), required("day", Type::Date)];
    let ir = ir(
        vec![model("Scan", vec![])],
        vec![
            operation("scans", "get", vec![required("id", Type::Id), member("day", Type::Date)], ResponseType::Model("Scan".to_owned())),
            operation("scans", "delete", day, ResponseType::Nothing),
            operation("scans", "list", vec![], ResponseType::List("Scan".to_owned())),
        ],
    );
    let calls = text(&ir, "calls/scans.rs");
    for method in ["get", "delete", "list"] {
        for form in ["", "_start", "_finish"] {
            assert!(calls.contains(&format!("fn vitalwire_client_scans_{method}{form}(")), "{method}{form}");
        }
        assert_eq!(calls.contains(&format!("fn vitalwire_client_scans_{method}_simple(")), method == "get", "{method}");
    }
    let tests = text(&ir, "generated/every_call.c");
    assert!(tests.contains("vitalwire_client_scans_get_simple(client, str(NULL), &out, &error), &error, \"id\");"), "{tests}");
    assert_eq!(tests.matches("_start(NULL, ").count(), 6, "{tests}");
}

#[test]
fn argument_names_avoid_keywords_of_rust_c_and_cpp() {
    for (name, argument) in [("type", "type_"), ("class", "class_"), ("default", "default_"), ("sleep_id", "sleep_id"), ("out", "out_")] {
        assert_eq!(names::argument(name), argument);
    }
}

#[test]
fn a_known_name_is_escaped_as_a_literal() {
    let odd = OpenValue { wire: "a\"b\\c\u{e9}1??=".to_owned(), name: "odd".to_owned(), aliases: vec![], docs: Docs::default() };
    let mut ir = ir(vec![], vec![]);
    ir.open_sets = vec![OpenSet { name: "Set".to_owned(), docs: Docs::default(), values: vec![odd], languages: Language::ALL.to_vec() }];
    assert!(text(&ir, "vitalwire/names.h").contains(r#"#define VITALWIRE_SET_ODD "a\"b\\c\303\2511\?\?=""#));
}

#[test]
fn cpp_arguments_have_cpp_types() {
    let converted = |declared: &str| {
        let argument = vitalwire_codegen::cpp::spelling::convert_argument(declared);
        (argument.declaration, argument.expression)
    };
    let pair = |declaration: &str, expression: &str| (declaration.to_owned(), expression.to_owned());
    assert_eq!(converted("item: vitalwire_str"), pair("std::string_view item", "detail::to_c(item)"));
    assert_eq!(converted("value: *const u8, value_length: usize"), pair("vitalwire::bytes value", "value.data(), value.size()"));
    assert_eq!(converted("default: i64"), pair("std::int64_t default_", "default_"));
    assert_eq!(converted("value: bool"), pair("bool value = true", "value"));
}

#[test]
fn integers_in_milliseconds_are_durations_in_cpp() {
    let plain = |unit: Option<&str>, ty| {
        let docs = Docs { unit: unit.map(str::to_owned), ..Docs::default() };
        vitalwire_codegen::cpp::spelling::plain(&Member { docs, ..member("long", ty) })
    };
    assert_eq!(plain(Some("ms"), Type::Integer), Some("std::chrono::milliseconds"));
    assert_eq!(plain(Some("min"), Type::Integer), Some("std::int64_t"));
    assert_eq!(plain(None, Type::List(Box::new(Type::Date))), Some("vitalwire::date"));
    assert_eq!(plain(None, Type::Text), None);
}

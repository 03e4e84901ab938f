//! Spelling of names in each language.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::root;
use vitalwire_codegen::kotlin::spelling as kotlin;
use vitalwire_codegen::naming::{camel, is_snake, pascal, shouty, snake};
use vitalwire_codegen::python::spelling as python;
use vitalwire_codegen::read::RESERVED_PARAMETERS;
use vitalwire_codegen::rust::spelling as rust;
use vitalwire_codegen::swift::spelling as swift;

/// Each row has the wire spelling, then snake, Pascal, camel and upper case.
#[test]
fn names_are_converted_between_cases() {
    for (wire, expected) in [
        ("hrv_rmssd", ["hrv_rmssd", "HrvRmssd", "hrvRmssd", "HRV_RMSSD"]),
        ("planType", ["plan_type", "PlanType", "planType", "PLAN_TYPE"]),
        (
            "outOfPocketMaxFamilyMet",
            ["out_of_pocket_max_family_met", "OutOfPocketMaxFamilyMet", "outOfPocketMaxFamilyMet", "OUT_OF_POCKET_MAX_FAMILY_MET"],
        ),
        (
            "therapyThresholdSpentOT",
            ["therapy_threshold_spent_ot", "TherapyThresholdSpentOt", "therapyThresholdSpentOt", "THERAPY_THRESHOLD_SPENT_OT"],
        ),
        ("vitamin_b12_mcg", ["vitamin_b12_mcg", "VitaminB12Mcg", "vitaminB12Mcg", "VITAMIN_B12_MCG"]),
        (
            "heartrate_zone0_duration",
            ["heartrate_zone0_duration", "HeartrateZone0Duration", "heartrateZone0Duration", "HEARTRATE_ZONE0_DURATION"],
        ),
        ("LabReportStatus", ["lab_report_status", "LabReportStatus", "labReportStatus", "LAB_REPORT_STATUS"]),
        ("HTTPError", ["http_error", "HttpError", "httpError", "HTTP_ERROR"]),
        ("lab_report.created", ["lab_report_created", "LabReportCreated", "labReportCreated", "LAB_REPORT_CREATED"]),
        ("x-name with blanks", ["x_name_with_blanks", "XNameWithBlanks", "xNameWithBlanks", "X_NAME_WITH_BLANKS"]),
        ("Other", ["other", "Other", "other", "OTHER"]),
        ("__twice__", ["twice", "Twice", "twice", "TWICE"]),
    ] {
        assert_eq!([snake(wire), pascal(wire), camel(wire), shouty(wire)], expected, "{wire}");
    }
}

#[test]
fn difficult_names_are_spelled_correctly() {
    for (wire, rust, swift, kotlin, python) in [
        ("type", "type_", "type", "type", "type"),
        ("default", "default", "`default`", "default", "default"),
        ("vitamin_b12_mcg", "vitamin_b12_mcg", "vitaminB12Mcg", "vitaminB12Mcg", "vitamin_b12_mcg"),
        (
            "heartrate_zone0_duration",
            "heartrate_zone0_duration",
            "heartrateZone0Duration",
            "heartrateZone0Duration",
            "heartrate_zone0_duration",
        ),
        ("planType", "plan_type", "planType", "planType", "plan_type"),
        (
            "therapyThresholdSpentOT",
            "therapy_threshold_spent_ot",
            "therapyThresholdSpentOt",
            "therapyThresholdSpentOt",
            "therapy_threshold_spent_ot",
        ),
        ("class", "class", "`class`", "`class`", "class_"),
        ("in", "in_", "`in`", "`in`", "in_"),
    ] {
        assert_eq!(rust::name(wire), rust);
        assert_eq!(swift::name(wire), swift);
        assert_eq!(kotlin::name(wire), kotlin);
        assert_eq!(python::name(wire), python);
    }
}

#[test]
fn a_keyword_is_escaped_only_in_its_language() {
    for (wire, expected) in [
        ("self", ["self_", "`self`", "self", "self"]),
        ("is", ["is", "`is`", "`is`", "is_"]),
        ("object", ["object", "object", "`object`", "object"]),
        ("lambda", ["lambda", "lambda", "lambda", "lambda_"]),
        ("match", ["match_", "match", "match", "match"]),
        ("fun", ["fun", "fun", "`fun`", "fun"]),
        ("func", ["func", "`func`", "func", "func"]),
        ("gen", ["gen_", "gen", "gen", "gen"]),
        ("import", ["import", "`import`", "import", "import_"]),
        ("name", ["name", "name", "name", "name"]),
    ] {
        let names = [rust::name(wire), swift::name(wire), kotlin::name(wire), python::name(wire)];
        assert_eq!(names, expected, "{wire}");
    }
}

#[test]
fn a_word_that_rust_reserves_is_escaped_or_rejected() {
    for word in [
        "abstract", "as", "async", "await", "become", "box", "do", "dyn", "final", "gen", "macro", "override", "priv", "try", "typeof",
        "unsized", "virtual", "yield",
    ] {
        let name = rust::name(word);
        let usable = syn::parse_str::<syn::Ident>(&name).is_ok();
        let specification = super::read("base/health.yaml").replace("        name:\n", &format!("        {word}:\n"));
        let workspace = super::workspace(&specification, &[]);
        assert_eq!(super::places(workspace.path()).is_empty(), usable, "{word} as {name}");
    }
}

#[test]
fn only_lower_snake_case_is_accepted() {
    for name in ["get", "init_url", "vitamin_b12_mcg"] {
        assert!(is_snake(name), "{name}");
    }
    for name in ["", "initUrl", "Init", "init-url", "init__url", "_init", "init url"] {
        assert!(!is_snake(name), "{name}");
    }
}

/// A parameter cannot have the name of a method of calls, because its setter would be a second method of that name.
#[test]
fn the_reserved_parameter_names_are_the_methods_of_calls() {
    fn visit(folder: &Path, found: &mut BTreeSet<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && path.file_name().is_some_and(|name| name != "generated") {
                visit(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let file = syn::parse_file(&fs::read_to_string(&path).unwrap()).unwrap();
                found.extend(file.items.iter().filter_map(own_methods_of_call).flatten());
            }
        }
    }
    fn own_methods_of_call(item: &syn::Item) -> Option<Vec<String>> {
        let syn::Item::Impl(block) = item else { return None };
        let syn::Type::Path(of) = &*block.self_ty else { return None };
        let name = of.path.segments.last()?;
        // The transport has another `Call`, with a lifetime.
        let syn::PathArguments::AngleBracketed(given) = &name.arguments else { return None };
        let of_a_type = matches!(given.args.first(), Some(syn::GenericArgument::Type(_)));
        let methods = block.items.iter().filter_map(|item| match item {
            syn::ImplItem::Fn(method) => Some(method.sig.ident.to_string()),
            _ => None,
        });
        (block.trait_.is_none() && name.ident == "Call" && of_a_type).then(|| methods.collect())
    }
    let mut found = BTreeSet::new();
    visit(&root().join("crates/vitalwire-runtime/src"), &mut found);
    visit(&root().join("crates/vitalwire/src"), &mut found);
    let client = fs::read_to_string(root().join("crates/vitalwire/src/generated/client.rs")).unwrap();
    found.extend(syn::parse_file(&client).unwrap().items.iter().filter_map(own_methods_of_call).flatten());
    assert!(["send", "range", "split", "and_wait", "tables"].iter().all(|known| found.contains(*known)), "{found:?}");
    // `body` is not a method but the name of the request body.
    found.insert("body".to_owned());
    assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), RESERVED_PARAMETERS);
}

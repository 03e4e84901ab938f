//! Compares the rows of settings, options and error fields with the public functions of the engine.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use quote::ToTokens;
use syn::{Attribute, Expr, ExprLit, FnArg, ImplItem, ImplItemFn, Item, Lit, Meta, ReturnType, Visibility};
use vitalwire_codegen::ir::features::{Availability, CALL_OPTIONS, ERROR_FIELDS, ErrorFieldType, Language, SETTINGS, Setting, report};

/// Returns the public functions of a type in the engine, from a file or all files in a folder. Includes generic types.
fn functions(type_name: &str, path: &str) -> Vec<ImplItemFn> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vitalwire-runtime/src").join(path);
    let files: Vec<PathBuf> = match path.is_dir() {
        true => std::fs::read_dir(&path)
            .expect("the engine's source")
            .map(|entry| entry.expect("an entry").path())
            .filter(|path| path.is_file())
            .collect(),
        false => vec![path],
    };
    let items = files.iter().flat_map(|path| syn::parse_file(&std::fs::read_to_string(path).expect("source")).expect("Rust").items);
    let blocks = items.filter_map(|item| match item {
        Item::Impl(block) if block.trait_.is_none() && text(&block.self_ty) == type_name => Some(block.items),
        _ => None,
    });
    let functions = blocks.flatten().filter_map(|item| match item {
        ImplItem::Fn(function) if matches!(function.vis, Visibility::Public(_)) => Some(function),
        _ => None,
    });
    functions.collect()
}

fn text(tokens: &impl ToTokens) -> String {
    tokens.to_token_stream().to_string().replace(' ', "")
}

/// Returns the documentation of a type's public functions, by name.
pub(super) fn documented(type_name: &str, path: &str) -> BTreeMap<String, String> {
    functions(type_name, path).into_iter().map(|function| (function.sig.ident.to_string(), docs(&function.attrs))).collect()
}

/// Returns the documentation of a type's fields, by name.
pub(super) fn field_texts(type_name: &str, path: &str) -> BTreeMap<String, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vitalwire-runtime/src").join(path);
    let file = syn::parse_file(&std::fs::read_to_string(path).expect("source")).expect("Rust");
    let item = file.items.into_iter().find_map(|item| match item {
        Item::Struct(item) if item.ident == type_name => Some(item),
        _ => None,
    });
    let fields = item.expect("a type").fields.into_iter();
    fields.map(|field| (field.ident.expect("a name").to_string(), docs(&field.attrs))).collect()
}

/// Returns a doc comment as one line.
fn docs(attributes: &[Attribute]) -> String {
    let lines = attributes.iter().filter_map(|attribute| match &attribute.meta {
        Meta::NameValue(meta) if meta.path.is_ident("doc") => match &meta.value {
            Expr::Lit(ExprLit { lit: Lit::Str(line), .. }) => Some(line.value().trim().to_owned()),
            _ => None,
        },
        _ => None,
    });
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Returns the functions that take and return the object, with the types of their arguments.
fn setters(type_name: &str, path: &str) -> BTreeMap<String, Vec<String>> {
    let returns_self = |function: &ImplItemFn| match &function.sig.output {
        ReturnType::Type(_, ty) => text(ty) == "Self" && function.sig.receiver().is_some_and(|receiver| !text(receiver).starts_with('&')),
        ReturnType::Default => false,
    };
    let ty = |input: &FnArg| match input {
        FnArg::Typed(typed) => Some(text(&typed.ty)).filter(|ty| ty != "&ServiceMeta"),
        FnArg::Receiver(_) => None,
    };
    let all = functions(type_name, path);
    all.iter()
        .filter(|function| returns_self(function))
        .map(|function| (function.sig.ident.to_string(), function.sig.inputs.iter().filter_map(ty).collect()))
        .collect()
}

/// Returns the names of rows, with the types of their arguments.
fn rows(rows: &[Setting]) -> BTreeMap<String, Vec<String>> {
    let types = |row: &Setting| row.value_type.rust_parameters().iter().map(|(_, ty)| ty.replace(' ', "")).collect();
    rows.iter().map(|row| (row.name.to_owned(), types(row))).collect()
}

#[test]
fn every_setting_of_the_engine_has_a_row() {
    let mut engine = setters("ClientBuilder", "client");
    // Rust only.
    assert!(engine.remove("max_requests_per_second").is_some());
    assert!(engine.len() >= 28, "the engine's settings are read");
    assert_eq!(rows(SETTINGS), engine);
}

#[test]
fn every_option_of_the_engine_has_a_row() {
    let mut engine = setters("CallOptions", "transport/options.rs");
    // This function is for the command line only, and is not documented.
    engine.remove("grace_after_cancel");
    assert!(engine.len() >= 13, "the engine's options are read");
    assert_eq!(rows(CALL_OPTIONS), engine);
}

#[test]
fn every_error_field_has_a_row() {
    let reads = |function: &ImplItemFn| function.sig.receiver().is_some_and(|receiver| text(receiver).starts_with('&'));
    let mut engine: Vec<String> =
        functions("Error", "error").iter().filter(|function| reads(function)).map(|function| function.sig.ident.to_string()).collect();
    engine.sort();
    let own = ERROR_FIELDS.iter().filter(|fact| fact.field_type != ErrorFieldType::Record);
    let mut rows: Vec<String> = own.map(|fact| fact.name.to_owned()).collect();
    rows.sort();
    assert_eq!(rows, engine);
}

#[test]
fn swift_and_kotlin_have_the_same_features_and_each_gap_has_a_reason() {
    let settings = SETTINGS.iter().chain(CALL_OPTIONS).map(|row| (row.name, Language::ALL.map(|language| row.availability(language))));
    let facts = ERROR_FIELDS.iter().map(|row| (row.name, Language::ALL.map(|language| row.availability(language))));
    for (name, each) in settings.chain(facts) {
        assert_eq!(each[2], each[3], "{name}");
        for has in each {
            match has {
                Availability::Generated => {}
                Availability::HandWritten(text) | Availability::Unsupported(text) => {
                    assert!(text.len() > 8, "{name}")
                }
            }
        }
    }
}

#[test]
fn every_language_has_the_error_fields_that_decide_the_next_step() {
    for name in ["is_transient", "may_have_taken_effect", "record_id", "path_template", "reason"] {
        let fact = ERROR_FIELDS.iter().find(|fact| fact.name == name).expect(name);
        assert!(Language::ALL.iter().all(|language| fact.availability(*language) == Availability::Generated), "{name}");
    }
}

#[test]
fn the_report_shows_availability_and_reasons() {
    let text = report();
    assert!(text.lines().any(|line| line.split_whitespace().eq(["timeout", "yes", "yes", "yes", "yes", "yes"])), "{text}");
    let policy = ["retry_policy", "yes", "never", "3"];
    assert!(text.lines().any(|line| line.split_whitespace().take(4).eq(policy)), "{text}");
    assert!(text.contains("\n  3: its parts are settings"), "{text}");
}

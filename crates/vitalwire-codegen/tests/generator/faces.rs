//! The rows of what every language is told, against the engine's own public functions.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use quote::ToTokens;
use syn::{Attribute, Expr, ExprLit, FnArg, ImplItem, ImplItemFn, Item, Lit, Meta, ReturnType, Visibility};
use vitalwire_codegen::ir::faces::{CALL_OPTIONS, ERROR_FACTS, Face, Gives, Has, SETTINGS, Setting, faces};

/// The public functions of a type in the engine, in the files below a folder or in a file; what is generic is seen too.
fn functions(of: &str, place: &str) -> Vec<ImplItemFn> {
    let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vitalwire-runtime/src").join(place);
    let files: Vec<PathBuf> = match place.is_dir() {
        true => std::fs::read_dir(&place).expect("the engine's source").map(|entry| entry.expect("an entry").path()).collect(),
        false => vec![place],
    };
    let items = files.iter().flat_map(|path| syn::parse_file(&std::fs::read_to_string(path).expect("source")).expect("Rust").items);
    let blocks = items.filter_map(|item| match item {
        Item::Impl(block) if block.trait_.is_none() && text(&block.self_ty) == of => Some(block.items),
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

/// The documentation of a type's public functions, by name.
pub(super) fn documented(of: &str, place: &str) -> BTreeMap<String, String> {
    functions(of, place).into_iter().map(|function| (function.sig.ident.to_string(), docs(&function.attrs))).collect()
}

/// The documentation of a type's fields, by name.
pub(super) fn field_texts(of: &str, place: &str) -> BTreeMap<String, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vitalwire-runtime/src").join(place);
    let file = syn::parse_file(&std::fs::read_to_string(path).expect("source")).expect("Rust");
    let item = file.items.into_iter().find_map(|item| match item {
        Item::Struct(item) if item.ident == of => Some(item),
        _ => None,
    });
    let fields = item.expect("a type").fields.into_iter();
    fields.map(|field| (field.ident.expect("a name").to_string(), docs(&field.attrs))).collect()
}

/// A doc comment on one line.
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

/// Functions that take the object and give it back: by name, the types of what they take.
fn setters(of: &str, place: &str) -> BTreeMap<String, Vec<String>> {
    let gives_itself = |function: &ImplItemFn| match &function.sig.output {
        ReturnType::Type(_, ty) => text(ty) == "Self" && function.sig.receiver().is_some_and(|receiver| !text(receiver).starts_with('&')),
        ReturnType::Default => false,
    };
    let ty = |input: &FnArg| match input {
        FnArg::Typed(typed) => Some(text(&typed.ty)).filter(|ty| ty != "&ServiceMeta"),
        FnArg::Receiver(_) => None,
    };
    let all = functions(of, place);
    all.iter()
        .filter(|function| gives_itself(function))
        .map(|function| (function.sig.ident.to_string(), function.sig.inputs.iter().filter_map(ty).collect()))
        .collect()
}

/// The same of rows.
fn rows(rows: &[Setting]) -> BTreeMap<String, Vec<String>> {
    let types = |row: &Setting| row.takes.rust().iter().map(|(_, ty)| ty.replace(' ', "")).collect();
    rows.iter().map(|row| (row.name.to_owned(), types(row))).collect()
}

#[test]
fn every_setting_of_the_engine_has_a_row() {
    let engine = setters("ClientBuilder", "client");
    assert!(engine.len() >= 28, "the engine's settings are read");
    assert_eq!(rows(SETTINGS), engine);
}

#[test]
fn every_option_of_the_engine_has_a_row() {
    let mut engine = setters("CallOptions", "transport/options.rs");
    // For the command line alone, and left out of the documentation.
    engine.remove("answered_after_cancel");
    assert!(engine.len() >= 13, "the engine's options are read");
    assert_eq!(rows(CALL_OPTIONS), engine);
}

#[test]
fn every_fact_of_an_error_has_a_row() {
    let reads = |function: &ImplItemFn| function.sig.receiver().is_some_and(|receiver| text(receiver).starts_with('&'));
    let mut engine: Vec<String> =
        functions("Error", "error").iter().filter(|function| reads(function)).map(|function| function.sig.ident.to_string()).collect();
    engine.sort();
    let own = ERROR_FACTS.iter().filter(|fact| fact.gives != Gives::Record);
    let mut rows: Vec<String> = own.map(|fact| fact.name.to_owned()).collect();
    rows.sort();
    assert_eq!(rows, engine);
}

#[test]
fn the_two_that_share_a_wrapper_have_the_same_and_each_hole_has_a_reason() {
    let told = SETTINGS.iter().chain(CALL_OPTIONS).map(|row| (row.name, Face::ALL.map(|face| row.has(face))));
    let facts = ERROR_FACTS.iter().map(|row| (row.name, Face::ALL.map(|face| row.has(face))));
    for (name, each) in told.chain(facts) {
        assert_eq!(each[2], each[3], "{name}");
        for has in each {
            match has {
                Has::Generated => {}
                Has::ByHand(text) | Has::NotYet(text) | Has::Never(text) => assert!(text.len() > 8, "{name}"),
            }
        }
    }
}

#[test]
fn the_facts_that_tell_what_to_do_next_are_everywhere() {
    for name in ["is_transient", "may_have_taken_effect", "record_id", "path_template", "reason"] {
        let fact = ERROR_FACTS.iter().find(|fact| fact.name == name).expect(name);
        assert!(Face::ALL.iter().all(|face| fact.has(*face) == Has::Generated), "{name}");
    }
}

#[test]
fn the_table_shows_each_with_its_reasons() {
    let text = faces();
    assert!(text.lines().any(|line| line.split_whitespace().eq(["timeout", "yes", "yes", "yes", "yes", "yes"])), "{text}");
    let policy = ["retry_policy", "yes", "never", "3"];
    assert!(text.lines().any(|line| line.split_whitespace().take(4).eq(policy)), "{text}");
    assert!(text.contains("\n  3: its parts are settings"), "{text}");
    // What has no reason to be absent is there.
    assert!(!text.contains("not yet"), "{text}");
}

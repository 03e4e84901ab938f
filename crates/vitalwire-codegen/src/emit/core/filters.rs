//! What the core's templates ask for.

use std::collections::BTreeMap;

use minijinja::value::Serde;
use minijinja::{Environment, Value};
use serde::Deserialize;

use crate::ir::{Docs, Member, OpenValue, Type};
use crate::lang::{doc_lines, part, rust};

/// Something with a name on the wire, and other spellings of it.
#[derive(Deserialize)]
struct Named {
    wire: String,
    #[serde(default)]
    aliases: Vec<String>,
}

/// Adds it.
pub(in crate::emit) fn add_to(environment: &mut Environment<'_>) {
    environment.add_filter("by_length", |named: Serde<Vec<Named>>| Value::from(Serde(by_length(named.0))));
    environment.add_filter("rust_line", |docs: Serde<Docs>, name: &str| one_line(docs.0, name));
    environment.add_filter("rust_some", |value: &str, wrapped: bool| if wrapped { format!("Some({value})") } else { value.to_owned() });
    environment.add_filter("rust_bound_of", |param: Serde<Member>, bound: f64| match param.0.ty {
        Type::Integer => format!("{bound:.0}"),
        _ => format!("{bound:?}"),
    });
    environment.add_filter("value_docs", |value: Serde<OpenValue>| Value::from(Serde(value_docs(value.0))));
    part(environment, "rust_bound", |param: Member| given(&param).0);
    part(environment, "rust_given", |param: Member| given(&param).1);
    environment.add_test("listed", |member: Serde<Member>| matches!(member.0.ty, Type::List(_)));
    environment.add_test("nested", |member: Serde<Member>| matches!(member.0.ty, Type::Model(_) | Type::Numbers(_) | Type::Series(_)));
    environment.add_test("numeric", |member: Serde<Member>| match member.0.ty {
        Type::List(item) => *item == Type::Number,
        ty => ty == Type::Number,
    });
}

/// Names with their places, by length.
fn by_length(named: Vec<Named>) -> Vec<(usize, Vec<(usize, String)>)> {
    let mut lengths: BTreeMap<usize, Vec<(usize, String)>> = BTreeMap::new();
    for (index, named) in named.into_iter().enumerate() {
        for name in [named.wire].into_iter().chain(named.aliases) {
            lengths.entry(name.len()).or_default().push((index, name));
        }
    }
    lengths.into_iter().collect()
}

/// Documentation on one line, without its unit.
fn one_line(docs: Docs, name: &str) -> String {
    let docs = Docs { unit: None, ..docs };
    doc_lines(&docs, name).into_iter().filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

/// What is known of a value, its other spellings included.
fn value_docs(value: OpenValue) -> Docs {
    let mut docs = value.docs;
    if docs.text.is_empty() {
        docs.text = format!("`{}`", value.wire);
    }
    if !value.aliases.is_empty() {
        docs.text.push_str(&format!(", also spelled `{}`; holds the spelling received", value.aliases.join("`, `")));
    }
    docs
}

/// How a caller gives a value: bound in the signature, and the expression that makes the field.
fn given(param: &Member) -> (String, String) {
    let name = rust::name(&param.name);
    match &param.ty {
        Type::List(item) => {
            (format!("impl IntoIterator<Item = impl Into<{}>>", rust::ty(item)), format!("{name}.into_iter().map(Into::into).collect()"))
        }
        ty @ (Type::Boolean | Type::Integer | Type::Number | Type::Timestamp | Type::Date) => (rust::ty(ty), name),
        ty => (format!("impl Into<{}>", rust::ty(ty)), format!("{name}.into()")),
    }
}

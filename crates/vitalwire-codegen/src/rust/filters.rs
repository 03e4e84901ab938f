//! Filters and tests for templates that render Rust.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use minijinja::value::Serde;
use minijinja::{Environment, Value};
use serde::Deserialize;

use super::spelling;
use crate::docs::doc_lines;
use crate::filters::{add_doc_filter, add_ir_filter, add_text_filter};
use crate::ir::{Docs, Member, OpenValue, ResponseType, Type};
use crate::templates::Templates;

/// A value with a wire name and aliases.
#[derive(Deserialize)]
struct SpelledValue {
    wire: String,
    #[serde(default)]
    aliases: Vec<String>,
}

/// The templates of this folder.
pub(crate) static TEMPLATES: LazyLock<Templates> = LazyLock::new(|| Templates::new(&[add_to]));

/// Adds the filters and tests of this module.
pub(crate) fn add_to(environment: &mut Environment<'_>) {
    environment.add_filter("by_length", |values: Serde<Vec<SpelledValue>>| Value::from(Serde(by_length(values.0))));
    environment.add_filter("rust_line", |docs: Serde<Docs>, name: &str| one_line(docs.0, name));
    environment.add_filter("rust_some", |value: &str, wrapped: bool| if wrapped { format!("Some({value})") } else { value.to_owned() });
    environment.add_filter("rust_limit", |param: Serde<Member>, bound: f64| match param.0.ty {
        Type::Integer => format!("{bound:.0}"),
        _ => format!("{bound:?}"),
    });
    environment.add_filter("value_docs", |value: Serde<OpenValue>| Value::from(Serde(value_docs(value.0))));
    add_text_filter(environment, "rust_name", spelling::name);
    add_text_filter(environment, "rust_text", spelling::literal);
    add_ir_filter(environment, "rust_type", |ty: Type| spelling::ty(&ty));
    add_ir_filter(environment, "rust_field", |member: Member| spelling::field(&member));
    add_ir_filter(environment, "rust_response", |response: ResponseType| spelling::response(&response));
    add_doc_filter(environment, "rust_doc", spelling::doc);
    environment.add_filter("rust_comments", |lines: Vec<String>| spelling::comments(&lines));
    add_ir_filter(environment, "rust_argument_type", |param: Member| argument_and_conversion(&param).0);
    add_ir_filter(environment, "rust_conversion", |param: Member| argument_and_conversion(&param).1);
    environment.add_test("listed", |member: Serde<Member>| matches!(member.0.ty, Type::List(_)));
    environment.add_test("nested", |member: Serde<Member>| matches!(member.0.ty, Type::Model(_) | Type::Numbers(_) | Type::Series(_)));
    environment.add_test("numeric", |member: Serde<Member>| match member.0.ty {
        Type::List(item) => *item == Type::Number,
        ty => ty == Type::Number,
    });
    add_ir_filter(environment, "rust_case_type", |ty: Type| rust_case_type(&ty));
}

/// Groups names and aliases by length, each with its index.
fn by_length(values: Vec<SpelledValue>) -> Vec<(usize, Vec<(usize, String)>)> {
    let mut lengths: BTreeMap<usize, Vec<(usize, String)>> = BTreeMap::new();
    for (index, value) in values.into_iter().enumerate() {
        for name in [value.wire].into_iter().chain(value.aliases) {
            lengths.entry(name.len()).or_default().push((index, name));
        }
    }
    lengths.into_iter().collect()
}

/// Returns documentation on one line, without its unit.
fn one_line(docs: Docs, name: &str) -> String {
    let docs = Docs { unit: None, ..docs };
    doc_lines(&docs, name).into_iter().filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Returns the documentation of a value, including its other spellings.
fn value_docs(value: OpenValue) -> Docs {
    let mut docs = value.docs;
    if docs.text.is_empty() {
        docs.text = format!("`{}`", value.wire);
    }
    if !value.aliases.is_empty() {
        let aliases = value.aliases.join("`, `");
        docs.text.push_str(&format!(", also spelled `{aliases}`; holds the spelling received, which comparisons ignore"));
    }
    docs
}

/// Returns the argument type of a parameter, and the expression that converts it to the field.
fn argument_and_conversion(param: &Member) -> (String, String) {
    let name = spelling::name(&param.name);
    match &param.ty {
        Type::List(item) => (
            format!("impl IntoIterator<Item = impl Into<{}>>", spelling::ty(item)),
            format!("{name}.into_iter().map(Into::into).collect()"),
        ),
        ty @ (Type::Boolean | Type::Integer | Type::Number | Type::Timestamp | Type::Date) => (spelling::ty(ty), name),
        ty => (format!("impl Into<{}>", spelling::ty(ty)), format!("{name}.into()")),
    }
}

/// Returns the type in which a runner reads a parameter from a case. The call converts it if necessary.
fn rust_case_type(ty: &Type) -> String {
    match ty {
        Type::Boolean => "bool".into(),
        Type::Integer => "i64".into(),
        Type::Number => "f64".into(),
        Type::Timestamp => "Timestamp".into(),
        Type::Date => "Date".into(),
        Type::Bytes => "Base64".into(),
        Type::List(item) => format!("Vec<{}>", rust_case_type(item)),
        Type::Text | Type::Id | Type::Open(_) => "String".into(),
        Type::Json | Type::Model(_) | Type::Numbers(_) | Type::Series(_) => "Value".into(),
    }
}

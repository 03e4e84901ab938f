//! Template filters for Kotlin.

use std::sync::LazyLock;

use minijinja::Environment;

use super::spelling;
use crate::filters::{add_doc_filter, add_ir_filter, add_text_filter};
use crate::ir::Type;
use crate::naming::camel;
use crate::templates::Templates;

/// The templates of this folder.
pub(crate) static TEMPLATES: LazyLock<Templates> = LazyLock::new(|| Templates::new(&[add_to]));

pub(crate) fn add_to(environment: &mut Environment<'_>) {
    add_text_filter(environment, "kotlin_name", spelling::name);
    add_text_filter(environment, "kotlin_text", spelling::literal);
    add_doc_filter(environment, "kotlin_doc", spelling::doc);
    add_ir_filter(environment, "kotlin_case_reader", |ty: Type| kotlin_case_reader(&ty));
    add_ir_filter(environment, "kotlin_canonical", |ty: Type| kotlin_canonical(&ty));
}

fn kotlin_case_reader(ty: &Type) -> String {
    match ty {
        Type::Boolean => "Conversions::boolean".into(),
        Type::Integer => "Conversions::integer".into(),
        Type::Number => "Conversions::number".into(),
        Type::Timestamp => "Conversions::instant".into(),
        Type::Date => "Conversions::date".into(),
        Type::Bytes => "Conversions::bytes".into(),
        Type::Open(name) => format!("Conversions.openValue(names{name}, ::{name})"),
        Type::List(item) => format!("Conversions.list({})", kotlin_case_reader(item)),
        // No parameter has one of these types. If one did, the generated code would not compile.
        Type::Text | Type::Id | Type::Json | Type::Model(_) | Type::Numbers(_) | Type::Series(_) => "Conversions::text".into(),
    }
}

fn kotlin_canonical(ty: &Type) -> String {
    match ty {
        Type::Text | Type::Id => "Canonical::text".into(),
        Type::Boolean => "Canonical::boolean".into(),
        Type::Integer => "Canonical::integer".into(),
        Type::Number => "Canonical::number".into(),
        Type::Timestamp => "Canonical::instant".into(),
        Type::Date => "Canonical::date".into(),
        Type::Bytes => "Canonical::bytes".into(),
        Type::Json => "Canonical::json".into(),
        Type::Open(name) => format!("Canonical.named(names{name})"),
        Type::Model(name) | Type::Numbers(name) | Type::Series(name) => format!("::{}", camel(name)),
        Type::List(item) if **item == Type::Number => "Canonical::series".into(),
        Type::List(item) => format!("Canonical.many({})", kotlin_canonical(item)),
    }
}

//! How runners read arguments from a case and write values as canonical JSON: a function of the runner for each type.

use minijinja::Environment;
use minijinja::value::Serde;

use crate::ir::{Param, Type};
use crate::lang::{camel, part};

/// Adds what templates ask for.
pub(in crate::emit) fn add_to(environment: &mut Environment<'_>) {
    part(environment, "rust_taken", |ty: Type| rust_taken(&ty));
    part(environment, "python_taken", |ty: Type| taken("arguments.", &ty));
    part(environment, "kotlin_taken", |ty: Type| kotlin_taken(&ty));
    part(environment, "kotlin_form", |ty: Type| kotlin_form(&ty));
    part(environment, "c_taken", |ty: Type| super::c::plain(&ty).map_or("text", |(form, _)| form).to_owned());
    environment.add_test("c_at_start", |param: Serde<Param>| crate::emit::c::at_start(&param.0));
}

/// The type a parameter is read as from the case; the call converts it where it is another.
fn rust_taken(ty: &Type) -> String {
    match ty {
        Type::Boolean => "bool".into(),
        Type::Integer => "i64".into(),
        Type::Number => "f64".into(),
        Type::Timestamp => "Timestamp".into(),
        Type::Date => "Date".into(),
        Type::Bytes => "Base64".into(),
        Type::List(item) => format!("Vec<{}>", rust_taken(item)),
        Type::Text | Type::Id | Type::Open(_) => "String".into(),
        Type::Json | Type::Model(_) | Type::Numbers(_) | Type::Series(_) => "Value".into(),
    }
}

/// The function by which an argument is read from the case.
fn taken(module: &str, ty: &Type) -> String {
    let name = match ty {
        Type::Text | Type::Id | Type::Open(_) => "text",
        Type::Boolean => "boolean",
        Type::Integer => "integer",
        Type::Number => "number",
        Type::Timestamp => "instant",
        Type::Date => "date",
        Type::Bytes => "raw",
        Type::List(item) => return format!("{module}many({})", taken(module, item)),
        Type::Json | Type::Model(_) | Type::Numbers(_) | Type::Series(_) => "plain",
    };
    format!("{module}{name}")
}

fn kotlin_taken(ty: &Type) -> String {
    match ty {
        Type::Boolean => "Taken::boolean".into(),
        Type::Integer => "Taken::integer".into(),
        Type::Number => "Taken::number".into(),
        Type::Timestamp => "Taken::instant".into(),
        Type::Date => "Taken::date".into(),
        Type::Bytes => "Taken::bytes".into(),
        Type::Open(name) => format!("Taken.named(names{name}, ::{name})"),
        Type::List(item) => format!("Taken.many({})", kotlin_taken(item)),
        // Parameters are of no other type: what would be one does not compile.
        Type::Text | Type::Id | Type::Json | Type::Model(_) | Type::Numbers(_) | Type::Series(_) => "Taken::text".into(),
    }
}

fn kotlin_form(ty: &Type) -> String {
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
        Type::List(item) => format!("Canonical.many({})", kotlin_form(item)),
    }
}

//! Spelling of names, types and documentation in Rust.

use crate::docs::doc_lines;
use crate::ir::{Docs, Member, ResponseType, Type};
use crate::naming::{escape_keyword, snake};

const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn", "else", "enum", "extern",
    "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv",
    "pub", "ref", "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use",
    "virtual", "where", "while", "yield",
];

/// Returns a field name. Keywords get a trailing underscore.
pub fn name(name: &str) -> String {
    escape_keyword(snake(name), KEYWORDS, |word| format!("{word}_"))
}

/// Returns a type of the core, assuming that all names are imported.
pub fn ty(ty: &Type) -> String {
    match ty {
        Type::Text => "String".into(),
        Type::Boolean => "bool".into(),
        Type::Integer => "i64".into(),
        Type::Number => "f64".into(),
        Type::Timestamp => "Timestamp".into(),
        Type::Date => "Date".into(),
        Type::Id => "Id".into(),
        Type::Bytes => "Base64".into(),
        Type::Json => "Json".into(),
        Type::Open(name) | Type::Model(name) | Type::Numbers(name) | Type::Series(name) => name.clone(),
        Type::List(item) => format!("Vec<{}>", self::ty(item)),
    }
}

/// Returns the type of a model's field.
pub fn field(member: &Member) -> String {
    match (&member.ty, member.required) {
        (Type::List(_), true) => ty(&member.ty),
        (Type::List(item), false) => format!("ListMember<{}>", ty(item)),
        (of, true) => ty(of),
        (of, false) => format!("Option<{}>", ty(of)),
    }
}

/// Returns the type of a call's response.
pub fn response(response: &ResponseType) -> String {
    match response {
        ResponseType::Nothing => "()".into(),
        ResponseType::Model(name) => name.clone(),
        ResponseType::List(name) => format!("Vec<{name}>"),
    }
}

/// Returns a string literal.
pub fn literal(text: &str) -> String {
    format!("{text:?}")
}

/// Returns documentation as `///` lines.
pub fn doc(docs: &Docs, name: &str) -> String {
    comments(&doc_lines(docs, name)) + "\n"
}

/// Returns lines of text as `///` lines.
pub fn comments(lines: &[String]) -> String {
    lines.iter().map(|line| format!("/// {line}").trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}

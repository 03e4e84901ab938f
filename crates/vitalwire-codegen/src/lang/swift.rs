//! Swift.

use super::{camel, rust, usable};
use crate::ir::{Answer, Docs, Type};

const KEYWORDS: &[&str] = &[
    "as",
    "associatedtype",
    "break",
    "case",
    "catch",
    "class",
    "continue",
    "default",
    "defer",
    "deinit",
    "do",
    "else",
    "enum",
    "extension",
    "false",
    "for",
    "func",
    "guard",
    "if",
    "import",
    "in",
    "init",
    "inout",
    "internal",
    "is",
    "let",
    "nil",
    "operator",
    "private",
    "protocol",
    "public",
    "repeat",
    "rethrows",
    "return",
    "self",
    "static",
    "struct",
    "subscript",
    "super",
    "switch",
    "throw",
    "throws",
    "true",
    "try",
    "typealias",
    "var",
    "where",
    "while",
];

/// A member's name; a keyword gets back-ticks.
pub fn name(name: &str) -> String {
    usable(camel(name), KEYWORDS, |word| format!("`{word}`"))
}

/// A type of the package.
pub fn ty(ty: &Type) -> String {
    match ty {
        Type::Text | Type::Id | Type::Json => "String".into(),
        Type::Boolean => "Bool".into(),
        Type::Integer => "Int64".into(),
        Type::Number => "Double".into(),
        Type::Timestamp => "Timestamp".into(),
        Type::Date => "CalendarDate".into(),
        Type::Bytes => "Data".into(),
        Type::Open(name) | Type::Model(name) | Type::Numbers(name) | Type::Series(name) => name.clone(),
        Type::List(item) => format!("[{}]", self::ty(item)),
    }
}

/// What a call gives.
pub fn answer(answer: &Answer) -> String {
    match answer {
        Answer::Nothing => "Void".into(),
        Answer::Model(name) => name.clone(),
        Answer::List(name) => format!("[{name}]"),
    }
}

/// Documentation, each line with its `///`, as in Rust.
pub fn doc(docs: &Docs, name: &str) -> String {
    rust::doc(docs, name)
}

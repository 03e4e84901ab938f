//! Kotlin.

use super::{camel, doc_lines, usable};
use crate::ir::{Answer, Docs, Type};

const KEYWORDS: &[&str] = &[
    "as",
    "break",
    "class",
    "continue",
    "do",
    "else",
    "false",
    "for",
    "fun",
    "if",
    "in",
    "interface",
    "is",
    "null",
    "object",
    "package",
    "return",
    "super",
    "this",
    "throw",
    "true",
    "try",
    "typealias",
    "typeof",
    "val",
    "var",
    "when",
    "while",
];

/// A member's name; a keyword gets back-ticks.
pub fn name(name: &str) -> String {
    usable(camel(name), KEYWORDS, |word| format!("`{word}`"))
}

/// A string literal.
pub fn literal(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('$', "\\$"))
}

/// A type of the package.
pub fn ty(ty: &Type) -> String {
    match ty {
        Type::Text | Type::Id | Type::Json => "String".into(),
        Type::Boolean => "Boolean".into(),
        Type::Integer => "Long".into(),
        Type::Number => "Double".into(),
        Type::Timestamp => "Timestamp".into(),
        Type::Date => "CalendarDate".into(),
        Type::Bytes => "ByteArray".into(),
        Type::Open(name) | Type::Model(name) | Type::Numbers(name) | Type::Series(name) => name.clone(),
        Type::List(item) => format!("List<{}>", self::ty(item)),
    }
}

/// What a call gives.
pub fn answer(answer: &Answer) -> String {
    match answer {
        Answer::Nothing => "Unit".into(),
        Answer::Model(name) => name.clone(),
        Answer::List(name) => format!("List<{name}>"),
    }
}

/// Documentation as a comment.
pub fn doc(docs: &Docs, name: &str) -> String {
    let lines = doc_lines(docs, name).into_iter().map(|line| format!(" * {}", line.replace("*/", "* /")).trim_end().to_owned() + "\n");
    format!("/**\n{} */\n", lines.collect::<String>())
}

//! Rust, as the core has it.

use crate::docs::doc_lines;
use crate::ir::{Answer, Docs, Member, Type};
use crate::naming::{snake, usable};

const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn", "else", "enum", "extern",
    "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv",
    "pub", "ref", "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use",
    "virtual", "where", "while", "yield",
];

/// A member's name; a keyword gets an underscore.
pub fn name(name: &str) -> String {
    usable(snake(name), KEYWORDS, |word| format!("{word}_"))
}

/// A type of the core, with every name in scope.
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

/// The type of a model's field.
pub fn field(member: &Member) -> String {
    match (&member.ty, member.required) {
        (Type::List(_), true) => ty(&member.ty),
        (Type::List(item), false) => format!("ListMember<{}>", ty(item)),
        (of, true) => ty(of),
        (of, false) => format!("Option<{}>", ty(of)),
    }
}

/// What a call gives.
pub fn answer(answer: &Answer) -> String {
    match answer {
        Answer::Nothing => "()".into(),
        Answer::Model(name) => name.clone(),
        Answer::List(name) => format!("Vec<{name}>"),
    }
}

/// A string literal.
pub fn literal(text: &str) -> String {
    format!("{text:?}")
}

/// Documentation, each line with its `///`.
pub fn doc(docs: &Docs, name: &str) -> String {
    comments(&doc_lines(docs, name)) + "\n"
}

/// Lines of documentation, each with its `///`.
pub fn comments(lines: &[String]) -> String {
    lines.iter().map(|line| format!("/// {line}").trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}

//! Swift.

use crate::docs::doc_lines;
use crate::ir::{Answer, Docs, Type};
use crate::naming::{camel, is_snake, pascal, usable};
use crate::rust::spelling as rust;

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

/// Words that Swift writes in capitals, unless a name begins with them.
const ACRONYMS: [(&str, &str); 5] = [("id", "ID"), ("ids", "IDs"), ("uri", "URI"), ("url", "URL"), ("urls", "URLs")];

/// A member's name; a keyword gets back-ticks.
pub fn name(name: &str) -> String {
    usable(plain(name), KEYWORDS, |word| format!("`{word}`"))
}

/// A name as it is spelt where keywords need nothing: an argument's label, a text.
pub fn plain(name: &str) -> String {
    let mut words = name.split('_');
    let first = camel(words.next().unwrap_or_default());
    let rest =
        words.map(|word| ACRONYMS.iter().find(|(plain, _)| *plain == word).map_or_else(|| pascal(word), |(_, spelt)| (*spelt).to_owned()));
    first + &rest.collect::<String>()
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

/// Documentation, each line with its `///`, as in Rust. Names are those of Swift: nobody of its users knows the ones on the wire.
pub fn doc(docs: &Docs, name: &str) -> String {
    let docs = Docs { text: named(&docs.text), ..docs.clone() };
    rust::doc(&docs, &plain(name))
}

/// Documentation on one line.
pub fn line(docs: &Docs, name: &str) -> String {
    let docs = Docs { text: named(&docs.text), ..docs.clone() };
    doc_lines(&docs, &plain(name)).into_iter().filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

/// A text whose names in back-ticks are spelt as in Swift.
fn named(text: &str) -> String {
    let parts = text.split('`').enumerate();
    let spelt = parts.map(|(at, part)| if at % 2 == 1 && part.contains('_') && is_snake(part) { plain(part) } else { part.to_owned() });
    spelt.collect::<Vec<_>>().join("`")
}

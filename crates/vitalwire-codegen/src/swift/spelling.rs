//! Swift spelling of names, types and documentation.

use crate::docs::doc_lines;
use crate::ir::Docs;
use crate::naming::{camel, escape_keyword, is_snake, pascal};
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

/// Acronyms that Swift capitalizes, except at the beginning of a name.
const ACRONYMS: [(&str, &str); 5] = [("id", "ID"), ("ids", "IDs"), ("uri", "URI"), ("url", "URL"), ("urls", "URLs")];

/// Returns the name of a property or method. Keywords get backticks.
pub fn name(name: &str) -> String {
    escape_keyword(plain(name), KEYWORDS, |word| format!("`{word}`"))
}

/// Returns a name without backticks, for argument labels and texts.
pub fn plain(name: &str) -> String {
    let mut words = name.split('_');
    let first = camel(words.next().unwrap_or_default());
    let rest = words
        .map(|word| ACRONYMS.iter().find(|(plain, _)| *plain == word).map_or_else(|| pascal(word), |(_, spelled)| (*spelled).to_owned()));
    first + &rest.collect::<String>()
}

/// Returns documentation lines with `///`. Names in backticks are converted from the wire to Swift.
pub fn doc(docs: &Docs, name: &str) -> String {
    let docs = Docs { text: convert_names(&docs.text), ..docs.clone() };
    rust::doc(&docs, &plain(name))
}

/// Returns documentation as one line.
pub fn line(docs: &Docs, name: &str) -> String {
    let docs = Docs { text: convert_names(&docs.text), ..docs.clone() };
    doc_lines(&docs, &plain(name)).into_iter().filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Converts the names in backticks of a text to Swift.
fn convert_names(text: &str) -> String {
    let parts = text.split('`').enumerate();
    let spelled = parts.map(|(at, part)| if at % 2 == 1 && part.contains('_') && is_snake(part) { plain(part) } else { part.to_owned() });
    spelled.collect::<Vec<_>>().join("`")
}

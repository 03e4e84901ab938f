//! Names, literals and comments in Kotlin.

use crate::docs::doc_lines;
use crate::ir::Docs;
use crate::naming::{camel, escape_keyword, is_snake};

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

/// Converts a name to camel case. Keywords get back-ticks.
pub fn name(name: &str) -> String {
    escape_keyword(camel(name), KEYWORDS, |word| format!("`{word}`"))
}

/// Returns a string literal.
pub fn literal(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('$', "\\$"))
}

/// Renders documentation as a KDoc comment, with the Kotlin spelling of names.
pub fn doc(docs: &Docs, name: &str) -> String {
    let docs = Docs { text: camel_names(&docs.text), ..docs.clone() };
    let name = if is_snake(name) { camel(name) } else { name.to_owned() };
    let lines: Vec<String> = doc_lines(&docs, &name).iter().map(|line| line.replace("*/", "* /")).collect();
    match lines.as_slice() {
        [line] => format!("/** {line} */\n"),
        lines => {
            let lines = lines.iter().map(|line| format!(" * {line}").trim_end().to_owned() + "\n");
            format!("/**\n{} */\n", lines.collect::<String>())
        }
    }
}

/// Converts snake-case names in back-ticks to camel case.
fn camel_names(text: &str) -> String {
    let parts = text.split('`').enumerate();
    let spelled = parts.map(|(at, part)| if at % 2 == 1 && part.contains('_') && is_snake(part) { camel(part) } else { part.to_owned() });
    spelled.collect::<Vec<_>>().join("`")
}

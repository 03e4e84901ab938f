//! Kotlin.

use crate::docs::doc_lines;
use crate::ir::Docs;
use crate::naming::{camel, is_snake, usable};

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

/// Documentation as a comment. Names are those of Kotlin: nobody of its users knows the ones on the wire.
pub fn doc(docs: &Docs, name: &str) -> String {
    let docs = Docs { text: named(&docs.text), ..docs.clone() };
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

/// A text whose names in back-ticks are spelt as in Kotlin.
fn named(text: &str) -> String {
    let parts = text.split('`').enumerate();
    let spelt = parts.map(|(at, part)| if at % 2 == 1 && part.contains('_') && is_snake(part) { camel(part) } else { part.to_owned() });
    spelt.collect::<Vec<_>>().join("`")
}

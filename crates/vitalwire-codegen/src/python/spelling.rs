//! Spelling of names, types, strings and docstrings in Python.

use crate::docs::doc_lines;
use crate::ir::{Docs, Member, Param, Type};
use crate::naming::{escape_keyword, shouty, snake};

const KEYWORDS: &[&str] = &[
    "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else", "except", "finally", "for",
    "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with",
    "yield", "None", "True", "False",
];

/// Maximum width of a docstring line without indentation. `help()` indents by up to nine of the 80 columns of a terminal.
const WIDTH: usize = 71;

/// Members of every record. Fields with these names get an underscore.
const RESERVED: [&str; 4] = ["extra", "null_members", "response", "to_dict"];

/// Returns a snake case name. Keywords get an underscore.
pub fn name(name: &str) -> String {
    escape_keyword(snake(name), KEYWORDS, |word| format!("{word}_"))
}

/// Returns the name of a field or parameter.
pub fn python_name(wire: &str) -> String {
    let name = name(wire);
    if RESERVED.contains(&name.as_str()) { format!("{name}_") } else { name }
}

/// Returns the name of a constant, such as `APPLE`. Names that begin with a digit get an underscore.
pub fn constant(name: &str) -> String {
    let name = shouty(name);
    if name.starts_with(|c: char| c.is_ascii_digit()) { format!("_{name}") } else { name }
}

/// Returns the annotation of a type in a response.
pub fn read(ty: &Type) -> String {
    match ty {
        Type::Text | Type::Id | Type::Open(_) => "str".into(),
        Type::Boolean => "bool".into(),
        Type::Integer => "int".into(),
        Type::Number => "float".into(),
        Type::Timestamp => "_datetime.datetime".into(),
        Type::Date => "_datetime.date".into(),
        Type::Bytes => "bytes".into(),
        Type::Json => "object".into(),
        Type::Model(name) => name.clone(),
        Type::Numbers(_) => "NumberMap".into(),
        Type::Series(_) => "SeriesMap".into(),
        Type::List(item) if **item == Type::Number => "memoryview[float]".into(),
        Type::List(item) => format!("tuple[{}, ...]", read(item)),
    }
}

/// Returns the annotation of a field.
pub fn read_member(member: &Member) -> String {
    optional(read(&member.ty), member.required)
}

/// Returns the annotation of a parameter.
pub fn parameter(param: &Param) -> String {
    let ty = match &param.member.ty {
        _ if is_id(param) => "str | _uuid.UUID".into(),
        Type::List(item) => format!("_Iterable[{}]", accepted(item)),
        ty => accepted(ty),
    };
    optional(ty, param.member.required)
}

/// Whether a parameter is the id of a record, which may be passed as a `uuid.UUID`.
pub fn is_id(param: &Param) -> bool {
    param.member.required && matches!(param.member.ty, Type::Text | Type::Id) && param.member.wire.ends_with("_id")
}

/// Returns the annotation of values that a parameter accepts.
fn accepted(ty: &Type) -> String {
    match ty {
        Type::Bytes => "_Buffer".into(),
        Type::Open(set) => format!("_{set} | str"),
        Type::Timestamp => "_Instant".into(),
        Type::Date => "_Date".into(),
        ty => read(ty),
    }
}

fn optional(ty: String, required: bool) -> String {
    if required { ty } else { format!("{ty} | None") }
}

/// Returns a string literal. Rust's literals differ in `\u{..}`.
pub fn literal(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.push_str(&format!("\\x{:02x}", u32::from(c) & 0xff)),
            c => out.push(c),
        }
    }
    out + "\""
}

/// Returns the lines of a docstring, as wide as source code.
pub fn lines(docs: &Docs, name: &str) -> Vec<String> {
    doc_lines(docs, name)
}

/// Returns a docstring as one text of paragraphs, including unit and deprecation.
pub fn paragraphs(docs: &Docs, name: &str) -> String {
    doc_lines(docs, name).join("\n")
}

/// Wraps paragraphs into lines that fit the output of `help()`. Indented examples are kept.
pub fn wrap_docs(text: &str) -> Vec<String> {
    let paragraphs: Vec<String> = text.trim_end().split("\n\n").map(paragraph).collect();
    paragraphs.join("\n\n").lines().map(str::to_owned).collect()
}

fn paragraph(text: &str) -> String {
    if text.starts_with("    ") {
        return text.to_owned();
    }
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last().map_or(0, |line| line.chars().count());
        match lines.last_mut() {
            Some(last) if line == 0 => last.push_str(word),
            Some(last) if line + 1 + word.chars().count() <= WIDTH => last.extend([" ", word]),
            _ => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}

/// Formats lines as a docstring with this indentation.
pub fn docstring(lines: &[String], margin: usize) -> String {
    let mut lines: Vec<String> = lines.iter().map(|line| line.replace('\\', "\\\\").replace("\"\"\"", "\\\"\\\"\\\"")).collect();
    if lines.len() > 1 {
        lines.push(String::new());
    } else if let Some(quote) = lines.first_mut().filter(|line| line.ends_with('"')) {
        // It would merge with the closing quotes.
        quote.insert(quote.len() - 1, '\\');
    }
    let text = format!("\"\"\"{}\"\"\"", lines.join("\n"));
    text.lines().map(|line| format!("{:margin$}{line}", "").trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn docstrings_are_wrapped() {
        let docstring = |text: &str| docstring(&wrap_docs(text), 4);
        assert_eq!(docstring("Does it."), "    \"\"\"Does it.\"\"\"");
        assert_eq!(docstring("It is \"it\""), "    \"\"\"It is \"it\\\"\"\"\"");
        let (words, fourteen) = ("word ".repeat(16), ["word"; 14].join(" "));
        let long = docstring(&format!("{words}\nends.\n\n    an   example\n\nb: c\nd"));
        assert_eq!(long, format!("    \"\"\"{fourteen}\n    word word ends.\n\n        an   example\n\n    b: c d\n    \"\"\""));
    }
}

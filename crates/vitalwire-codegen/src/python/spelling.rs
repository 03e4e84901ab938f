//! Python: how names, types, texts and docstrings are written in it.

use crate::docs::doc_lines;
use crate::ir::{Docs, Member, Param, Type};
use crate::naming::{shouty, snake, usable};

const KEYWORDS: &[&str] = &[
    "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else", "except", "finally", "for",
    "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with",
    "yield", "None", "True", "False",
];

/// Characters of a docstring's line without its margin: `help()` puts up to nine before them, and terminals have 80.
const WIDTH: usize = 71;

/// What every record has besides its members; a member of such a name gets an underscore.
const OWN: [&str; 4] = ["extra", "null_members", "response", "to_dict"];

/// A name; a keyword gets an underscore.
pub fn name(name: &str) -> String {
    usable(snake(name), KEYWORDS, |word| format!("{word}_"))
}

/// A member's or parameter's name.
pub fn python_name(given: &str) -> String {
    let name = name(given);
    if OWN.contains(&name.as_str()) { format!("{name}_") } else { name }
}

/// `APPLE`; a name that begins with a digit gets an underscore.
pub fn constant(name: &str) -> String {
    let name = shouty(name);
    if name.starts_with(|c: char| c.is_ascii_digit()) { format!("_{name}") } else { name }
}

/// A received type as an annotation.
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

/// A member's annotation.
pub fn read_member(member: &Member) -> String {
    optional(read(&member.ty), member.required)
}

/// A parameter's annotation.
pub fn given(param: &Param) -> String {
    let ty = match &param.member.ty {
        Type::Bytes => "_Buffer".into(),
        Type::List(item) => format!("_Sequence[{}]", read(item)),
        ty => read(ty),
    };
    optional(ty, param.member.required)
}

fn optional(ty: String, required: bool) -> String {
    if required { ty } else { format!("{ty} | None") }
}

/// A string literal; Rust's escapes are Python's, but for `\u{..}`.
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

/// A docstring's lines as wide as source is.
pub fn lines(docs: &Docs, name: &str) -> Vec<String> {
    doc_lines(docs, name)
}

/// What a docstring says of documented things, its unit and its deprecation too, as one text of paragraphs.
pub fn paragraphs(docs: &Docs, name: &str) -> String {
    doc_lines(docs, name).join("\n")
}

/// A text of paragraphs as lines that fit where `help()` shows them. Examples, which are indented, stay as they are.
pub fn wrapped(text: &str) -> Vec<String> {
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

/// Lines as a docstring at a margin.
pub fn docstring(lines: &[String], margin: usize) -> String {
    let mut lines: Vec<String> = lines.iter().map(|line| line.replace('\\', "\\\\").replace("\"\"\"", "\\\"\\\"\\\"")).collect();
    if lines.len() > 1 {
        lines.push(String::new());
    } else if let Some(quote) = lines.first_mut().filter(|line| line.ends_with('"')) {
        // It would join the closing ones.
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
        let docstring = |text: &str| docstring(&wrapped(text), 4);
        assert_eq!(docstring("Does it."), "    \"\"\"Does it.\"\"\"");
        assert_eq!(docstring("It is \"it\""), "    \"\"\"It is \"it\\\"\"\"\"");
        let (words, fourteen) = ("word ".repeat(16), ["word"; 14].join(" "));
        let long = docstring(&format!("{words}\nends.\n\n    an   example\n\nb: c\nd"));
        assert_eq!(long, format!("    \"\"\"{fourteen}\n    word word ends.\n\n        an   example\n\n    b: c d\n    \"\"\""));
    }
}

//! Python.

use super::{doc_lines, snake, usable};
use crate::ir::{Docs, Member, Param, Type};

const KEYWORDS: &[&str] = &[
    "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else", "except", "finally", "for",
    "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with",
    "yield", "None", "True", "False",
];

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

/// A docstring, indented.
pub fn docstring(docs: &Docs, name: &str, indent: &str) -> String {
    let lines = doc_lines(docs, name);
    let escaped: Vec<String> = lines.iter().map(|line| line.replace('\\', "\\\\").replace("\"\"\"", "\\\"\\\"\\\"")).collect();
    if let [line] = escaped.as_slice() {
        // A quote at the end would join the closing ones.
        return format!("{indent}\"\"\"{}\"\"\"\n", line.strip_suffix('"').map_or_else(|| line.clone(), |head| format!("{head}\\\"")));
    }
    let mut text = format!("{indent}\"\"\"{}\n", escaped[0]);
    for line in &escaped[1..] {
        text.push_str(format!("{indent}{line}").trim_end());
        text.push('\n');
    }
    text.push_str(&format!("{indent}\"\"\"\n"));
    text
}

/// A Python string literal; Rust's escapes are Python's, but for `\u{..}`.
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

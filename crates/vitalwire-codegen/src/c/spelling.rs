//! Names in C: everything begins with `vitalwire_`, constants with `VITALWIRE_`.

use crate::docs::doc_lines;
use crate::ir::{Answer, Docs, OpenSet, OpenValue, Operation};
use crate::naming::{shouty, snake};
use crate::rust::spelling as rust;

/// `vitalwire_sleep_record`, from the name of a type.
pub fn object(name: &str) -> String {
    format!("vitalwire_{}", snake(name))
}

/// `vitalwire_sleeps_get_params`.
pub fn params(operation: &Operation) -> String {
    object(&operation.type_name())
}

/// `vitalwire_lab_report_list`, from the name of its items.
pub fn list(item: &str) -> String {
    format!("{}_list", object(item))
}

/// What a call gives: `vitalwire_sleep_record`.
pub fn answer(answer: &Answer) -> String {
    match answer {
        Answer::Nothing => "void".into(),
        Answer::Model(name) => object(name),
        Answer::List(item) => list(item),
    }
}

/// `VITALWIRE_ERROR_NOT_FOUND`.
pub fn error(kind: &str) -> String {
    format!("VITALWIRE_ERROR_{}", shouty(kind))
}

/// `VITALWIRE_GENDER_MALE`.
pub fn value(set: &OpenSet, value: &OpenValue) -> String {
    format!("VITALWIRE_{}_{}", shouty(&set.name), shouty(&value.name))
}

/// What C and C++ keep for themselves and Rust does not, plus the names of other arguments.
const RESERVED: &[&str] = &[
    "alignas",
    "alignof",
    "and",
    "asm",
    "auto",
    "bool",
    "case",
    "catch",
    "char",
    "class",
    "compl",
    "concept",
    "constexpr",
    "decltype",
    "default",
    "delete",
    "double",
    "explicit",
    "export",
    "float",
    "friend",
    "goto",
    "inline",
    "int",
    "long",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "operator",
    "or",
    "private",
    "protected",
    "public",
    "register",
    "requires",
    "restrict",
    "short",
    "signed",
    "sizeof",
    "switch",
    "template",
    "this",
    "throw",
    "typedef",
    "typeid",
    "typename",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "xor",
    "out",
    "error",
    "arguments",
];

/// An argument's name, usable in Rust, C and C++.
pub fn argument(name: &str) -> String {
    let name = rust::name(name);
    if RESERVED.contains(&name.as_str()) { format!("{name}_") } else { name }
}

/// Documentation for the header: links of Rust become plain names, and nothing ends the comment early.
pub fn doc(docs: &Docs, name: &str) -> String {
    lines(docs, name).iter().map(|line| format!("/// {line}").trim_end().to_owned() + "\n").collect()
}

/// Documentation as a comment that nothing reads.
pub fn comment(docs: &Docs, name: &str) -> String {
    let lines = lines(docs, name).into_iter().map(|line| format!(" * {line}").trim_end().to_owned() + "\n");
    format!("/*\n{} */\n", lines.collect::<String>())
}

/// Lines of documentation without their marker.
fn lines(docs: &Docs, name: &str) -> Vec<String> {
    let plain = |text: &String| text.replace("[`", "`").replace("`]", "`").replace("*/", "* /");
    doc_lines(docs, name).iter().map(plain).collect()
}

/// A C string literal; anything but plain ASCII as octal escapes, which end after three digits and so never swallow what follows.
pub fn literal(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'"' | b'\\' | b'?' => format!("\\{}", char::from(byte)),
        b' '..=b'~' => char::from(byte).to_string(),
        _ => format!("\\{byte:03o}"),
    };
    format!("\"{}\"", text.bytes().map(byte).collect::<String>())
}

/// `vitalwire_client_sleeps_get`: a method of the client, since a resource and a type may share a name.
pub fn call(operation: &Operation) -> String {
    format!("vitalwire_client_{}_{}", operation.group, operation.method)
}

//! Names in C. Types and functions begin with `vitalwire_`, constants with `VITALWIRE_`.

use crate::docs::doc_lines;
use crate::ir::{Docs, OpenSet, OpenValue, Operation, ResponseType};
use crate::naming::{shouty, snake};
use crate::rust::spelling as rust;

/// Returns the name of a type, such as `vitalwire_sleep_record`.
pub fn object(name: &str) -> String {
    format!("vitalwire_{}", snake(name))
}

/// Returns the name of a parameter type, such as `vitalwire_sleeps_get_params`.
pub fn params(operation: &Operation) -> String {
    object(&operation.type_name())
}

/// Returns the name of a list, such as `vitalwire_lab_report_list`.
pub fn list(item: &str) -> String {
    format!("{}_list", object(item))
}

/// Returns the name of a call's result type, such as `vitalwire_sleep_record`.
pub fn response(response: &ResponseType) -> String {
    match response {
        ResponseType::Nothing => "void".into(),
        ResponseType::Model(name) => object(name),
        ResponseType::List(item) => list(item),
    }
}

/// Returns the name of an error code, such as `VITALWIRE_ERROR_NOT_FOUND`.
pub fn error(kind: &str) -> String {
    format!("VITALWIRE_ERROR_{}", shouty(kind))
}

/// Returns the name of a known value, such as `VITALWIRE_GENDER_MALE`.
pub fn value(set: &OpenSet, value: &OpenValue) -> String {
    format!("VITALWIRE_{}_{}", shouty(&set.name), shouty(&value.name))
}

/// Keywords of C and C++ that Rust does not have, and names of other arguments.
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

/// Returns the name of an argument that is valid in Rust, C and C++.
pub fn argument(name: &str) -> String {
    let name = rust::name(name);
    if RESERVED.contains(&name.as_str()) { format!("{name}_") } else { name }
}

/// Returns documentation for the header. Rust links become plain names, and `*/` is split.
pub fn doc(docs: &Docs, name: &str) -> String {
    lines(docs, name).iter().map(|line| format!("/// {line}").trim_end().to_owned() + "\n").collect()
}

/// Returns documentation of an accessor: the description of the field, then a sentence about the function.
pub fn accessor_doc(docs: &Docs, sentence: &str) -> String {
    let text = format!("{} {sentence}", docs.text.trim_end()).trim().to_owned();
    doc(&Docs { text, ..docs.clone() }, sentence)
}

/// Returns documentation as an ordinary comment.
pub fn comment(docs: &Docs, name: &str) -> String {
    let lines = lines(docs, name).into_iter().map(|line| format!(" * {line}").trim_end().to_owned() + "\n");
    format!("/**\n{} */\n", lines.collect::<String>())
}

/// Returns the lines of documentation without markers.
fn lines(docs: &Docs, name: &str) -> Vec<String> {
    let plain = |text: &String| text.replace("[`", "`").replace("`]", "`").replace("*/", "* /");
    doc_lines(docs, name).iter().map(plain).collect()
}

/// Returns a C string literal. Other characters than plain ASCII become octal escapes, which end after three digits.
pub fn literal(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'"' | b'\\' | b'?' => format!("\\{}", char::from(byte)),
        b' '..=b'~' => char::from(byte).to_string(),
        _ => format!("\\{byte:03o}"),
    };
    format!("\"{}\"", text.bytes().map(byte).collect::<String>())
}

/// Returns the name of a call, such as `vitalwire_client_sleeps_get`. A resource and a type may share a name, so `client` comes first.
pub fn call(operation: &Operation) -> String {
    format!("vitalwire_client_{}_{}", operation.group, operation.method)
}

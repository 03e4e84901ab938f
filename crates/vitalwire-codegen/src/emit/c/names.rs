//! Names in C: everything begins with `vitalwire_`, constants with `VITALWIRE_`.

use crate::emit::text::doc_lines;
use crate::ir::{Docs, Ir, OpenSet, OpenValue, Operation};
use crate::naming::{Language, member, shouty, snake};

/// `vitalwire_sleep_record`, from the name of a type.
pub(in crate::emit) fn object(name: &str) -> String {
    format!("vitalwire_{}", snake(name))
}

/// `vitalwire_sleeps_get_params`.
pub(in crate::emit) fn params(operation: &Operation) -> String {
    object(&operation.type_name())
}

/// `vitalwire_lab_report_list`, from the name of its items.
pub(in crate::emit) fn list(item: &str) -> String {
    format!("{}_list", object(item))
}

/// `VITALWIRE_ERROR_NOT_FOUND`.
pub(super) fn error(kind: &str) -> String {
    format!("VITALWIRE_ERROR_{}", shouty(kind))
}

/// `VITALWIRE_GENDER_MALE`.
pub(super) fn value(set: &OpenSet, value: &OpenValue) -> String {
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
    "given",
];

/// An argument's name, usable in Rust, C and C++.
pub(in crate::emit) fn argument(name: &str) -> String {
    let name = member(name, Language::Rust);
    if RESERVED.contains(&name.as_str()) { format!("{name}_") } else { name }
}

/// Documentation for the header: links of Rust become plain names, and nothing ends the comment early.
pub(super) fn doc(docs: &Docs, name: &str) -> String {
    lines(docs, name).iter().map(|line| format!("/// {line}").trim_end().to_owned() + "\n").collect()
}

fn lines(docs: &Docs, name: &str) -> Vec<String> {
    let plain = |text: &String| text.replace("[`", "`").replace("`]", "`").replace("*/", "* /");
    doc_lines(docs, name).iter().map(plain).collect()
}

/// The header of known names, one macro each.
pub(super) fn header(ir: &Ir) -> String {
    let mut text = String::from(
        "// Names that this version knows. The service adds names between releases, so a text that equals none of them is no mistake.\n\
         //\n\
         //   vitalwire_metrics_get(metrics, vitalwire_str_from(VITALWIRE_METRIC_NAME_HRV_RMSSD), &value)\n\n\
         #ifndef VITALWIRE_NAMES_H\n#define VITALWIRE_NAMES_H\n",
    );
    for set in &ir.open_sets {
        let about: String = lines(&set.docs, &set.name).iter().map(|line| format!(" * {line}").trim_end().to_owned() + "\n").collect();
        text.push_str(&format!("\n/*\n{about} */\n"));
        for known in &set.values {
            text.push_str(&format!("#define {} {}\n", value(set, known), literal(&known.wire)));
        }
    }
    text.push_str("\n#endif\n");
    text
}

/// A C string literal; anything but plain ASCII as octal escapes, which end after three digits and so never swallow what follows.
fn literal(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'"' | b'\\' | b'?' => format!("\\{}", char::from(byte)),
        b' '..=b'~' => char::from(byte).to_string(),
        _ => format!("\\{byte:03o}"),
    };
    format!("\"{}\"", text.bytes().map(byte).collect::<String>())
}

//! Open sets cross as their text; error kinds as an enum.

use crate::ir::Ir;
use crate::lang::pascal;
use crate::lang::rust::doc;

pub(super) fn emit(ir: &Ir) -> String {
    let mut text =
        String::from("//! Sets of names that may grow. Each crosses as its text and is a type of its own on the other side.\n\n");
    for set in &ir.open_sets {
        let name = &set.name;
        text.push_str(&doc(&set.docs, name));
        text.push_str(&format!(
            "#[derive(Clone, PartialEq, Eq, Hash)]\npub struct {name}(pub String);\n\nuniffi::custom_newtype!({name}, String);\n\n"
        ));
        text.push_str(&format!(
            "impl From<vitalwire::open_sets::{name}> for {name} {{\nfn from(value: vitalwire::open_sets::{name}) -> Self {{ Self(value.to_string()) }}\n}}\n\n"
        ));
        text.push_str(&format!(
            "impl From<{name}> for vitalwire::open_sets::{name} {{\nfn from(value: {name}) -> Self {{ Self::from(value.0) }}\n}}\n\n"
        ));
    }
    text
}

/// The kinds of error as an enum of both languages.
pub(super) fn error_kind(ir: &Ir) -> String {
    let mut text = String::from("//! Kinds of error.\n\n/// What went wrong. The number of a kind is the same in every language.\n");
    text.push_str("#[derive(Clone, Copy, Debug, PartialEq, Eq, uniffi::Enum)]\n#[repr(u16)]\npub enum ErrorKind {\n");
    for kind in &ir.error_kinds {
        text.push_str(&doc(&kind.docs, &kind.name));
        text.push_str(&format!("{} = {},\n", pascal(&kind.name), kind.code));
    }
    text.push_str("}\n\nimpl From<vitalwire::ErrorKind> for ErrorKind {\nfn from(kind: vitalwire::ErrorKind) -> Self {\nmatch kind {\n");
    for kind in &ir.error_kinds {
        let name = pascal(&kind.name);
        text.push_str(&format!("vitalwire::ErrorKind::{name} => Self::{name},\n"));
    }
    text.push_str("// The core's enum may grow; the generator runs with it, so this is never reached.\n_ => Self::Internal,\n}\n}\n}\n");
    text
}

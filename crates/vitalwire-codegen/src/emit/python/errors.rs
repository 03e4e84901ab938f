//! The table of exception classes.

use crate::ir::{ErrorKind, Ir};
use crate::lang::pascal;
use crate::lang::rust::literal;

use super::help::Help;

/// The exception class of a kind.
pub(super) fn class(kind: &ErrorKind) -> String {
    format!("{}Error", pascal(&kind.name))
}

/// The exception of Python's own that says the same: code that knows only that one works too.
pub(super) fn builtin(kind: &ErrorKind) -> Option<&'static str> {
    match kind.name.as_str() {
        "invalid_argument" => Some("ValueError"),
        "timeout" => Some("TimeoutError"),
        _ => None,
    }
}

pub(super) fn emit(ir: &Ir, help: &Help) -> String {
    let mut text = String::from("//! The kinds of error.\n\nuse crate::errors::Kind;\n\n/// In the order of their numbers.\n");
    text.push_str(&format!("pub(crate) const KINDS: [Kind; {}] = [\n", ir.error_kinds.len()));
    for kind in &ir.error_kinds {
        text.push_str(&format!(
            "Kind {{ class: {}, name: {}, code: {}, doc: {}, builtin: {:?} }},\n",
            literal(&class(kind)),
            literal(&kind.name),
            kind.code,
            literal(&help.text(&class(kind))),
            builtin(kind),
        ));
    }
    text.push_str("];\n");
    text
}

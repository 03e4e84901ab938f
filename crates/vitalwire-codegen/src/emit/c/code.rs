//! The result codes, from the core's table of error kinds.

use crate::ir::Ir;
use crate::lang::c as names;
use crate::lang::pascal;

pub(super) fn emit(ir: &Ir) -> String {
    let mut text = String::from("//! What functions return.\n\nuse vitalwire::ErrorKind;\n\n");
    text.push_str("/// What a function ended with. Numbers are the same in every language and never change their meaning; later versions may add some.\n");
    text.push_str("#[repr(u16)]\n#[derive(Clone, Copy, Debug, PartialEq, Eq)]\npub enum vitalwire_code {\n/// No error: the outputs are written.\nVITALWIRE_OK = 0,\n");
    for kind in &ir.error_kinds {
        text.push_str(&format!("{}{} = {},\n", names::doc(&kind.docs, &kind.name), names::error(&kind.name), kind.code));
    }
    text.push_str("}\n\nimpl From<ErrorKind> for vitalwire_code {\nfn from(kind: ErrorKind) -> Self {\nmatch kind {\n");
    for kind in ir.error_kinds.iter().filter(|kind| kind.name != "internal") {
        text.push_str(&format!("ErrorKind::{} => Self::{},\n", pascal(&kind.name), names::error(&kind.name)));
    }
    // The core's enum may grow; this wrapper is generated again when it does.
    text.push_str(&format!("_ => Self::{},\n}}\n}}\n}}\n", names::error("internal")));
    text
}

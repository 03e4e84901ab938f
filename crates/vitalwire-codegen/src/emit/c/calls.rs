//! Calls: one blocking function per operation.

use crate::ir::{Answer, Ir, Operation};
use crate::lang::c as names;

/// `vitalwire_client_sleeps_get`: a method of the client, since a resource and a type may share a name.
pub(in crate::emit) fn name(operation: &Operation) -> String {
    format!("vitalwire_client_{}_{}", operation.group, operation.method)
}

pub(super) fn emit(ir: &Ir, group: &str) -> String {
    let mut text = format!(
        "//! Calls of `{group}`.\n\n#![allow(unsafe_code, reason = \"no_mangle only: names with C linkage\")]\n#![allow(deprecated, unused_imports, reason = \"generated\")]\n\n"
    );
    text.push_str("use std::mem::MaybeUninit;\n\nuse vitalwire::operations;\n\nuse crate::call::Call;\nuse crate::cancel::vitalwire_cancel;\nuse crate::client::vitalwire_client;\nuse crate::error::vitalwire_error;\nuse crate::generated::code::vitalwire_code;\nuse crate::generated::types::*;\nuse crate::options::vitalwire_call_options;\n\n");
    for operation in ir.operations.iter().filter(|operation| operation.group == group) {
        one(&mut text, operation);
    }
    text
}

fn one(text: &mut String, operation: &Operation) {
    let answer = match &operation.answer {
        Answer::Nothing => None,
        Answer::Model(name) => Some(names::object(name)),
        Answer::List(item) => Some(names::list(item)),
    };
    let optional = operation.params.iter().all(|param| !param.member.required);
    text.push_str(&names::doc(&operation.docs, &operation.id));
    text.push_str(&format!("///\n/// `{} {}`\n", operation.http, operation.path));
    if optional {
        text.push_str("///\n/// `params` may be NULL.\n");
    }
    let fallback = if optional { format!("Some(operations::{}::new())", operation.type_name()) } else { "None".to_owned() };
    let out = answer.as_ref().map_or_else(String::new, |answer| format!("out: Option<&mut MaybeUninit<Box<{answer}>>>, "));
    let run = if answer.is_some() { "answer(out)" } else { "nothing()" };
    text.push_str(&format!(
        "#[unsafe(no_mangle)]\npub extern \"C\" fn {}(client: Option<&vitalwire_client>, params: Option<&{}>, options: Option<&vitalwire_call_options>, cancel: Option<&vitalwire_cancel>, {out}error: Option<&mut MaybeUninit<Box<vitalwire_error>>>) -> vitalwire_code {{\nlet fallback = {fallback};\nCall {{ client, params, fallback, options, cancel, error }}.{run}\n}}\n\n",
        name(operation),
        names::params(operation)
    ));
}

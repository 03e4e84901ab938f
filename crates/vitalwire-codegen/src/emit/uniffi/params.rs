//! Parameters as records with defaults.

use crate::ir::{Ir, Operation};
use crate::lang::rust;
use crate::lang::rust::doc;

use super::convert::into_core;
use super::crossing;

/// The parameters of one resource's calls.
pub(super) fn emit(ir: &Ir, group: &str) -> String {
    let mut text = format!("//! Parameters of `{group}`.\n#![allow(deprecated, unused_imports, unused_mut, reason = \"generated\")]\n\n");
    text.push_str("use std::fmt;\n\nuse vitalwire::operations as core;\n\nuse super::*;\nuse crate::error::ApiError;\nuse crate::value::{CalendarDate, Series, Timestamp};\n\n");
    for operation in ir.operations.iter().filter(|operation| operation.group == group && !operation.params.is_empty()) {
        one(&mut text, operation);
    }
    text
}

fn one(text: &mut String, operation: &Operation) {
    let name = operation.type_name();
    text.push_str(&format!("/// Parameters of `{}.{}`.\n", operation.group, operation.method));
    text.push_str("#[derive(Clone, PartialEq, uniffi::Record)]\n#[uniffi::export(Debug)]\n");
    text.push_str(&format!("pub struct {name} {{\n"));
    for param in &operation.params {
        text.push_str(&doc(&param.member.docs, &param.member.wire));
        let field = rust::name(&param.member.name);
        let ty = crossing(&param.member.ty);
        if param.member.required {
            text.push_str(&format!("pub {field}: {ty},\n"));
        } else {
            text.push_str(&format!("#[uniffi(default = None)]\npub {field}: Option<{ty}>,\n"));
        }
    }
    text.push_str("}\n\n");
    let required: Vec<String> = operation
        .params
        .iter()
        .filter(|param| param.member.required)
        .map(|param| {
            let field = rust::name(&param.member.name);
            let value = into_core(&param.member.ty, &format!("self.{field}"), &param.member.wire);
            value.strip_suffix(".collect()").map_or(value.clone(), |items| format!("{items}.collect::<Vec<_>>()"))
        })
        .collect();
    text.push_str(&format!(
        "impl {name} {{\npub(crate) fn into_core(self) -> Result<core::{name}, ApiError> {{\nlet mut core = core::{name}::new({});\n",
        required.join(", ")
    ));
    for param in operation.params.iter().filter(|param| !param.member.required) {
        let field = rust::name(&param.member.name);
        let value = into_core(&param.member.ty, "value", &param.member.wire);
        text.push_str(&if value == "value" {
            format!("core.{field} = self.{field};\n")
        } else {
            format!("if let Some(value) = self.{field} {{ core.{field} = Some({value}); }}\n")
        });
    }
    text.push_str("Ok(core)\n}\n}\n\n");
    text.push_str(&format!("/// Shows the type's name, no values.\nimpl fmt::Debug for {name} {{\nfn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {{ f.write_str(\"{name}(..)\") }}\n}}\n\n"));
}

//! Records that mirror the core's models and maps.

use crate::ir::{Ir, Model, Type};
use crate::lang::rust;
use crate::lang::rust::{doc, literal};

use super::convert::from_core;
use super::crossing;

const IMPORTS: &str = "use std::collections::HashMap;\nuse std::fmt;\n\nuse vitalwire::models as core;\n\nuse super::*;\nuse crate::value::{self, CalendarDate, Series, Timestamp};\n\n";

/// One record and its conversion.
pub(super) fn emit(model: &Model) -> String {
    let name = &model.name;
    let mut text = format!("//! `{name}`.\n#![allow(deprecated, unused_imports, reason = \"generated\")]\n\n{IMPORTS}");
    text.push_str(&doc(&model.docs, name));
    text.push_str("#[derive(Clone, PartialEq, uniffi::Record)]\n#[uniffi::export(Debug)]\n");
    text.push_str(&format!("pub struct {name} {{\n"));
    let has_lists = model.members.iter().any(|member| !member.required && matches!(member.ty, Type::List(_)));
    for member in &model.members {
        text.push_str(&doc(&member.docs, &member.wire));
        let ty = crossing(&member.ty);
        let ty = if member.required { ty } else { format!("Option<{ty}>") };
        text.push_str(&format!("pub {}: {ty},\n", rust::name(&member.name)));
    }
    if has_lists {
        text.push_str("/// Names of the list members that were `null` rather than absent.\npub null_members: Vec<String>,\n");
    }
    text.push_str("/// Members that this version does not know, and known ones of an unexpected type: name and JSON text.\npub extra: HashMap<String, String>,\n}\n\n");
    text.push_str(&format!("impl From<core::{name}> for {name} {{\nfn from(core: core::{name}) -> Self {{\n"));
    if has_lists {
        text.push_str("let mut null_members = Vec::new();\n");
        for member in model.members.iter().filter(|member| !member.required && matches!(member.ty, Type::List(_))) {
            let field = rust::name(&member.name);
            text.push_str(&format!("if core.{field}.is_null() {{ null_members.push({}.to_owned()); }}\n", literal(&member.wire)));
        }
    }
    text.push_str("Self {\n");
    for member in &model.members {
        let field = rust::name(&member.name);
        let value = match (&member.ty, member.required) {
            (ty, true) => from_core(ty, &format!("core.{field}")),
            (ty @ Type::List(_), false) => match from_core(ty, "list").as_str() {
                "list" => format!("core.{field}.into_list()"),
                inner => format!("core.{field}.into_list().map(|list| {inner})"),
            },
            (ty, false) => {
                let inner = from_core(ty, "value");
                if inner == "value" { format!("core.{field}") } else { format!("core.{field}.map(|value| {inner})") }
            }
        };
        text.push_str(&format!("{field}: {value},\n"));
    }
    if has_lists {
        text.push_str("null_members,\n");
    }
    text.push_str("extra: value::extra(&core.extra),\n}\n}\n}\n\n");
    text.push_str(&redacted(name));
    text
}

/// A fixed text: whatever prints a record on the other side prints this.
fn redacted(name: &str) -> String {
    format!(
        "/// Shows the type's name, no values.\nimpl fmt::Debug for {name} {{\nfn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {{ f.write_str(\"{name}(..)\") }}\n}}\n"
    )
}

/// Number maps and series maps, keyed by text: new names need no new version.
pub(super) fn maps(ir: &Ir) -> String {
    let mut text = format!("//! Wide objects of numbers.\n#![allow(unused_imports, reason = \"generated\")]\n\n{IMPORTS}");
    for map in &ir.number_maps {
        let name = &map.name;
        text.push_str(&doc(&map.docs, name));
        text.push_str(&format!("#[derive(Clone, PartialEq, uniffi::Record)]\n#[uniffi::export(Debug)]\npub struct {name} {{\n/// Numbers by name.\npub values: HashMap<String, f64>,\n"));
        if map.has_basis {
            text.push_str("/// What the numbers refer to: `per_serving`, `per_100` or `unknown`.\npub basis: String,\n");
        }
        text.push_str("/// Members that were no numbers: name and JSON text.\npub extra: HashMap<String, String>,\n}\n\n");
        let basis = if map.has_basis { "basis: core.basis().as_str().to_owned(),\n" } else { "" };
        text.push_str(&format!("impl From<core::{name}> for {name} {{\nfn from(core: core::{name}) -> Self {{\nSelf {{\nvalues: core.iter().map(|(name, value)| (name.to_owned(), value)).collect(),\n{basis}extra: value::extra(core.extra()),\n}}\n}}\n}}\n\n"));
        text.push_str(&redacted(name));
        text.push('\n');
    }
    for map in &ir.series_maps {
        let name = &map.name;
        text.push_str(&doc(&map.docs, name));
        text.push_str(&format!("#[derive(Clone, PartialEq, uniffi::Record)]\n#[uniffi::export(Debug)]\npub struct {name} {{\n/// Series by name.\npub series: HashMap<String, Series>,\n/// Members that were no lists: name and JSON text.\npub extra: HashMap<String, String>,\n}}\n\n"));
        text.push_str(&format!("impl From<core::{name}> for {name} {{\nfn from(core: core::{name}) -> Self {{\nSelf {{\nseries: core.iter().map(|(name, values)| (name.to_owned(), Series::from(values))).collect(),\nextra: value::extra(core.extra()),\n}}\n}}\n}}\n\n"));
        text.push_str(&redacted(name));
    }
    text
}

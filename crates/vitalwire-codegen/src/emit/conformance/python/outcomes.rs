//! Answers as canonical JSON: one function for each object, attribute by attribute.

use std::collections::BTreeSet;

use crate::ir::{Ir, Model, Type};
use crate::lang::python::{constant, literal, python_name};
use crate::lang::{shouty, snake};

use super::import_outcomes;

/// One object.
pub(super) fn model(ir: &Ir, model: &Model) -> String {
    let name = &model.name;
    let mut children = BTreeSet::new();
    model.members.iter().for_each(|member| below(&member.ty, &mut children));
    let mut text = format!("\"\"\"`{name}`.\"\"\"\n\nfrom __future__ import annotations\n\nimport canonical\nimport vitalwire\n");
    if model.members.iter().any(|member| matches!(member.ty, Type::Numbers(_))) {
        text.push_str("from generated import names\n");
    }
    text.push_str(&import_outcomes(&children));
    text.push_str(&format!("\n\ndef outcome(record: vitalwire.{name}, reading: canonical.Reading) -> object:\n"));
    text.push_str(&format!(
        "    \"\"\"Its members.\"\"\"\n    canonical.expect(record, vitalwire.{name})\n    members = canonical.Members(record, reading)\n"
    ));
    for member in &model.members {
        let (wire, read, form) = (literal(&member.wire), python_name(&member.name), form(ir, &member.ty));
        text.push_str(&if member.keeps_null() {
            format!("    members.list({wire}, record.{read}, {} in record.null_members, {form})\n", literal(&read))
        } else {
            let put = if member.required { "required" } else { "optional" };
            format!("    members.{put}({wire}, record.{read}, {form})\n")
        });
    }
    text.push_str("    return members.finish(record.extra)\n");
    text
}

/// The known names of number maps, beside the constants that users write.
pub(super) fn names(ir: &Ir) -> String {
    let mut text =
        String::from("\"\"\"Known names of wide objects of numbers.\"\"\"\n\nfrom __future__ import annotations\n\nimport vitalwire\n");
    let sets: BTreeSet<&str> = ir.number_maps.iter().map(|map| map.keys.as_str()).collect();
    for set in sets.into_iter().filter_map(|name| ir.open_set(name)) {
        text.push_str(&format!("\n{} = (\n", shouty(&set.name)));
        for value in &set.values {
            text.push_str(&format!("    ({}, vitalwire.{}.{}),\n", literal(&value.wire), set.name, constant(&value.name)));
        }
        text.push_str(")\n");
    }
    text
}

/// The objects that a type holds.
fn below(ty: &Type, found: &mut BTreeSet<String>) {
    match ty {
        Type::Model(name) => drop(found.insert(name.clone())),
        Type::List(item) => below(item, found),
        _ => {}
    }
}

/// The function that makes canonical JSON of a value.
fn form(ir: &Ir, ty: &Type) -> String {
    match ty {
        Type::Text | Type::Id | Type::Open(_) => "canonical.text".to_owned(),
        Type::Boolean => "canonical.boolean".into(),
        Type::Integer => "canonical.integer".into(),
        Type::Number => "canonical.number".into(),
        Type::Timestamp => "canonical.instant".into(),
        Type::Date => "canonical.date".into(),
        Type::Bytes => "canonical.raw".into(),
        Type::Json => "canonical.plain".into(),
        Type::Model(name) => format!("{}.outcome", snake(name)),
        Type::Numbers(name) => {
            let keys = ir.number_map(name).map_or(name, |map| &map.keys);
            format!("canonical.numbers(names.{})", shouty(keys))
        }
        Type::Series(_) => "canonical.series".into(),
        Type::List(item) if **item == Type::Number => "canonical.doubles".into(),
        Type::List(item) => format!("canonical.many({})", form(ir, item)),
    }
}

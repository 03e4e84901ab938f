//! Answers as canonical JSON: one `Canonical` per object, number map and open set.

use crate::ir::{Ir, Model, Type};
use crate::lang::rust::literal;

use super::rust_name;

/// One object, member by member.
pub(super) fn model(model: &Model) -> String {
    let name = &model.name;
    let mut text = format!("//! `{name}`.\n#![allow(deprecated, reason = \"generated\")]\n\n");
    text.push_str("use serde_json::Value;\nuse vitalwire::models;\n\nuse crate::runner::canonical::{Bases, Canonical, Object};\n\n");
    text.push_str(&format!("impl Canonical for models::{name} {{\nfn canonical(&self, bases: &mut Bases) -> Value {{\n"));
    text.push_str("let mut object = Object::new(bases);\n");
    for member in &model.members {
        let put = match (&member.ty, member.required) {
            (_, true) => "required",
            (Type::List(_), false) => "list",
            (_, false) => "optional",
        };
        text.push_str(&format!("object.{put}({}, &self.{});\n", literal(&member.wire), rust_name(&member.name)));
    }
    text.push_str("object.finish(&self.extra)\n}\n}\n");
    text
}

/// The number maps: what their iterator gives, beside what the method of each known name gives.
pub(super) fn maps(ir: &Ir) -> String {
    let mut text = String::from("//! Wide objects of numbers.\n#![allow(deprecated, reason = \"generated\")]\n\n");
    text.push_str("use serde_json::Value;\nuse vitalwire::models::*;\n\n");
    text.push_str("use crate::runner::canonical::{Bases, Canonical, numbers, series};\n\n");
    for map in &ir.number_maps {
        text.push_str(&format!("impl Canonical for {} {{\nfn canonical(&self, bases: &mut Bases) -> Value {{\n", map.name));
        text.push_str(if map.has_basis { "bases.add(self.basis());\n" } else { "let _ = bases;\n" });
        text.push_str("numbers(self, &[\n");
        for value in ir.open_set(&map.keys).into_iter().flat_map(|set| &set.values) {
            text.push_str(&format!("({}, self.{}()),\n", literal(&value.wire), value.name));
        }
        text.push_str("])\n}\n}\n\n");
    }
    for map in &ir.series_maps {
        let name = &map.name;
        text.push_str(&format!(
            "impl Canonical for {name} {{\nfn canonical(&self, bases: &mut Bases) -> Value {{\nseries(self, bases)\n}}\n}}\n\n"
        ));
    }
    text
}

/// The open sets that are values, by their texts.
pub(super) fn open_sets(ir: &Ir) -> String {
    let names: Vec<String> = ir.open_sets.iter().map(|set| format!("vitalwire::open_sets::{}", set.name)).collect();
    format!("//! Open sets: their texts.\n\nuse crate::runner::canonical::canonical_texts;\n\ncanonical_texts!({});\n", names.join(", "))
}

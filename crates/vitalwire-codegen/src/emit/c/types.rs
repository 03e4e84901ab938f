//! The opaque types that live in the core, by their names in C.

use super::lists;
use crate::ir::Ir;
use crate::lang::c as names;

/// Every name that is a type in C.
pub(super) fn names(ir: &Ir) -> Vec<String> {
    aliases(ir).into_iter().map(|(name, ..)| name).collect()
}

pub(super) fn emit(ir: &Ir) -> String {
    let mut text = String::from(
        "//! The core's own types by their names in C, where they are incomplete types: this file is the list that the header declares.\n\nuse vitalwire::{models, operations};\n\nuse crate::params::Params;\n\n",
    );
    for (name, target, docs) in aliases(ir) {
        text.push_str(&format!("{docs}pub type {name} = {target};\n\n"));
    }
    text
}

/// Name in C, type in Rust, documentation.
fn aliases(ir: &Ir) -> Vec<(String, String, String)> {
    let mut aliases = Vec::new();
    let received = ir.models.iter().filter(|model| !model.request).map(|model| (&model.name, &model.docs));
    let maps = ir.number_maps.iter().map(|map| (&map.name, &map.docs)).chain(ir.series_maps.iter().map(|map| (&map.name, &map.docs)));
    for (name, docs) in received.chain(maps) {
        aliases.push((names::object(name), format!("models::{name}"), names::doc(docs, name)));
    }
    for item in lists(ir) {
        let about = format!("/// A list of `{}`, with all that lies in it.\n", names::object(item));
        aliases.push((names::list(item), format!("Vec<models::{item}>"), about));
    }
    for operation in &ir.operations {
        let about =
            format!("/// Parameters of `{}`. The call only reads them, so they can be used again.\n", super::calls::name(operation));
        aliases.push((names::params(operation), format!("Params<operations::{}>", operation.type_name()), about));
    }
    aliases
}

//! Input of the core's tests: all received models, parameters of all calls, open sets and number maps.

use super::spelling;
use crate::file::File;
use crate::ir::{Ir, NumberMap, OpenSet, Operation, Type};

const FOLDER: &str = "crates/vitalwire/tests/client/api/generated";

/// Beginning of `params.rs`.
const PARAMS: &str = "//! All parameters of all calls.

use std::fmt::Debug;

use vitalwire::operations::*;

use super::{CANARY, INTEGER, NUMBER, day, instant};

/// Shows the parameters of each call, with all of them set.
pub fn each(see: &mut impl FnMut(&str, &dyn Debug)) {
";

pub(crate) fn emit(ir: &Ir) -> Vec<File> {
    vec![models(ir), params(ir), open_sets(ir), number_maps(ir)]
}

/// Returns the models as input of the macro `models!` in `models/mod.rs`.
fn models(ir: &Ir) -> File {
    let names: Vec<&str> = ir.received_models().map(|model| model.name.as_str()).collect();
    File::new(format!("{FOLDER}/models.rs"), format!("//! All models.\n\nmodels! {{\n{}\n}}\n", names.join("\n")))
}

/// Returns the parameters of every call, with values from `canaries.rs`.
fn params(ir: &Ir) -> File {
    let lines: String = ir.operations.iter().map(|operation| format!("    see(\"{}\", &{});\n", operation.id, value(operation))).collect();
    let text = format!("{PARAMS}{lines}}}\n");
    File::new(format!("{FOLDER}/params.rs"), text)
}

fn value(operation: &Operation) -> String {
    let (required, optional): (Vec<_>, Vec<_>) = operation.params.iter().partition(|param| param.member.required);
    let arguments: Vec<String> = required.iter().map(|param| argument(&param.member.ty)).collect();
    let set: String =
        optional.iter().map(|param| format!(".{}({})", spelling::name(&param.member.name), argument(&param.member.ty))).collect();
    format!("{}::new({}){set}", operation.type_name(), arguments.join(", "))
}

/// Returns an expression of a type that can be sent.
fn argument(ty: &Type) -> String {
    match ty {
        Type::Boolean => "true".to_owned(),
        Type::Integer => "INTEGER".to_owned(),
        Type::Number => "NUMBER".to_owned(),
        Type::Timestamp => "instant()".to_owned(),
        Type::Date => "day()".to_owned(),
        Type::Bytes => "CANARY.as_bytes()".to_owned(),
        Type::List(item) => format!("[{}]", argument(item)),
        _ => "CANARY".to_owned(),
    }
}

/// Returns the open sets as input of `open_sets!` in `models/open_sets.rs`. Keys of number maps are part of `number_maps`.
fn open_sets(ir: &Ir) -> File {
    let keys = |set: &OpenSet| ir.number_maps.iter().any(|map| map.keys == set.name);
    let sets: Vec<&str> = ir.open_sets.iter().filter(|set| !keys(set)).map(|set| set.name.as_str()).collect();
    File::new(format!("{FOLDER}/open_sets.rs"), format!("//! All open sets.\n\nopen_sets! {{\n{}\n}}\n", sets.join("\n")))
}

/// Returns the maps as input of the macro `number_maps!` in `models/maps.rs`.
fn number_maps(ir: &Ir) -> File {
    let map = |map: &NumberMap| format!("{} by {}", map.name, map.keys);
    let maps: Vec<String> = ir.number_maps.iter().map(map).collect();
    File::new(format!("{FOLDER}/number_maps.rs"), format!("//! All number maps.\n\nnumber_maps! {{\n{}\n}}\n", maps.join("\n")))
}

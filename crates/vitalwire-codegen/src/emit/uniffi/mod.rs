//! The uniffi wrapper: mirrors of the core's types, the calls, and the Swift and Kotlin façades over what uniffi makes of them.

mod calls;
mod config;
mod convert;
mod facade;
mod open_sets;
mod params;
mod records;
mod waits;

use super::File;
use crate::ir::{Ir, Operation, Type};
use crate::lang::{pascal, snake};

const ROOT: &str = "crates/vitalwire-uniffi/src/generated";

/// Every generated file of the wrapper and its façades.
///
/// # Errors
/// Where a template misses a value.
pub(super) fn emit(ir: &Ir) -> anyhow::Result<Vec<File>> {
    let mut files = vec![File::new("crates/vitalwire-uniffi/uniffi.toml", config::emit(ir))];
    let mut modules = vec!["error_kind".to_owned(), "open_sets".to_owned(), "maps".to_owned(), "waits".to_owned()];
    files.push(File::new(format!("{ROOT}/error_kind.rs"), open_sets::error_kind(ir)));
    files.push(File::new(format!("{ROOT}/open_sets.rs"), open_sets::emit(ir)));
    files.push(File::new(format!("{ROOT}/maps.rs"), records::maps(ir)));
    files.push(File::new(format!("{ROOT}/waits.rs"), waits::emit(ir)));
    for model in ir.models.iter().filter(|model| !model.request) {
        let name = format!("record_{}", snake(&model.name));
        files.push(File::new(format!("{ROOT}/{name}.rs"), records::emit(model)));
        modules.push(name);
    }
    for group in ir.groups() {
        let mut add = |name: String, text: String| {
            files.push(File::new(format!("{ROOT}/{name}.rs"), text));
            modules.push(name);
        };
        add(format!("calls_{group}"), calls::emit(ir, group));
        if ir.operations.iter().any(|operation| operation.group == group && !operation.params.is_empty()) {
            add(format!("params_{group}"), params::emit(ir, group));
        }
    }
    modules.sort();
    let declared: String = modules.iter().map(|name| format!("mod {name};\n")).collect();
    // What holds a record, a map or parameters is named by other files; calls and tables of kinds are not.
    let used: String =
        modules.iter().map(|name| format!("#[allow(unused_imports, reason = \"one list for all\")]\npub use {name}::*;\n")).collect();
    files.push(File::new(
        format!("{ROOT}/mod.rs"),
        format!("//! Everything that is generated from the specifications.\n\n{declared}\n{used}"),
    ));
    files.extend(facade::emit(ir)?);
    Ok(files)
}

/// The record that a call gives: value and facts of the answer.
fn answer_name(operation: &Operation) -> String {
    pascal(&format!("{}_{}_response", operation.group, operation.method))
}

/// A type as it crosses, in Rust.
fn crossing(ty: &Type) -> String {
    match ty {
        Type::Text | Type::Id | Type::Json => "String".into(),
        Type::Boolean => "bool".into(),
        Type::Integer => "i64".into(),
        Type::Number => "f64".into(),
        Type::Timestamp => "Timestamp".into(),
        Type::Date => "CalendarDate".into(),
        Type::Bytes => "Vec<u8>".into(),
        Type::Open(name) | Type::Model(name) | Type::Numbers(name) | Type::Series(name) => name.clone(),
        // One buffer, not one object a number.
        Type::List(item) if **item == Type::Number => "Series".into(),
        Type::List(item) => format!("Vec<{}>", crossing(item)),
    }
}

//! The C wrapper's generated half: accessors that copy nothing, parameters, calls, codes, and the header of known names.
//!
//! The functions are written out, never made by macros: cbindgen reads this text as it is.

mod calls;
mod code;
mod header;
mod maps;
mod models;
mod params;
#[cfg(test)]
mod tests;
mod types;

use std::collections::BTreeSet;

use anyhow::bail;

pub(super) use calls::name as call;
pub(super) use params::at_start;

use super::File;
use crate::ir::{Answer, Ir};
use crate::lang::{c as names, snake};

const ROOT: &str = "crates/vitalwire-c/src/generated";

/// Every generated file of the C wrapper.
///
/// # Errors
/// Where two things would have one name in C, or a type has no form there.
pub(super) fn emit(ir: &Ir) -> anyhow::Result<Vec<File>> {
    let mut files = vec![
        File::new(format!("{ROOT}/mod.rs"), module()),
        File::new(format!("{ROOT}/types.rs"), types::emit(ir)),
        File::new(format!("{ROOT}/code.rs"), code::emit(ir)),
        File::new("bindings/c/include/vitalwire_names.h", header::emit(ir)),
    ];
    let mut objects = Vec::new();
    for model in ir.models.iter().filter(|model| !model.request) {
        objects.push((snake(&model.name), models::emit(ir, model)?));
    }
    objects.extend(lists(ir).map(|item| (format!("{}_list", snake(item)), models::list(item))));
    folder(&mut files, "models", "What the service answers.", objects);
    let numbers = ir.number_maps.iter().map(|map| (snake(&map.name), maps::numbers(ir, map)));
    let series = ir.series_maps.iter().map(|map| (snake(&map.name), maps::series(map)));
    folder(&mut files, "maps", "Wide objects of numbers.", numbers.chain(series).collect());
    let mut given = Vec::new();
    for group in ir.groups() {
        given.push((group.to_owned(), params::emit(ir, group)?));
    }
    folder(&mut files, "params", "Parameters of every call.", given);
    folder(
        &mut files,
        "calls",
        "Calls by resource.",
        ir.groups().iter().map(|group| ((*group).to_owned(), calls::emit(ir, group))).collect(),
    );
    unique(ir, &files)?;
    Ok(files)
}

/// The objects that calls answer lists of, in the order of the calls.
fn lists(ir: &Ir) -> impl Iterator<Item = &str> {
    let mut seen = BTreeSet::new();
    ir.operations.iter().filter_map(move |operation| match &operation.answer {
        Answer::List(item) if seen.insert(item) => Some(item.as_str()),
        _ => None,
    })
}

fn module() -> String {
    "//! Everything that is generated from the specifications.\n\npub mod calls;\npub mod code;\npub mod maps;\npub mod models;\npub mod params;\npub mod types;\n"
        .to_owned()
}

/// A folder of one file per item, and the `mod.rs` that names them.
fn folder(files: &mut Vec<File>, name: &str, about: &str, items: Vec<(String, String)>) {
    let modules: String = items.iter().map(|(item, _)| format!("pub mod {item};\n")).collect();
    files.push(File::new(format!("{ROOT}/{name}/mod.rs"), format!("//! {about}\n\n{modules}")));
    files.extend(items.into_iter().map(|(item, text)| File::new(format!("{ROOT}/{name}/{item}.rs"), text)));
}

/// C has one space of names for types and functions, and another of macros and constants.
fn unique(ir: &Ir, files: &[File]) -> anyhow::Result<()> {
    let mut seen: BTreeSet<String> = types::names(ir).into_iter().collect();
    for line in files.iter().filter(|file| file.path.starts_with(ROOT)).flat_map(|file| file.text.lines()) {
        let Some(rest) = line.strip_prefix("pub extern \"C\" fn ") else { continue };
        let name = rest.split('(').next().unwrap_or(rest).to_owned();
        if seen.contains(&name) {
            bail!("two things would be called `{name}` in C; rename one in the specification");
        }
        seen.insert(name);
    }
    let mut constants: BTreeSet<String> = ir.error_kinds.iter().map(|kind| names::error(&kind.name)).collect();
    for set in &ir.open_sets {
        for value in &set.values {
            let name = names::value(set, value);
            if !constants.insert(name.clone()) {
                bail!("two values would be called `{name}` in C; rename one by x-vitalwire-names");
            }
        }
    }
    Ok(())
}

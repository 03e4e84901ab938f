//! Generator of the C wrapper: accessors, parameters, calls, codes, and the header of known names.
//!
//! Functions are written out instead of made by macros, because cbindgen does not expand macros.

pub(crate) mod conformance;
pub(crate) mod example;
pub(crate) mod filters;
mod forms;
pub(crate) mod params;
pub(crate) mod settings;
pub mod spelling;

use std::collections::{BTreeMap, BTreeSet};

use anyhow::bail;
use serde_json::json;

use crate::c::filters::TEMPLATES;
use crate::file::File;
use crate::ir::features::Language;
use crate::ir::{Ir, Operation, ResponseType};
use crate::naming::snake;

const ROOT: &str = "crates/vitalwire-c/src/generated";

/// Generates every file of the C wrapper.
///
/// # Errors
/// If two items would have the same name in C, or a type has no C representation.
pub fn emit(ir: &Ir) -> anyhow::Result<Vec<File>> {
    let ir = &ir.for_language(Language::C);
    let mut files = Vec::new();
    for model in ir.received_models() {
        let returns_model = |operation: &Operation| matches!(&operation.response, ResponseType::Model(name) if *name == model.name);
        let freed = ir.operations.iter().any(returns_model);
        let values = json!({ "object": spelling::object(&model.name), "members": model.members, "freed": freed });
        files.push(file("models", &snake(&model.name), "c/model.rs.j2", values)?);
    }
    for item in lists(ir) {
        files.push(file("models", &format!("{}_list", snake(item)), "c/list.rs.j2", json!({ "item": item }))?);
    }
    for map in &ir.number_maps {
        let values = ir.open_set(&map.keys).map(|set| &set.values);
        files.push(file("maps", &snake(&map.name), "c/numbers.rs.j2", json!({ "map": map, "values": values }))?);
    }
    for map in &ir.series_maps {
        files.push(file("maps", &snake(&map.name), "c/series.rs.j2", json!({ "map": map }))?);
    }
    let resources = ir.resources();
    for resource in &resources {
        let operations = ir.operations.iter().filter(|operation| operation.group == resource.group && !operation.params.is_empty());
        let parameters: Vec<_> = operations.map(params::values).collect::<anyhow::Result<_>>()?;
        if !parameters.is_empty() {
            let values = json!({ "group": resource.group, "parameters": parameters });
            files.push(file("params", resource.group, "c/params.rs.j2", values)?);
        }
        let values = json!({ "group": resource.group, "calls": resource.calls, "example": example::lines(ir, resource.group) });
        files.push(file("calls", resource.group, "c/calls.rs.j2", values)?);
    }
    let abouts = [
        ("models", "Accessors of models."),
        ("maps", "Accessors of number maps and series maps."),
        ("params", "Parameters of all calls."),
        ("calls", "Calls by resource."),
    ];
    for (folder, about) in abouts {
        let module = module(&files, folder, about)?;
        files.push(module);
    }
    let calls = resources.iter().flat_map(|resource| &resource.calls);
    let calls: Vec<_> = calls.filter(|call| !call.waits && !call.operation.params.is_empty()).collect();
    let received = json!({ "received": received(ir), "lists": lists(ir).collect::<Vec<_>>(), "calls": calls });
    files.push(TEMPLATES.file(format!("{ROOT}/types.rs"), "c/types.rs.j2", received)?);
    for (name, values) in ["settings", "options"].into_iter().zip(settings::setters(ir)) {
        files.push(TEMPLATES.file(format!("{ROOT}/{name}.rs"), "c/settings.rs.j2", values)?);
    }
    files.push(TEMPLATES.file(format!("{ROOT}/error.rs"), "c/error.rs.j2", json!({ "fields": settings::error_fields() }))?);
    let ranges: Vec<_> =
        resources.iter().flat_map(|resource| &resource.calls).filter(|call| !call.waits && call.operation.range.is_some()).collect();
    files.push(TEMPLATES.file(format!("{ROOT}/ranges.rs"), "c/ranges.rs.j2", json!({ "calls": ranges }))?);
    files.push(TEMPLATES.file(format!("{ROOT}/range_answers.rs"), "c/range_answers.rs.j2", json!({ "calls": ranges }))?);
    files.push(TEMPLATES.file(format!("{ROOT}/waits.rs"), "c/waits.rs.j2", json!({ "records": ir.awaitable_records() }))?);
    let tabled: Vec<_> =
        resources.iter().flat_map(|resource| &resource.calls).filter(|call| !call.waits && ir.has_tables(call.operation)).collect();
    files.push(TEMPLATES.file(format!("{ROOT}/tables.rs"), "c/tables.rs.j2", json!({ "calls": tabled }))?);
    files.push(TEMPLATES.file(format!("{ROOT}/code.rs"), "c/code.rs.j2", ir)?);
    files.push(TEMPLATES.file("bindings/c/include/vitalwire/names.h", "c/names.h.j2", ir)?);
    for name in ["every_call", "all_operations"] {
        let (path, template) = (format!("bindings/c/tests/generated/{name}.c"), format!("c/{name}.c.j2"));
        files.push(TEMPLATES.file(path, &template, json!({ "resources": resources }))?);
    }
    let examples: Vec<_> = ir.groups().into_iter().map(|group| (group, example::lines(ir, group))).collect();
    files.push(TEMPLATES.file("bindings/c/tests/generated/examples.c", "c/examples.c.j2", json!({ "examples": examples }))?);
    let top = |file: &File| Some(file.path.strip_prefix(ROOT)?.strip_prefix('/')?.split(['/', '.']).next()?.to_owned());
    let modules: BTreeSet<String> = files.iter().filter_map(top).collect();
    let modules = json!({ "about": "Code generated from the specifications.", "module": "pub mod", "modules": modules });
    files.push(TEMPLATES.file(format!("{ROOT}/mod.rs"), "modules.rs.j2", modules)?);
    check_unique_names(ir, &files)?;
    Ok(files)
}

fn file(folder: &str, name: &str, template: &str, values: serde_json::Value) -> anyhow::Result<File> {
    TEMPLATES.file(format!("{ROOT}/{folder}/{name}.rs"), template, values)
}

/// Returns the `mod.rs` of a folder.
fn module(files: &[File], folder: &str, about: &str) -> anyhow::Result<File> {
    let below = format!("{ROOT}/{folder}/");
    let modules: Vec<&str> = files.iter().filter(|file| file.path.starts_with(&below)).filter_map(File::stem).collect();
    file(folder, "mod", "modules.rs.j2", json!({ "about": about, "module": "pub mod", "modules": modules }))
}

/// Returns name and documentation of each type that responses have.
fn received(ir: &Ir) -> Vec<serde_json::Value> {
    let models = ir.received_models().map(|model| (&model.name, &model.docs));
    let numbers = ir.number_maps.iter().map(|map| (&map.name, &map.docs));
    let series = ir.series_maps.iter().map(|map| (&map.name, &map.docs));
    models.chain(numbers).chain(series).map(|(name, docs)| json!({ "name": name, "docs": docs })).collect()
}

/// Returns the items of lists that calls return, in the order of the calls.
pub(crate) fn lists(ir: &Ir) -> impl Iterator<Item = &str> {
    let mut seen = BTreeSet::new();
    ir.operations.iter().filter_map(move |operation| match &operation.response {
        ResponseType::List(item) if seen.insert(item) => Some(item.as_str()),
        _ => None,
    })
}

/// Rejects duplicate names and reports all of them. In C, types and functions share a namespace, as do macros and constants.
fn check_unique_names(ir: &Ir, files: &[File]) -> anyhow::Result<()> {
    let mut seen: BTreeMap<String, String> = BTreeMap::new();
    let mut clashes = Vec::new();
    let constants = ir.error_kinds.iter().map(|kind| (spelling::error(&kind.name), format!("the error kind `{}`", kind.name)));
    let values = ir.open_sets.iter().flat_map(|set| set.values.iter().map(move |value| (set, value)));
    let values = values.map(|(set, value)| (spelling::value(set, value), format!("`{}` of `{}`", value.wire, set.name)));
    for (name, description) in files.iter().flat_map(declared_names).chain(constants).chain(values) {
        match seen.get(&name) {
            Some(earlier) => clashes.push(format!("`{name}` in C would be {earlier} and {description}")),
            None => drop(seen.insert(name, description)),
        }
    }
    if clashes.is_empty() {
        return Ok(());
    }
    bail!("{}; rename one in the specification, or a value with x-vitalwire-names", clashes.join("; "))
}

/// Returns the names that a file declares, each with a description.
fn declared_names(file: &File) -> Vec<(String, String)> {
    let Some(place) = file.path.strip_prefix(ROOT).map(|path| path.trim_start_matches('/')) else { return Vec::new() };
    let (mut all, mut about) = (Vec::new(), "");
    let mut documented = false;
    for line in file.text.lines() {
        if let Some(text) = line.strip_prefix("///") {
            // The first line of a comment is the description.
            about = if documented { about } else { text.trim() };
            documented = true;
            continue;
        }
        if let Some((name, of)) = line.strip_prefix("pub type ").and_then(|rest| rest.split_once(" = ")) {
            all.push((name.to_owned(), format!("the type of `{}`", of.trim_end_matches(';'))));
        } else if let Some((name, _)) = line.strip_prefix("pub extern \"C\" fn ").and_then(|rest| rest.split_once('(')) {
            all.push((name.to_owned(), format!("a function of {place} (\"{about}\")")));
        }
        documented = false;
    }
    all
}

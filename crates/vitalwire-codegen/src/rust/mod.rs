//! Generated half of the client crate: open sets, models, parameters and calls, on top of progenitor's operations.

pub(crate) mod bench;
mod client;
pub(crate) mod cohort;
pub(crate) mod conformance;
pub(crate) mod core_tests;
mod examples;
pub(crate) mod filters;
pub(crate) mod fuzz;
mod http;
mod operations;
pub mod spelling;
mod tables;
mod waits;

use std::collections::BTreeSet;

use serde_json::json;

use crate::file::File;
use crate::ir::{Ir, Model, Operation, ResponseType, problems, range_item};
use crate::naming::snake;
use crate::rust::filters::TEMPLATES;
use crate::spec::Sources;

const ROOT: &str = "crates/vitalwire/src/generated";

/// Returns all generated files of the client crate. `package` is the crate's name.
///
/// # Errors
/// If progenitor rejects the specification, or a template value is missing.
pub(crate) fn emit(ir: &Ir, sources: &Sources, package: &str) -> anyhow::Result<Vec<File>> {
    let (mut files, signatures) = http::emit(ir, sources, &format!("{ROOT}/http"))?;
    let resources = ir.resources();
    let whole = |name: &str| format!("{ROOT}/{name}.rs");
    files.extend([
        TEMPLATES.file(whole("mod"), "rust/mod.rs.j2", json!({}))?,
        TEMPLATES.file(whole("names"), "rust/names.rs.j2", json!({ "names": names(ir) }))?,
        TEMPLATES.file(whole("tables"), "rust/tables.rs.j2", tables::values(ir))?,
        TEMPLATES.file(whole("meta"), "rust/meta.rs.j2", ir)?,
        TEMPLATES.file(whole("client"), "rust/client.rs.j2", client::client(ir))?,
        TEMPLATES.file(whole("waits"), "rust/waits.rs.j2", json!({ "waits": waits::wait_operations(ir) }))?,
    ]);
    let mut sets = Vec::new();
    for set in &ir.open_sets {
        sets.push(item("open_sets", &snake(&set.name), "rust/open_set.rs.j2", json!(set))?);
    }
    folder(&mut files, "open_sets", "Open sets, which the service may extend.", sets)?;
    let mut models = vec![item("models", "maps", "rust/maps.rs.j2", json!(ir))?];
    let (engine, own): (Vec<&Model>, Vec<&Model>) = ir.models.iter().partition(|model| problems::is_engine_model(&model.name));
    let names: Vec<&str> = engine.into_iter().map(|model| model.name.as_str()).collect();
    models.push(item("models", "problems", "rust/problems.rs.j2", json!({ "names": names }))?);
    for model in own.into_iter().filter(|model| !model.request) {
        let values = json!({ "model": model, "basis_fields": basis_fields(ir, model), "list": list(ir, model) });
        models.push(item("models", &snake(&model.name), "rust/model.rs.j2", values)?);
    }
    folder(&mut files, "models", "Models of responses.", models)?;
    let (mut parameters, mut calls) = (Vec::new(), Vec::new());
    for resource in &resources {
        let own = ir.operations.iter().filter(|operation| operation.group == resource.group);
        let operations: Vec<_> = own.map(|operation| operations::values(ir, operation, &signatures)).collect();
        let values = json!({ "group": resource.group, "operations": operations });
        parameters.push(item("operations", resource.group, "rust/operations.rs.j2", values)?);
        let values = json!({ "group": resource.group, "calls": resource.calls, "example": examples::example(ir, resource.group, package) });
        calls.push(item("resources", resource.group, "rust/resource.rs.j2", values)?);
    }
    folder(&mut files, "operations", "Parameters of all calls.", parameters)?;
    folder(&mut files, "resources", "Calls by resource.", calls)?;
    Ok(files)
}

fn item(folder: &str, name: &str, template: &str, values: serde_json::Value) -> anyhow::Result<File> {
    TEMPLATES.file(format!("{ROOT}/{folder}/{name}.rs"), template, values)
}

/// Adds a folder with one file per item, and a `mod.rs` that re-exports them.
fn folder(files: &mut Vec<File>, name: &str, about: &str, mut items: Vec<File>) -> anyhow::Result<()> {
    items.sort_by(|a, b| a.path.cmp(&b.path));
    let names: Vec<&str> = items.iter().filter_map(File::stem).collect();
    files.push(item(name, "mod", "modules.rs.j2", json!({ "about": about, "module": "mod", "modules": names, "export": "pub use" }))?);
    files.extend(items);
    Ok(())
}

/// Returns all declared field names, sorted. The location of an error shows only these.
fn names(ir: &Ir) -> BTreeSet<&str> {
    let mut names: BTreeSet<&str> = ir.models.iter().flat_map(|model| &model.members).map(|member| member.wire.as_str()).collect();
    for keys in ir.number_maps.iter().map(|map| &map.keys).chain(ir.series_maps.iter().map(|map| &map.keys)) {
        names.extend(ir.open_set(keys).into_iter().flat_map(|set| &set.values).map(|value| value.wire.as_str()));
    }
    names
}

/// Returns the list of items in a response to a range call: wire name, field and item type. `None` for other models.
fn list(ir: &Ir, model: &Model) -> Option<serde_json::Value> {
    let returns_model = |operation: &&Operation| matches!(&operation.response, ResponseType::Model(name) if *name == model.name);
    let (operation, range) =
        ir.operations.iter().filter(returns_model).find_map(|operation| Some((operation, operation.range.as_ref()?)))?;
    let (item, wire) = (range_item(ir, operation, range)?, range.items.as_ref()?);
    let member = model.members.iter().find(|member| member.wire == *wire)?;
    Some(json!({ "wire": wire, "field": spelling::name(&member.name), "item": item.name }))
}

/// Returns the fields that hold numbers with a basis, directly or nested.
fn basis_fields(ir: &Ir, model: &Model) -> Vec<String> {
    model.members.iter().filter(|member| ir.has_basis(&member.ty)).map(|member| spelling::name(&member.name)).collect()
}

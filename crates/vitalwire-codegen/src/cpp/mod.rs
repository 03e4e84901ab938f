//! Generator of the C++ headers on top of the C functions: records as views, chained setters, calls by resource. Headers that do not depend
//! on the specifications are written by hand in `bindings/c/include/vitalwire/cpp`.

pub(crate) mod conformance;
mod example;
pub(crate) mod filters;
mod settings;
pub mod spelling;

use std::collections::BTreeSet;

use serde_json::json;

use crate::c::{lists, params};
use crate::cpp::filters::TEMPLATES;
use crate::file::File;
use crate::ir::features::Language;
use crate::ir::{Ir, Member, Model, Type};
use crate::naming::snake;

const ROOT: &str = "bindings/c/include/vitalwire/cpp";

/// Generates the C++ headers.
///
/// # Errors
/// If a template lacks a value, or a parameter has no C++ representation.
pub(crate) fn emit(ir: &Ir) -> anyhow::Result<Vec<File>> {
    let ir = &ir.for_language(Language::C);
    let mut files = Vec::new();
    let mut file = |path: &str, template: &str, values: serde_json::Value| -> anyhow::Result<()> {
        files.push(TEMPLATES.file(format!("{ROOT}/{path}.hpp"), &format!("cpp/{template}.hpp.j2"), values)?);
        Ok(())
    };
    for model in ir.received_models() {
        let values = json!({ "model": model, "includes": included_records(model) });
        file(&format!("records/{}", snake(&model.name)), "record", values)?;
    }
    for item in lists(ir) {
        file(&format!("records/{}_list", snake(item)), "list", json!({ "item": item }))?;
    }
    for map in &ir.number_maps {
        let values = ir.open_set(&map.keys).map(|set| &set.values);
        file(&format!("records/{}", snake(&map.name)), "numbers", json!({ "map": map, "values": values }))?;
    }
    for map in &ir.series_maps {
        file(&format!("records/{}", snake(&map.name)), "series", json!({ "map": map }))?;
    }
    let resources = ir.resources();
    for resource in &resources {
        let with = resource.calls.iter().filter(|call| !call.waits && !call.operation.params.is_empty());
        let parameters: Vec<_> = with
            .map(|call| Ok(json!({ "params": params::values(call.operation)?, "method": call.method, "upload": call.upload })))
            .collect::<anyhow::Result<_>>()?;
        let tabled: Vec<&str> =
            resource.calls.iter().map(|call| call.operation).filter(|it| ir.has_tables(it)).map(|it| it.id.as_str()).collect();
        let example = example::lines(ir, resource.group);
        let values = json!({ "resource": resource, "parameters": parameters, "tabled": tabled, "example": example });
        file(&format!("resources/{}", resource.group), "resource", values)?;
    }
    let errors = json!({ "fields": settings::error_fields(), "kinds": ir.error_kinds, "records": ir.awaitable_records() });
    file("errors", "errors", errors)?;
    file("options", "options", json!({ "setters": settings::options() }))?;
    let groups = ir.groups();
    let examples: Vec<_> = groups.iter().map(|group| (group, example::lines(ir, group))).collect();
    file("client", "client", json!({ "setters": settings::settings(ir), "groups": groups }))?;
    files.push(TEMPLATES.file("bindings/c/include/vitalwire.hpp", "cpp/vitalwire.hpp.j2", json!({}))?);
    files.push(TEMPLATES.file("bindings/c/tests/generated/examples.cpp", "cpp/examples.cpp.j2", json!({ "examples": examples }))?);
    Ok(files)
}

/// Returns the headers of the records that a record contains.
fn included_records(model: &Model) -> BTreeSet<String> {
    let record = |member: &Member| match member.ty.item() {
        Type::Model(name) | Type::Numbers(name) | Type::Series(name) => Some(snake(name)),
        _ => None,
    };
    model.members.iter().filter_map(record).collect()
}

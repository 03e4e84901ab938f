//! The generated part of the conformance runner. The hand-written part is in `bindings/python/tests/conformance`.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::conformance::{Runner, settings};
use crate::file::File;
use crate::ir::features::{Availability, CALL_OPTIONS, Language};
use crate::ir::{Ir, Member, Model, Type};
use crate::naming::{shouty, snake};
use crate::python::filters::TEMPLATES;

const ROOT: &str = "bindings/python/tests/conformance/generated";

pub(crate) fn emit(runner: &Runner<'_>) -> anyhow::Result<Vec<File>> {
    let ir = runner.ir;
    let file = |path: &str, template: &str, values: Value| {
        TEMPLATES.file(format!("{ROOT}/{path}.py"), &format!("python/conformance/{template}.py.j2"), values)
    };
    let package = |path: &str, about: &str| file(path, "package", json!({ "about": about }));
    let mut files = vec![
        package("__init__", "The generated part of the runner: calls by operation, and responses as canonical JSON.")?,
        package("outcomes/__init__", "Responses as canonical JSON, read through the public attributes.")?,
        file("calls/__init__", "table", json!({ "groups": ir.groups(), "operations": runner.operations }))?,
        file("names", "names", json!({ "sets": ir.open_sets }))?,
        file("waited", "waited", json!({ "records": ir.awaitable_records() }))?,
    ];
    let options = || CALL_OPTIONS.iter().filter(|option| option.availability(Language::Python) == Availability::Generated);
    let mut planned = settings::values(ir, Language::Python, |_, _| json!({}));
    planned["keywords"] = options().map(|option| json!({ "name": option.keyword(), "off": option.is_off_by_default() })).collect();
    files.push(file("settings", "settings", planned)?);
    let options: Vec<&str> = options().map(|option| option.keyword()).collect();
    for group in ir.groups() {
        let operations = runner.calls(group);
        let waited = operations.iter().filter_map(|operation| operation.waits.as_ref()?.record);
        let outcomes: BTreeSet<&str> = operations.iter().filter_map(|operation| operation.record).chain(waited).collect();
        let values = json!({ "group": group, "operations": operations, "outcomes": outcomes, "call_options": options });
        files.push(file(&format!("calls/{group}"), "calls", values)?);
    }
    for model in runner.ir.received_models() {
        files.push(file(&format!("outcomes/{}", snake(&model.name)), "outcome", record(ir, model))?);
    }
    Ok(files)
}

/// Returns the template values of a model: the form of each field, and the models of its fields.
fn record(ir: &Ir, model: &Model) -> Value {
    let children: BTreeSet<&str> = model.members.iter().filter_map(|member| member.ty.model()).collect();
    let mut values = json!(model);
    for (at, member) in model.members.iter().enumerate() {
        values["members"][at]["form"] = json!(form(ir, &member.ty));
    }
    values["children"] = json!(children);
    let has_names = |member: &Member| matches!(member.ty.item(), Type::Open(_) | Type::Numbers(_));
    values["uses_names"] = json!(model.members.iter().any(has_names));
    values
}

/// Returns the function that converts a value to canonical JSON.
fn form(ir: &Ir, ty: &Type) -> String {
    let name = match ty {
        Type::Text | Type::Id => "text",
        Type::Open(name) => return format!("names.{}", snake(name)),
        Type::Boolean => "boolean",
        Type::Integer => "integer",
        Type::Number => "number",
        Type::Timestamp => "instant",
        Type::Date => "date",
        Type::Bytes => "raw",
        Type::Json => "plain",
        Type::Model(name) => return format!("{}.outcome", snake(name)),
        Type::Numbers(name) => {
            let keys = ir.number_map(name).map_or(name, |map| &map.keys);
            return format!("canonical.numbers(names.{})", shouty(keys));
        }
        Type::Series(_) => "series",
        Type::List(item) if **item == Type::Number => "doubles",
        Type::List(item) => return format!("canonical.many({})", form(ir, item)),
    };
    format!("canonical.{name}")
}

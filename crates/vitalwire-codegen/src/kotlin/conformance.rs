//! The generated part of the Kotlin conformance runner. The rest is in `bindings/kotlin/src/test/kotlin/dev/vitalwire/conformance`.

use serde_json::{Value, json};

use super::{call::Calls, record::record};
use crate::conformance::{Runner, settings};
use crate::file::File;
use crate::ir::features::Language;
use crate::kotlin::filters::TEMPLATES;
use crate::naming::pascal;

const ROOT: &str = "bindings/kotlin/src/test/kotlin/generated/conformance";

/// Generates small files, because the JVM limits the size of a method.
pub(crate) fn emit(runner: &Runner<'_>) -> anyhow::Result<Vec<File>> {
    let ir = runner.ir;
    let file = |folder: &str, name: &str, template: &str, values: Value| {
        TEMPLATES.file(format!("{ROOT}/{folder}/{name}.kt"), &format!("kotlin/conformance/{template}.kt.j2"), values)
    };
    let mut files = vec![
        file("calls", "Calls", "Table", json!({ "operations": runner.operations }))?,
        file("settings", "Settings", "Settings", settings::values(ir, Language::Kotlin, |_, _| json!({})))?,
        file("outcomes", "AwaitableRecord", "AwaitableRecord", json!({ "records": ir.awaitable_records() }))?,
    ];
    for resource in ir.resources() {
        files.push(file("calls", &pascal(resource.group), "Calls", json!(Calls::new(ir, &resource)))?);
    }
    for set in &ir.open_sets {
        files.push(file("names", &set.name, "Names", json!(set))?);
    }
    for model in runner.ir.received_models() {
        files.push(file("outcomes", &model.name, "Record", record(model, false, &[]))?);
    }
    for map in &ir.number_maps {
        files.push(file("outcomes", &map.name, "Numbers", json!({ "map": runner.numbers(map) }))?);
    }
    for map in &ir.series_maps {
        files.push(file("outcomes", &map.name, "Series", json!({ "map": map }))?);
    }
    Ok(files)
}

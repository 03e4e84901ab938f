//! Generated sources of the Swift conformance runner. The hand-written ones are in `bindings/swift/Tests/ConformanceRunner`.

use serde_json::{Value, json};

use super::{call::calls, record::record};
use crate::conformance::{Runner, settings};
use crate::file::File;
use crate::ir::features::Language;
use crate::naming::pascal;
use crate::swift::filters::TEMPLATES;
use crate::swift::setting_groups::planned_property;

const ROOT: &str = "bindings/swift/Tests/ConformanceRunner/Generated";

/// Generates the runner's sources as many short files, because Swift type-checks each file separately.
pub(crate) fn emit(runner: &Runner<'_>) -> anyhow::Result<Vec<File>> {
    let ir = runner.ir;
    let file = |path: &str, template: &str, values: Value| {
        TEMPLATES.file(format!("{ROOT}/{path}.swift"), &format!("swift/conformance/{template}.swift.j2"), values)
    };
    let mut files = vec![
        file("Calls", "Table", json!({ "operations": runner.operations }))?,
        file("PlannedSettings", "Settings", settings::values(ir, Language::Swift, |row, _| json!({ "property": planned_property(row) })))?,
        file("Kinds", "Kinds", json!({ "error_kinds": ir.error_kinds }))?,
        file("OpenSets", "OpenSets", json!({ "open_sets": ir.open_sets }))?,
        file("WaitedRecord", "WaitedRecord", json!({ "records": ir.awaitable_records() }))?,
    ];
    for resource in ir.resources() {
        files.push(file(&format!("Calls/{}Calls", pascal(resource.group)), "Calls", calls(ir, &resource))?);
    }
    for model in runner.ir.received_models() {
        files.push(file(&format!("Outcomes/{}Outcome", model.name), "Record", record(model))?);
    }
    let numbers = ir.number_maps.iter().map(|map| (&map.name, runner.numbers(map)));
    for (name, map) in numbers.chain(ir.series_maps.iter().map(|map| (&map.name, runner.series(map)))) {
        files.push(file(&format!("Outcomes/{name}Outcome"), "Map", json!({ "map": map }))?);
    }
    Ok(files)
}

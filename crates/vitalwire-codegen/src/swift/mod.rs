//! Generator of the Swift package: records, maps, open sets and resources on top of the code that uniffi generates.

pub(crate) mod call;
pub(crate) mod conformance;
mod error;
mod example;
pub(crate) mod filters;
mod method;
pub(crate) mod record;
mod setting_groups;
mod settings;
pub mod spelling;
mod testing;

use std::collections::BTreeMap;

use serde_json::json;

use self::spelling::plain;
use crate::file::File;
use crate::ir::Ir;
use crate::ir::features::Language;
use crate::naming::pascal;
use crate::swift::filters::TEMPLATES;
use crate::uniffi::mobile::argument;
use crate::uniffi::tables;

const ROOT: &str = "bindings/swift/Sources/Vitalwire/Generated";
const EXAMPLES: &str = "bindings/swift/Tests/VitalwireTests/Generated/ResourceExamples.swift";
const TESTING: &str = "bindings/swift/Sources/VitalwireTesting/Generated";

/// Generates all files of the package except uniffi's.
///
/// # Errors
/// If a template refers to a missing value.
pub fn emit(ir: &Ir) -> anyhow::Result<Vec<File>> {
    let ir = &ir.for_language(Language::Swift);
    let mut files = Vec::new();
    for model in ir.received_models() {
        let record = record::record(model);
        files.push(TEMPLATES.file(format!("{ROOT}/Records/{}.swift", model.name), "swift/Record.swift.j2", record)?);
    }
    for map in &ir.number_maps {
        let values = json!({ "map": map, "keys": ir.open_set(&map.keys) });
        files.push(TEMPLATES.file(format!("{ROOT}/Maps/{}.swift", map.name), "swift/Numbers.swift.j2", values)?);
    }
    for map in &ir.series_maps {
        files.push(TEMPLATES.file(format!("{ROOT}/Maps/{}.swift", map.name), "swift/SeriesMap.swift.j2", json!({ "map": map }))?);
    }
    for set in &ir.open_sets {
        files.push(TEMPLATES.file(format!("{ROOT}/OpenSets/{}.swift", set.name), "swift/OpenSet.swift.j2", set)?);
    }
    for resource in ir.resources() {
        let path = format!("{ROOT}/Resources/{}Resource.swift", pascal(resource.group));
        files.push(TEMPLATES.file(path, "swift/Resource.swift.j2", call::calls(ir, &resource))?);
        let (name, methods) = (pascal(resource.group), method::methods(ir, &resource));
        for (path, template) in [
            (format!("{ROOT}/Calls/{name}Calls.swift"), "ResourceCalls"),
            (format!("{ROOT}/Protocols/{name}Protocol.swift"), "ResourceProtocol"),
            (format!("{TESTING}/Fakes/{name}Fake.swift"), "Fake"),
        ] {
            files.push(TEMPLATES.file(path, &format!("swift/{template}.swift.j2"), &methods)?);
        }
    }
    let examples: Vec<_> = ir.groups().into_iter().map(|group| (pascal(group), example::lines(ir, group))).collect();
    files.push(TEMPLATES.file(EXAMPLES, "swift/ResourceExamples.swift.j2", json!({ "examples": examples }))?);
    for record in settings::records(ir) {
        files.push(TEMPLATES.file(format!("{ROOT}/Options/{}.swift", record.name), "swift/Options.swift.j2", record)?);
    }
    let tables = json!({ "tables": tables::table_methods(ir, plain), "basis_records": tables::basis_records(ir, plain) });
    files.push(TEMPLATES.file(format!("{ROOT}/Tables.swift"), "swift/Tables.swift.j2", tables)?);
    let testing = testing::values(ir);
    files.push(TEMPLATES.file(format!("{TESTING}/Call.swift"), "swift/Call.swift.j2", &testing)?);
    files.push(TEMPLATES.file(format!("{TESTING}/Samples.swift"), "swift/Samples.swift.j2", &testing)?);
    let errors = json!({ "fields": error::properties(), "arguments": argument_names(ir) });
    files.push(TEMPLATES.file(format!("{ROOT}/VitalwireError.swift"), "swift/VitalwireError.swift.j2", errors)?);
    let kinds = json!({ "error_kinds": ir.error_kinds, "records": ir.awaitable_records() });
    files.push(TEMPLATES.file(format!("{ROOT}/ErrorKind.swift"), "swift/ErrorKind.swift.j2", kinds)?);
    if !ir.cohort_tables.is_empty() {
        let kinds = json!({ "tables": ir.cohort_tables });
        files.push(TEMPLATES.file(format!("{ROOT}/RecordKind.swift"), "swift/RecordKind.swift.j2", kinds)?);
    }
    Ok(files)
}

/// Returns the arguments that Swift calls by another name than the core's in camel case, with that name.
fn argument_names(ir: &Ir) -> BTreeMap<&str, String> {
    let params = ir.operations.iter().flat_map(|operation| operation.params.iter().map(|param| (&operation.params, param)));
    let names = params.map(|(all, param)| (param.member.name.as_str(), plain(argument(all, param))));
    names.filter(|(core, swift)| *swift != plain(core)).collect()
}

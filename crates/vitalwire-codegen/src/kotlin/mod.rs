//! Generates the Kotlin package over uniffi's bindings: records, maps, open sets and resources with their calls.

mod argument;
pub(crate) mod call;
pub(crate) mod conformance;
mod example;
pub(crate) mod filters;
mod names;
pub(crate) mod record;
mod search;
mod settings;
pub mod spelling;
mod testing;

use anyhow::ensure;
use serde_json::json;

use crate::file::File;
use crate::ir::Ir;
use crate::ir::features::Language;
use crate::kotlin::filters::TEMPLATES;
use crate::naming::{camel, pascal};
use crate::uniffi::tables;

const ROOT: &str = "bindings/kotlin/src/main/kotlin/generated";
const SERIALIZERS: &str = "bindings/kotlin/serialization/src/main/kotlin/generated/Serializers.kt";
const CALLER: &str = "bindings/kotlin/src/test/java/dev/vitalwire/caller/GeneratedClasses.java";
const EXAMPLES: &str = "bindings/kotlin/src/test/kotlin/generated/ResourceExamples.kt";
const TESTING: &str = "bindings/kotlin/testing/src/main/kotlin/generated";

/// Numbers of the error kinds of the first release, whose exceptions are sealed. Later kinds derive from `Other`, so that they do not break
/// a caller's exhaustive `when`.
const FIRST_KINDS: [u16; 17] = [1001, 1002, 1101, 1102, 1201, 1202, 1203, 1301, 1302, 1303, 1401, 1402, 1501, 1502, 1601, 1602, 1901];

/// Number of the kind `library`, which only this package has: its native library cannot be used. The core has no kind of this number.
const LIBRARY_KIND: u16 = 1902;

/// Generates all files of the package except uniffi's bindings.
///
/// # Errors
/// If a template cannot be rendered, a name of the core has several names in Kotlin, or the number of an error kind is taken.
pub fn emit(ir: &Ir) -> anyhow::Result<Vec<File>> {
    let ir = &ir.for_language(Language::Kotlin);
    let waited = ir.awaitable_records();
    let methods = tables::table_methods(ir, camel);
    let mut files = Vec::new();
    for model in ir.received_models() {
        let record = record::record(model, waited.contains(&model.name.as_str()), &methods);
        files.push(TEMPLATES.file(format!("{ROOT}/records/{}.kt", model.name), "kotlin/Record.kt.j2", record)?);
    }
    for map in &ir.number_maps {
        let values = json!({ "map": map, "keys": ir.open_set(&map.keys) });
        files.push(TEMPLATES.file(format!("{ROOT}/maps/{}.kt", map.name), "kotlin/Numbers.kt.j2", values)?);
    }
    for map in &ir.series_maps {
        files.push(TEMPLATES.file(format!("{ROOT}/maps/{}.kt", map.name), "kotlin/SeriesMap.kt.j2", json!({ "map": map }))?);
    }
    for set in &ir.open_sets {
        files.push(TEMPLATES.file(format!("{ROOT}/sets/{}.kt", set.name), "kotlin/OpenSet.kt.j2", set)?);
    }
    let mut built: Vec<String> = ir.received_models().map(|model| model.name.clone()).collect();
    built.extend(ir.number_maps.iter().map(|map| map.name.clone()).chain(ir.series_maps.iter().map(|map| map.name.clone())));
    let mut others: Vec<String> = ir.open_sets.iter().map(|set| set.name.clone()).collect();
    let resources: Vec<_> = ir.resources();
    for resource in &resources {
        let calls = call::Calls::new(ir, resource);
        let path = |folder: &str| format!("{ROOT}/{folder}/{}.kt", pascal(resource.group));
        files.push(TEMPLATES.file(path("resources"), "kotlin/Resource.kt.j2", &calls)?);
        files.push(TEMPLATES.file(path("async"), "kotlin/AsyncResource.kt.j2", &calls)?);
        for options in &calls.options {
            let path = format!("{ROOT}/options/{}.kt", options.name);
            files.push(TEMPLATES.file(path, "kotlin/CallOptions.kt.j2", json!({ "group": resource.group, "options": options }))?);
            built.push(options.name.clone());
        }
        others.extend([pascal(resource.group), format!("Async{}", pascal(resource.group))]);
    }
    let examples: Vec<_> = resources.iter().map(|resource| (pascal(resource.group), example::lines(ir, resource.group))).collect();
    files.push(TEMPLATES.file(EXAMPLES, "kotlin/ResourceExamples.kt.j2", json!({ "examples": examples }))?);
    files.push(TEMPLATES.file(CALLER, "kotlin/GeneratedClasses.java.j2", json!({ "built": built, "others": others }))?);
    let tables = json!({ "tables": methods, "basis_records": tables::basis_records(ir, camel) });
    files.push(TEMPLATES.file(format!("{ROOT}/Tables.kt"), "kotlin/Tables.kt.j2", tables)?);
    let groups = json!({ "groups": ir.groups(), "has_sync": !ir.cohort_tables.is_empty() });
    files.push(TEMPLATES.file(format!("{ROOT}/VitalwireApi.kt"), "kotlin/VitalwireApi.kt.j2", &groups)?);
    files.push(TEMPLATES.file(format!("{ROOT}/AsyncVitalwireClient.kt"), "kotlin/AsyncVitalwireClient.kt.j2", &groups)?);
    files.push(TEMPLATES.file(format!("{ROOT}/ClientSettings.kt"), "kotlin/ClientSettings.kt.j2", settings::settings(ir))?);
    files.push(TEMPLATES.file(format!("{ROOT}/BaseCallOptions.kt"), "kotlin/BaseCallOptions.kt.j2", settings::call_options())?);
    files.push(TEMPLATES.file(format!("{ROOT}/Names.kt"), "kotlin/Names.kt.j2", json!({ "names": names::names(ir)? }))?);
    if !ir.cohort_tables.is_empty() {
        let kinds = json!({ "tables": ir.cohort_tables });
        files.push(TEMPLATES.file(format!("{ROOT}/RecordKind.kt"), "kotlin/RecordKind.kt.j2", kinds)?);
    }
    let records: Vec<&str> = ir.received_models().map(|model| model.name.as_str()).collect();
    files.push(TEMPLATES.file(SERIALIZERS, "kotlin/Serializers.kt.j2", json!({ "records": records }))?);
    let testing = testing::values(ir);
    files.push(TEMPLATES.file(format!("{TESTING}/Call.kt"), "kotlin/TestingCall.kt.j2", &testing)?);
    files.push(TEMPLATES.file(format!("{TESTING}/Samples.kt"), "kotlin/TestingSamples.kt.j2", &testing)?);
    ensure!(ir.error_kinds.iter().all(|kind| kind.code != LIBRARY_KIND), "the number {LIBRARY_KIND} is that of Kotlin's kind `library`");
    let errors = json!({
        "library": LIBRARY_KIND,
        "fields": settings::error_properties(), "error_kinds": ir.error_kinds, "sealed": FIRST_KINDS, "records": waited,
    });
    files.push(TEMPLATES.file(format!("{ROOT}/VitalwireException.kt"), "kotlin/VitalwireException.kt.j2", &errors)?);
    files.push(TEMPLATES.file(format!("{ROOT}/ErrorKind.kt"), "kotlin/ErrorKind.kt.j2", &errors)?);
    Ok(files)
}

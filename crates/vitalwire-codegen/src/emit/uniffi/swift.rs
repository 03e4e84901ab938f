//! The Swift package: records, maps and open sets as Swift has them, made of what uniffi generates, and resources with their calls.

pub(in crate::emit) mod call;
mod method;
pub(in crate::emit) mod record;
mod settings;
mod testing;

use serde_json::json;

use super::tables;
use crate::emit::File;
use crate::ir::Ir;
use crate::lang::pascal;
use crate::lang::swift::plain;

const ROOT: &str = "bindings/swift/Sources/Vitalwire/Generated";
const TESTING: &str = "bindings/swift/Sources/VitalwireTesting/Generated";

/// Every generated file of the package but those that uniffi makes.
///
/// # Errors
/// Where a template misses a value.
pub(in crate::emit) fn emit(ir: &Ir) -> anyhow::Result<Vec<File>> {
    let mut files = Vec::new();
    for model in ir.models.iter().filter(|model| !model.request) {
        let record = record::Record::new(model);
        files.push(File::rendered(format!("{ROOT}/Records/{}.swift", model.name), "uniffi/swift/Record.swift.j2", record)?);
    }
    for map in &ir.number_maps {
        let values = json!({ "map": map, "keys": ir.open_set(&map.keys) });
        files.push(File::rendered(format!("{ROOT}/Maps/{}.swift", map.name), "uniffi/swift/Numbers.swift.j2", values)?);
    }
    for map in &ir.series_maps {
        files.push(File::rendered(format!("{ROOT}/Maps/{}.swift", map.name), "uniffi/swift/SeriesMap.swift.j2", json!({ "map": map }))?);
    }
    for set in &ir.open_sets {
        files.push(File::rendered(format!("{ROOT}/OpenSets/{}.swift", set.name), "uniffi/swift/OpenSet.swift.j2", set)?);
    }
    for resource in ir.resources() {
        let path = format!("{ROOT}/Resources/{}Resource.swift", pascal(resource.group));
        files.push(File::rendered(path, "uniffi/swift/Resource.swift.j2", call::Calls::new(&resource))?);
        let (name, methods) = (pascal(resource.group), method::Methods::new(ir, &resource));
        for (path, template) in [
            (format!("{ROOT}/Calls/{name}Calls.swift"), "ResourceCalls"),
            (format!("{ROOT}/Protocols/{name}Protocol.swift"), "ResourceProtocol"),
            (format!("{TESTING}/Fakes/{name}Fake.swift"), "Fake"),
        ] {
            files.push(File::rendered(path, &format!("uniffi/swift/{template}.swift.j2"), &methods)?);
        }
    }
    files.push(File::rendered(format!("{ROOT}/Options.swift"), "uniffi/swift/Options.swift.j2", settings::Options::new(ir))?);
    let tables = json!({ "tables": tables::all(ir, plain), "bearers": tables::bearers(ir, plain) });
    files.push(File::rendered(format!("{ROOT}/Tables.swift"), "uniffi/swift/Tables.swift.j2", tables)?);
    let testing = testing::Testing::new(ir);
    files.push(File::rendered(format!("{TESTING}/Call.swift"), "uniffi/swift/Call.swift.j2", &testing)?);
    files.push(File::rendered(format!("{TESTING}/Samples.swift"), "uniffi/swift/Samples.swift.j2", &testing)?);
    let care: Vec<_> = ir.operations.iter().filter(|operation| operation.service == "care").map(|operation| &operation.id).collect();
    let facts = json!({ "facts": settings::Fact::all(), "care": care });
    files.push(File::rendered(format!("{ROOT}/VitalwireError.swift"), "uniffi/swift/VitalwireError.swift.j2", facts)?);
    let kinds = json!({ "error_kinds": ir.error_kinds, "records": ir.waited_records() });
    files.push(File::rendered(format!("{ROOT}/ErrorKind.swift"), "uniffi/swift/ErrorKind.swift.j2", kinds)?);
    Ok(files)
}

//! The Kotlin and Swift façades: resources with named parameters, open sets as types, accessors of known names,
//! redaction against reflection.

use serde_json::json;

use super::answer_name;
use crate::emit::File;
use crate::ir::{Ir, Operation};
use crate::lang::pascal;

const KOTLIN: &str = "bindings/kotlin/src/main/kotlin/generated";
const SWIFT: &str = "bindings/swift/Sources/Vitalwire/Generated";
const SWIFT_FFI: &str = "bindings/swift/Sources/VitalwireFFI/Generated";

pub(super) fn emit(ir: &Ir) -> anyhow::Result<Vec<File>> {
    let resources = ir.resources();
    let all = json!({ "resources": resources });
    let redacted = json!({ "redacted": redacted(ir) });
    let mut files = vec![
        File::rendered(format!("{KOTLIN}/OpenSets.kt"), "uniffi/kotlin/OpenSets.kt.j2", ir)?,
        File::rendered(format!("{KOTLIN}/Maps.kt"), "uniffi/kotlin/Maps.kt.j2", ir)?,
        File::rendered(format!("{KOTLIN}/Resources.kt"), "uniffi/kotlin/Resources.kt.j2", &all)?,
        File::rendered(format!("{SWIFT_FFI}/OpenSets.swift"), "uniffi/swift/OpenSets.swift.j2", ir)?,
        File::rendered(format!("{SWIFT_FFI}/Redaction.swift"), "uniffi/swift/Redaction.swift.j2", &redacted)?,
        File::rendered(format!("{SWIFT}/Maps.swift"), "uniffi/swift/Maps.swift.j2", ir)?,
        File::rendered(format!("{SWIFT}/Resources.swift"), "uniffi/swift/Resources.swift.j2", &all)?,
    ];
    for resource in &resources {
        let name = pascal(resource.group);
        files.push(File::rendered(format!("{KOTLIN}/{name}.kt"), "uniffi/kotlin/Resource.kt.j2", resource)?);
        files.push(File::rendered(format!("{SWIFT}/{name}.swift"), "uniffi/swift/Resource.swift.j2", resource)?);
    }
    Ok(files)
}

/// Swift's `dump` and `Mirror` reflect stored properties; these records show none.
fn redacted(ir: &Ir) -> Vec<String> {
    let records = ir.models.iter().filter(|model| !model.request).map(|model| model.name.clone());
    let maps = ir.number_maps.iter().map(|map| map.name.clone()).chain(ir.series_maps.iter().map(|map| map.name.clone()));
    let params = ir.operations.iter().filter(|operation| !operation.params.is_empty()).map(Operation::type_name);
    let answers = ir.operations.iter().map(answer_name);
    let further = ["CallOptions", "ClientOptions", "ErrorInfo", "WaitedRecord"].map(str::to_owned);
    records.chain(maps).chain(params).chain(answers).chain(ir.redacted.iter().cloned()).chain(further).collect()
}

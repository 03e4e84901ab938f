//! The Kotlin façade: resources with named parameters, open sets as types, accessors of known names.

use serde_json::json;

use crate::emit::File;
use crate::ir::Ir;
use crate::lang::pascal;

const KOTLIN: &str = "bindings/kotlin/src/main/kotlin/generated";

pub(super) fn emit(ir: &Ir) -> anyhow::Result<Vec<File>> {
    let resources = ir.resources();
    let all = json!({ "resources": resources });
    let mut files = vec![
        File::rendered(format!("{KOTLIN}/OpenSets.kt"), "uniffi/kotlin/OpenSets.kt.j2", ir)?,
        File::rendered(format!("{KOTLIN}/Maps.kt"), "uniffi/kotlin/Maps.kt.j2", ir)?,
        File::rendered(format!("{KOTLIN}/Resources.kt"), "uniffi/kotlin/Resources.kt.j2", &all)?,
    ];
    for resource in &resources {
        let name = pascal(resource.group);
        files.push(File::rendered(format!("{KOTLIN}/{name}.kt"), "uniffi/kotlin/Resource.kt.j2", resource)?);
    }
    Ok(files)
}

//! The uniffi wrapper that Swift and Kotlin share: mirror types and calls.

pub(crate) mod convert;
pub(crate) mod mobile;
pub(crate) mod samples;
pub(crate) mod settings;
pub(crate) mod tables;

use serde_json::json;

use crate::file::File;
use crate::ir::Ir;
use crate::naming::snake;
use crate::uniffi::convert::TEMPLATES;

const ROOT: &str = "crates/vitalwire-uniffi/src/generated";

/// Returns all generated files of the wrapper.
///
/// # Errors
/// If a template value is missing.
pub(crate) fn emit(ir: &Ir) -> anyhow::Result<Vec<File>> {
    let ir = &ir.for_language(settings::LANGUAGE);
    let rust = |name: &str| format!("{ROOT}/{name}.rs");
    let mut files = vec![
        TEMPLATES.file(rust("error_kind"), "uniffi/error_kind.rs.j2", ir)?,
        TEMPLATES.file(rust("error_info"), "uniffi/error_info.rs.j2", json!({ "fields": settings::error_fields() }))?,
        TEMPLATES.file(rust("options"), "uniffi/options.rs.j2", json!({ "records": settings::records(ir) }))?,
        TEMPLATES.file(rust("maps"), "uniffi/maps.rs.j2", ir)?,
        TEMPLATES.file(rust("open_sets"), "uniffi/open_sets.rs.j2", ir)?,
        TEMPLATES.file(rust("range_answer"), "uniffi/range_answer.rs.j2", json!({ "resources": ir.resources() }))?,
        TEMPLATES.file(rust("waits"), "uniffi/waits.rs.j2", json!({ "records": ir.awaitable_records() }))?,
    ];
    if !ir.cohort_tables.is_empty() {
        files.push(TEMPLATES.file(rust("record_kind"), "uniffi/record_kind.rs.j2", json!({ "tables": ir.cohort_tables }))?);
    }
    for model in ir.received_models() {
        files.push(TEMPLATES.file(rust(&format!("record_{}", snake(&model.name))), "uniffi/record.rs.j2", model)?);
    }
    for resource in ir.resources() {
        files.push(TEMPLATES.file(rust(&format!("calls_{}", resource.group)), "uniffi/calls.rs.j2", &resource)?);
        if resource.calls.iter().any(|call| !call.operation.params.is_empty()) {
            files.push(TEMPLATES.file(rust(&format!("params_{}", resource.group)), "uniffi/params.rs.j2", &resource)?);
        }
    }
    let mut modules: Vec<&str> = files.iter().filter_map(File::stem).collect();
    modules.sort_unstable();
    // Other files use the models, maps and parameters, but not the calls and tables of kinds.
    let export = "#[allow(unused_imports, reason = \"one list for all\")] pub use";
    let modules = json!({ "about": "Code generated from the specifications.", "module": "mod", "modules": modules, "export": export });
    let module = TEMPLATES.file(rust("mod"), "modules.rs.j2", modules)?;
    files.push(module);
    files.push(TEMPLATES.file("crates/vitalwire-uniffi/uniffi.toml", "uniffi/uniffi.toml.j2", ir)?);
    Ok(files)
}

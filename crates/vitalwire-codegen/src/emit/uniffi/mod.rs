//! The uniffi wrapper: mirrors of the core's types, the calls, and the Swift and Kotlin packages over what uniffi makes of them.

mod convert;
pub(in crate::emit) mod kotlin;
mod mobile;
mod samples;
mod settings;
pub(in crate::emit) mod swift;
mod tables;

use serde_json::json;

use super::File;
use crate::ir::Ir;
use crate::lang::snake;

pub(super) use convert::add_to;

const ROOT: &str = "crates/vitalwire-uniffi/src/generated";

/// Every generated file of the wrapper and its façades.
///
/// # Errors
/// Where a template misses a value.
pub(super) fn emit(ir: &Ir) -> anyhow::Result<Vec<File>> {
    let ir = &ir.of(settings::FACE);
    let rust = |name: &str| format!("{ROOT}/{name}.rs");
    let mut files = vec![
        File::rendered(rust("error_kind"), "uniffi/rust/error_kind.rs.j2", ir)?,
        File::rendered(rust("error_info"), "uniffi/rust/error_info.rs.j2", json!({ "facts": settings::facts() }))?,
        File::rendered(rust("options"), "uniffi/rust/options.rs.j2", json!({ "records": settings::records(ir) }))?,
        File::rendered(rust("maps"), "uniffi/rust/maps.rs.j2", ir)?,
        File::rendered(rust("open_sets"), "uniffi/rust/open_sets.rs.j2", ir)?,
        File::rendered(rust("range_answer"), "uniffi/rust/range_answer.rs.j2", json!({ "resources": ir.resources() }))?,
        File::rendered(rust("waits"), "uniffi/rust/waits.rs.j2", json!({ "records": ir.waited_records() }))?,
    ];
    for model in ir.models.iter().filter(|model| !model.request) {
        files.push(File::rendered(rust(&format!("record_{}", snake(&model.name))), "uniffi/rust/record.rs.j2", model)?);
    }
    for resource in ir.resources() {
        files.push(File::rendered(rust(&format!("calls_{}", resource.group)), "uniffi/rust/calls.rs.j2", &resource)?);
        if resource.calls.iter().any(|call| !call.operation.params.is_empty()) {
            files.push(File::rendered(rust(&format!("params_{}", resource.group)), "uniffi/rust/params.rs.j2", &resource)?);
        }
    }
    let mut modules: Vec<&str> = files.iter().filter_map(File::stem).collect();
    modules.sort_unstable();
    let module = File::rendered(rust("mod"), "uniffi/rust/mod.rs.j2", json!({ "modules": modules }))?;
    files.push(module);
    files.push(File::rendered("crates/vitalwire-uniffi/uniffi.toml", "uniffi/uniffi.toml.j2", ir)?);
    files.extend(kotlin::emit(ir)?);
    files.extend(swift::emit(ir)?);
    Ok(files)
}

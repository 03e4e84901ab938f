//! Generates the responses of every resource for the fuzz targets.

use crate::file::File;
use crate::ir::{Ir, ResponseType};

/// Returns the responses as input of the macro `resources!` in `targets/responses.rs`.
pub(crate) fn emit(ir: &Ir) -> File {
    let lines: String = ir.groups().into_iter().filter_map(|group| line(ir, group)).collect();
    File::new("crates/vitalwire-fuzz/src/targets/generated/responses.rs", format!("//! All responses.\n\nresources! {{\n{lines}}}\n"))
}

/// Returns the line of a resource, with each response type once. `None` if all its calls have empty responses.
fn line(ir: &Ir, group: &str) -> Option<String> {
    let mut responses: Vec<String> = ir
        .operations
        .iter()
        .filter(|operation| operation.group == group)
        .filter_map(|operation| match &operation.response {
            ResponseType::Model(name) => Some(format!("object {name}")),
            ResponseType::List(name) => Some(format!("list {name}")),
            ResponseType::Nothing => None,
        })
        .collect();
    responses.sort();
    responses.dedup();
    (!responses.is_empty()).then(|| format!("    {group}: {};\n", responses.join(", ")))
}

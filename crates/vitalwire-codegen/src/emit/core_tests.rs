//! What the core's tests go through: every model that is received.

use super::File;
use crate::ir::Ir;

/// The models as `models!` of `tests/api/models/mod.rs` takes them.
pub(super) fn emit(ir: &Ir) -> File {
    let names: Vec<&str> = ir.models.iter().filter(|model| !model.request).map(|model| model.name.as_str()).collect();
    File::new("crates/vitalwire/tests/api/generated/models.rs", format!("//! Every model.\n\nmodels! {{\n{}\n}}\n", names.join("\n")))
}

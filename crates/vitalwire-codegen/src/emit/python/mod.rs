//! The Python binding: classes for `crates/vitalwire-python`, and the package's stubs, constants and exports.

mod api;
mod declared;
mod extension;
mod facts;
mod methods;
mod nights;
mod options;
mod package;
mod reach;
mod records;
mod reference;
mod settings;
mod style;
mod tables;
mod uploads;

use super::File;
use crate::ir::Ir;
use crate::ir::faces::Face;

/// Every generated file of the Python binding.
///
/// # Errors
/// Where a template misses a value, or what is declared by hand cannot be read.
pub(super) fn emit(ir: &Ir) -> anyhow::Result<Vec<File>> {
    let ir = &ir.of(Face::Python);
    let api = api::Api::of(ir)?;
    let mut files = extension::emit(ir, &api)?;
    files.extend(package::emit(ir, &api)?);
    files.extend(reference::emit(ir, &api)?);
    Ok(files)
}

//! The Python binding: classes for `crates/vitalwire-python`, and the package's stubs, constants and exports.

mod api;
pub(crate) mod conformance;
mod declarations;
mod error_fields;
mod example;
mod extension;
pub(crate) mod filters;
mod methods;
mod nights;
mod options;
mod package;
mod pages;
mod record_access;
mod records;
mod reference;
mod settings;
mod source;
pub mod spelling;
mod stubs;
mod style;
mod tables;
mod uploads;

use crate::file::File;
use crate::ir::Ir;
use crate::ir::features::Language;

/// Generates all files of the Python binding.
///
/// # Errors
/// If a template lacks a value or a declaration cannot be read.
pub(crate) fn emit(ir: &Ir) -> anyhow::Result<Vec<File>> {
    let ir = &ir.for_language(Language::Python);
    let api = api::Api::collect(ir)?;
    let mut files = extension::emit(ir, &api)?;
    files.extend(package::emit(ir, &api)?);
    files.extend(stubs::emit(ir, &api)?);
    files.extend(reference::emit(ir, &api)?);
    Ok(files)
}

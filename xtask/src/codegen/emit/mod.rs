//! Emitters: from the IR to files, without touching the disk.

mod c;
mod conformance;
pub(crate) mod core;
mod python;
mod sandbox;
pub(crate) mod text;
mod uniffi;

pub(crate) use python::options::CALL_OPTIONS;

use crate::codegen::ir::Ir;
use crate::codegen::spec::Sources;

/// A file to write: path relative to the workspace, and text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct File {
    /// Relative to the workspace.
    pub(crate) path: String,
    /// The whole text.
    pub(crate) text: String,
}

impl File {
    /// A file of a path and its text.
    pub(crate) fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self { path: path.into(), text: text.into() }
    }
}

/// Every stage 1 emitter's files.
///
/// # Errors
/// Where the operations' generator refuses the specification.
pub(crate) fn all(ir: &Ir, sources: &Sources) -> anyhow::Result<Vec<File>> {
    let mut files = core::emit(ir, sources)?;
    files.extend(c::emit(ir)?);
    files.extend(uniffi::emit(ir));
    files.extend(python::emit(ir));
    files.extend(conformance::emit(ir));
    files.extend(sandbox::emit(ir, sources));
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

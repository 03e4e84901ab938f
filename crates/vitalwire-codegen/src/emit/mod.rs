//! Emitters: from the IR to files, without touching the disk.

mod c;
mod conformance;
mod core;
mod python;
mod sandbox;
mod uniffi;

pub(crate) use python::options::CALL_OPTIONS;

use serde::Serialize;

use crate::ir::Ir;
use crate::spec::Sources;
use crate::templates::render;

/// A file to write: path relative to the workspace, and text.
#[derive(Debug, PartialEq, Eq)]
pub struct File {
    /// Relative to the workspace.
    pub path: String,
    /// The whole text.
    pub text: String,
}

impl File {
    /// A file of a path and a template's text with these values.
    ///
    /// # Errors
    /// Where the template misses a value.
    pub(crate) fn rendered(path: impl Into<String>, template: &str, values: impl Serialize) -> anyhow::Result<Self> {
        Ok(Self::new(path, render(template, values)?))
    }

    /// A file of a path and its text.
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self { path: path.into(), text: text.into() }
    }
}

/// Every stage 1 emitter's files.
///
/// # Errors
/// Where the operations' generator refuses the specification.
pub fn all(ir: &Ir, sources: &Sources) -> anyhow::Result<Vec<File>> {
    let mut files = core::emit(ir, sources)?;
    files.extend(c::emit(ir)?);
    files.extend(uniffi::emit(ir)?);
    files.extend(python::emit(ir));
    files.extend(conformance::emit(ir));
    files.extend(sandbox::emit(sources));
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

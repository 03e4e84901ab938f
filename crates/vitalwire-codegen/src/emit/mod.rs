//! Emitters: from the IR to files, without touching the disk.

mod bench;
pub mod c;
mod conformance;
mod core;
mod core_tests;
mod cpp;
mod fuzz;
pub mod package;
mod python;
mod resolved;
mod sandbox;
pub mod templates;
mod uniffi;

use std::path::Path;

use minijinja::Environment;
use serde::Serialize;

use crate::ir::Ir;
use crate::spec::Sources;
use templates::render;

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

    /// The name of a file without folder and ending.
    pub(crate) fn stem(&self) -> Option<&str> {
        Path::new(&self.path).file_stem().and_then(|name| name.to_str())
    }

    /// A file of a path and its text.
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self { path: path.into(), text: text.into() }
    }
}

/// Adds what templates of single targets ask for.
fn add_to(environment: &mut Environment<'_>) {
    core::add_to(environment);
    c::add_to(environment);
    cpp::add_to(environment);
    conformance::add_to(environment);
    uniffi::add_to(environment);
}

/// The files of the Swift package alone.
///
/// # Errors
/// Where a template misses a value.
pub fn swift(ir: &Ir) -> anyhow::Result<Vec<File>> {
    uniffi::swift::emit(&ir.of(crate::ir::faces::Face::Swift))
}

/// The files of the Kotlin package alone.
///
/// # Errors
/// Where a template misses a value.
pub fn kotlin(ir: &Ir) -> anyhow::Result<Vec<File>> {
    uniffi::kotlin::emit(&ir.of(crate::ir::faces::Face::Kotlin))
}

/// Every stage 1 emitter's files.
///
/// # Errors
/// Where the operations' generator refuses the specification.
pub fn all(ir: &Ir, sources: &Sources) -> anyhow::Result<Vec<File>> {
    let mut files = core::emit(ir, sources, "vitalwire")?;
    files.extend(core_tests::emit(ir));
    files.push(fuzz::emit(ir));
    files.push(bench::emit(ir));
    files.extend(c::emit(ir)?);
    files.extend(cpp::emit(ir)?);
    files.extend(uniffi::emit(ir)?);
    files.extend(python::emit(ir)?);
    files.extend(conformance::emit(ir)?);
    files.extend(sandbox::emit(ir, sources)?);
    files.extend(resolved::emit(ir, sources)?);
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

//! Generates a separate crate for integrators, from specifications with their overlays, on top of the engine.

use std::path::Path;

use serde_json::json;

use crate::file::File;
use crate::ir::Ir;
use crate::rust::filters::TEMPLATES;
use crate::spec::Sources;
use crate::{c, kotlin, python, rust, swift, uniffi};

/// A wrapper whose generated sources can be included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrapper {
    /// Accessors and functions of the C ABI.
    C,
    /// Python classes and their type stub.
    Python,
    /// Mirror types for uniffi, and the public APIs in Swift and Kotlin.
    Uniffi,
}

/// Description of the crate to generate.
#[derive(Clone, Debug)]
pub struct Package {
    /// Name of the crate.
    pub name: String,
    /// Wrappers whose sources are included, in `wrappers/`.
    pub wrappers: Vec<Wrapper>,
}

/// Returns all files of the crate. They depend on the engine in the workspace at `root`.
///
/// # Errors
/// If progenitor rejects the specification, or a template value is missing.
pub fn emit(ir: &Ir, sources: &Sources, root: &Path, package: &Package) -> anyhow::Result<Vec<File>> {
    let specifications: Vec<&str> = ir.services.iter().map(|service| service.title.as_str()).collect();
    let manifest = json!({
        "name": package.name,
        "version": env!("CARGO_PKG_VERSION"),
        "engine": root.join("crates/vitalwire-runtime").display().to_string().replace('\\', "/"),
        "specifications": specifications.join(", "),
    });
    let mut files = vec![
        TEMPLATES.file("Cargo.toml", "package/Cargo.toml.j2", &manifest)?,
        TEMPLATES.file("src/lib.rs", "package/lib.rs.j2", &manifest)?,
    ];
    files.extend(rust::emit(ir, sources, &package.name)?);
    for wrapper in &package.wrappers {
        files.extend(match wrapper {
            Wrapper::C => c::emit(ir)?,
            Wrapper::Python => python::emit(ir)?,
            Wrapper::Uniffi => [uniffi::emit(ir)?, kotlin::emit(ir)?, swift::emit(ir)?].concat(),
        });
    }
    for file in &mut files {
        if let Some(below) = file.path.strip_prefix("crates/vitalwire/") {
            file.path = below.to_owned();
        } else if let Some(below) = file.path.strip_prefix("crates/vitalwire-").or_else(|| file.path.strip_prefix("bindings/")) {
            file.path = format!("wrappers/{below}");
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

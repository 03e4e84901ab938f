//! What the sandbox knows of the specifications: copies that it serves beside its page, because a package holds no file from outside of it,
//! and its tables of operations and names. It shares no type with the client.

pub(super) mod example;
mod tables;

use super::{File, resolved};
use crate::ir::Ir;
use crate::spec::Sources;

/// Where the files are.
const FOLDER: &str = "crates/vitalwire-sandbox/src/generated";

/// The specifications as any OpenAPI tool reads them, and the tables.
///
/// # Errors
/// Where a short form cannot be written out, or a template misses a value.
pub(super) fn emit(ir: &Ir, sources: &Sources) -> anyhow::Result<Vec<File>> {
    let mut files = resolved::files(ir, sources, FOLDER)?;
    for (name, values) in [("operations.rs", tables::operations(ir, sources)), ("names.rs", tables::names(ir))] {
        files.push(File::rendered(format!("{FOLDER}/{name}"), &format!("sandbox/{name}.j2"), values)?);
    }
    Ok(files)
}

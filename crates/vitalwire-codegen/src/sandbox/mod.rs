//! What the sandbox knows of the specifications: copies that it serves beside its page, because a package holds no file from outside of it,
//! and its tables of operations and names. It shares no type with the client.

mod tables;
pub(crate) mod templates;

use self::templates::TEMPLATES;
use crate::file::File;
use crate::ir::Ir;
use crate::resolved;
use crate::spec::Sources;

/// Where the files are.
const FOLDER: &str = "crates/vitalwire-sandbox/src/generated";

/// The specifications as any OpenAPI tool reads them, and the tables.
///
/// # Errors
/// Where a short form cannot be written out, or a template misses a value.
pub(crate) fn emit(ir: &Ir, sources: &Sources) -> anyhow::Result<Vec<File>> {
    let mut files = resolved::files(ir, sources, FOLDER)?;
    for (name, values) in [("operations.rs", tables::operations(ir, sources)), ("names.rs", tables::names(ir))] {
        files.push(TEMPLATES.file(format!("{FOLDER}/{name}"), &format!("sandbox/{name}.j2"), values)?);
    }
    Ok(files)
}

//! Generated files of the sandbox: copies of the specifications that it serves, and its tables of operations and names. A package can
//! hold no files from outside its folder, hence the copies. The sandbox shares no types with the client.

mod tables;

use crate::file::File;
use crate::ir::Ir;
use crate::resolved;
use crate::rust::filters::TEMPLATES;
use crate::spec::Sources;

/// Folder of the generated files.
const FOLDER: &str = "crates/vitalwire-sandbox/src/generated";

/// Returns the specifications in plain OpenAPI, and the tables.
///
/// # Errors
/// If a short form cannot be rewritten or a template value is missing.
pub(crate) fn emit(ir: &Ir, sources: &Sources) -> anyhow::Result<Vec<File>> {
    let mut files = resolved::files(ir, sources, FOLDER)?;
    for (name, values) in [("operations.rs", tables::operations(ir, sources)), ("names.rs", tables::names(ir))] {
        files.push(TEMPLATES.file(format!("{FOLDER}/{name}"), &format!("sandbox/{name}.j2"), values)?);
    }
    Ok(files)
}

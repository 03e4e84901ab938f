//! What the sandbox knows of the specifications: copies that it serves beside its page, because a package holds no file from outside of it,
//! and its tables of operations and names. It shares no type with the client.

pub(super) mod example;
mod tables;

use super::File;
use crate::ir::Ir;
use crate::spec::{SERVICES, Sources};

/// Where the files are.
const FOLDER: &str = "crates/vitalwire-sandbox/src/generated";

/// Each base specification as it is, without overlays; and the tables, with them.
///
/// # Errors
/// Where a template misses a value.
pub(super) fn emit(ir: &Ir, sources: &Sources) -> anyhow::Result<Vec<File>> {
    let base = |path: &str| sources.files.iter().find(|(known, _)| known == path);
    let copies = SERVICES
        .iter()
        .filter_map(|(_, path)| base(path))
        .map(|(path, text)| File::new(format!("{FOLDER}/{}", path.rsplit('/').next().unwrap_or(path)), text));
    let mut files: Vec<File> = copies.collect();
    for (name, values) in [("operations.rs", tables::operations(ir, sources)), ("names.rs", tables::names(ir))] {
        files.push(File::rendered(format!("{FOLDER}/{name}"), &format!("sandbox/{name}.j2"), values)?);
    }
    Ok(files)
}

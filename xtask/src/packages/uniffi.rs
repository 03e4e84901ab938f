//! What Swift and Kotlin share: the native library with its echo probe, which nothing that is shipped has, and packages made of a shipped one and
//! the probe's bindings and tests. Each is compiled once, for tests and conformance cases.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use crate::build;
use crate::codegen;
use crate::once::Once;

/// Name of the library's target.
const LIBRARY: &str = "vitalwire_uniffi";

/// The folder of the native library with the probe.
///
/// # Errors
/// Where it does not compile.
pub(crate) fn library_folder(root: &Path) -> anyhow::Result<PathBuf> {
    static MADE: Once<PathBuf> = Once::new();
    let library = MADE.get(|| build::libraries(root)?.dynamic_library(LIBRARY))?;
    Ok(library.parent().context("the library is in no folder")?.to_path_buf())
}

/// Makes `to` hold the package in the folder `from` of the workspace, with bindings that have the probe, these further files: (place in the
/// package, where it comes from), and these that are made: (place in the package, text). `added` is text at the end of bindings. What is the
/// same stays as it is, so that nothing is compiled again for it.
///
/// # Errors
/// Where the bindings cannot be made, or a file cannot be read or written.
pub(super) fn package_with_probe(
    root: &Path,
    from: &str,
    to: &Path,
    folders: &[&str],
    further: &[(&str, &str)],
    made: &[(&str, String)],
    added: &[(&str, &str)],
) -> anyhow::Result<()> {
    let library = library_folder(root)?.join(format!("{}{LIBRARY}{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX));
    let mut files = Vec::new();
    for file in codegen::uniffi_bindings(root, &library)? {
        if let Ok(place) = Path::new(&file.path).strip_prefix(from) {
            let more = added.iter().filter(|(to, _)| place == Path::new(to)).map(|(_, text)| *text);
            files.push((to.join(place), more.fold(file.text, |text, more| text + more).into_bytes()));
        }
    }
    for (place, origin) in further {
        files.push((to.join(place), fs::read(root.join(from).join(origin)).with_context(|| format!("reading {from}/{origin}"))?));
    }
    files.extend(made.iter().map(|(place, text)| (to.join(place), text.clone().into_bytes())));
    let keep: Vec<&Path> = files.iter().map(|(path, _)| path.as_path()).collect();
    for folder in folders {
        mirror(&root.join(from).join(folder), &to.join(folder), &keep)?;
    }
    files.iter().try_for_each(|(path, bytes)| write(path, bytes))
}

/// Makes a folder hold what another holds, beside what else `keep` names.
///
/// # Errors
/// Where a file cannot be read or written.
pub(super) fn mirror(from: &Path, to: &Path, keep: &[&Path]) -> anyhow::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(to)? {
        let path = entry?.path();
        let other = path.strip_prefix(to).map(|below| from.join(below))?;
        if !other.exists() && !keep.iter().any(|kept| kept.starts_with(&path)) {
            if path.is_dir() { fs::remove_dir_all(&path)? } else { fs::remove_file(&path)? }
        }
    }
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (path, other) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            mirror(&path, &other, keep)?;
        } else if !keep.contains(&other.as_path()) {
            write(&other, &fs::read(&path)?)?;
        }
    }
    Ok(())
}

/// Writes a file unless it is as it should be.
///
/// # Errors
/// Where it cannot be written.
pub(super) fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    if fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    Ok(fs::write(path, bytes)?)
}

//! The native library under Swift and Kotlin with its echo probe, which nothing that is shipped has.

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::test::step::{Context, must};

/// The library with the probe, in a folder of its own. Made once for each run of this program, however many steps ask for it; the
/// library without the probe has to be built after it.
pub(super) fn probe(context: &Context) -> anyhow::Result<PathBuf> {
    static MADE: Mutex<Option<PathBuf>> = Mutex::new(None);
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(library) = &*made {
        return Ok(library.clone());
    }
    must(context.cargo().args(["build", "--package", "vitalwire-uniffi", "--lib", "--features", "__probe"]))?;
    let name = format!("{DLL_PREFIX}vitalwire_uniffi{DLL_SUFFIX}");
    let folder = context.target.join("probe");
    fs::create_dir_all(&folder)?;
    let library = folder.join(&name);
    fs::copy(context.target.join("debug").join(&name), &library)?;
    Ok(made.insert(library).clone())
}

/// Makes a folder hold what another holds, beside what else `keep` names. What is the same stays as it is, so that nothing is built
/// again for it.
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

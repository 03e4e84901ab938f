//! Collects the contents of a jar: a manifest, licences, and the files of folders.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, ensure};

use crate::archive::zip;
use crate::folder;
use crate::kotlin::maven::FOLDER;
use crate::notices;

/// Returns every file below a folder, except licences, which are the same for every archive and come from the workspace.
///
/// # Errors
/// If the folder has no file.
pub(super) fn read(from: &Path) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
    let mut files = folder::contents(from)?;
    ensure!(!files.is_empty(), "{} is empty", from.display());
    files.retain(|(name, _)| !name.starts_with("META-INF/LICENSE-") && !name.starts_with("META-INF/THIRD-PARTY-"));
    Ok(files)
}

/// Returns licences and notices by name.
///
/// # Errors
/// If a licence cannot be read.
pub(super) fn licences(root: &Path) -> anyhow::Result<Vec<(&'static str, Vec<u8>)>> {
    let read = |name| Ok((name, fs::read(root.join(FOLDER).join(name)).with_context(|| format!("reading {name}"))?));
    notices::FILES.into_iter().map(read).collect()
}

/// Returns the manifest of an artifact's jar, with its path.
pub(super) fn manifest(artifact: &str, version: &str) -> (String, Vec<u8>) {
    let text = format!("Manifest-Version: 1.0\r\nImplementation-Title: {artifact}\r\nImplementation-Version: {version}\r\n\r\n");
    (zip::MANIFEST.to_owned(), text.into_bytes())
}

//! Copies of the Swift and Kotlin packages with test-only functions, which no release has. Each is compiled once, for tests and conformance
//! cases.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use super::bindings::{Generator, Probe, build_library, generate_with};

/// Returns the folder of the native library with the test-only functions.
///
/// # Errors
/// If the library does not compile.
pub(crate) fn library_folder(root: &Path) -> anyhow::Result<PathBuf> {
    Ok(build_library(root)?.parent().context("the library has no folder")?.to_path_buf())
}

/// A copy of a package of the workspace whose bindings have the test-only functions.
pub(crate) struct ProbePackage<'a> {
    /// The package's folder in the workspace.
    pub(crate) from: &'a str,
    /// The copy's folder.
    pub(crate) to: &'a Path,
    pub(crate) generator: &'a Generator,
    /// Folders to copy.
    pub(crate) folders: &'a [&'a str],
    /// Files to copy: path in the copy, and in the package.
    pub(crate) files: &'a [(&'a str, &'a str)],
    /// Files to write: path in the copy, and text.
    pub(crate) written: &'a [(&'a str, String)],
    /// Text to append to generated files: path in the copy, and text.
    pub(crate) added: &'a [(&'a str, &'a str)],
}

impl ProbePackage<'_> {
    /// Writes the copy. Unchanged files are kept, so that nothing is recompiled for them. Returns whether a file has changed.
    ///
    /// # Errors
    /// If the bindings cannot be generated, or a file cannot be read or written.
    pub(crate) fn write(&self, root: &Path) -> anyhow::Result<bool> {
        let mut files = Vec::new();
        for file in generate_with(root, self.generator, Probe::Included)? {
            if let Ok(place) = Path::new(&file.path).strip_prefix(self.from) {
                let more = self.added.iter().filter(|(to, _)| place == Path::new(to)).map(|(_, text)| *text);
                files.push((self.to.join(place), more.fold(file.text, |text, more| text + more).into_bytes()));
            }
        }
        for (place, origin) in self.files {
            let origin = root.join(self.from).join(origin);
            files.push((self.to.join(place), fs::read(&origin).with_context(|| format!("reading {}", origin.display()))?));
        }
        files.extend(self.written.iter().map(|(place, text)| (self.to.join(place), text.clone().into_bytes())));
        let keep: Vec<&Path> = files.iter().map(|(path, _)| path.as_path()).collect();
        let mut changed = false;
        for folder in self.folders {
            changed |= mirror(&root.join(self.from).join(folder), &self.to.join(folder), &keep)?;
        }
        for (path, bytes) in &files {
            changed |= write(path, bytes)?;
        }
        Ok(changed)
    }
}

/// Copies a folder's content and removes everything else, except the paths in `keep`. Returns whether a file has changed.
///
/// # Errors
/// If a file cannot be read or written.
pub(crate) fn mirror(from: &Path, to: &Path, keep: &[&Path]) -> anyhow::Result<bool> {
    let mut changed = false;
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(to)? {
        let path = entry?.path();
        let other = path.strip_prefix(to).map(|below| from.join(below))?;
        if !other.exists() && !keep.iter().any(|kept| kept.starts_with(&path)) {
            if path.is_dir() {
                fs::remove_dir_all(&path)?
            } else {
                fs::remove_file(&path)?
            }
            changed = true;
        }
    }
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (path, other) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            changed |= mirror(&path, &other, keep)?;
        } else if !keep.contains(&other.as_path()) {
            changed |= write(&other, &fs::read(&path)?)?;
        }
    }
    Ok(changed)
}

/// Writes a file, unless it has this content already. Returns whether it was written.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<bool> {
    if fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(false);
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, bytes)?;
    Ok(true)
}

//! Collects the contents of a jar: a manifest, licences, and the files of folders.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, ensure};

use super::documentation;
use crate::archive::zip;
use crate::folder;
use crate::kotlin::maven::FOLDER;
use crate::notices;

pub(super) struct JarFiles<'a> {
    root: &'a Path,
    version: &'a str,
    artifact: String,
    files: Vec<(String, Vec<u8>)>,
}

impl<'a> JarFiles<'a> {
    /// Creates an empty list.
    pub(super) fn new(root: &'a Path, version: &'a str, artifact: &str) -> Self {
        Self { root, version, artifact: artifact.to_owned(), files: Vec::new() }
    }

    /// Adds every file below a folder.
    ///
    /// # Errors
    /// If the folder has no file.
    pub(super) fn folder(&mut self, from: &Path) -> anyhow::Result<()> {
        // Take licences from the workspace, the same for every archive.
        let own = |name: &str| !name.starts_with("META-INF/LICENSE-") && !name.starts_with("META-INF/THIRD-PARTY-");
        self.files.extend(read(from)?.into_iter().filter(|(name, _)| own(name)));
        Ok(())
    }

    /// Adds the pages that Dokka wrote into a folder.
    ///
    /// # Errors
    /// If the folder has no page, or a file of an unknown kind.
    pub(super) fn documentation(&mut self, from: &Path) -> anyhow::Result<()> {
        self.files.extend(documentation::pages(read(from)?)?);
        Ok(())
    }

    /// Returns all files, with manifest and licences.
    ///
    /// # Errors
    /// If a licence cannot be read.
    pub(super) fn files(mut self) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
        let licences = licences(self.root)?;
        self.files.extend(licences.into_iter().map(|(name, text)| (format!("META-INF/{name}"), text)));
        Ok(self.files_without_licences())
    }

    /// Returns all files with a manifest but without licences, for a jar within an archive that has them.
    pub(super) fn files_without_licences(mut self) -> Vec<(String, Vec<u8>)> {
        self.files.push((zip::MANIFEST.to_owned(), manifest(&self.artifact, self.version).into_bytes()));
        self.files
    }
}

/// Returns licences and notices by name.
///
/// # Errors
/// If a licence cannot be read.
pub(super) fn licences(root: &Path) -> anyhow::Result<Vec<(&'static str, Vec<u8>)>> {
    let read = |name| Ok((name, fs::read(root.join(FOLDER).join(name)).with_context(|| format!("reading {name}"))?));
    notices::FILES.into_iter().map(read).collect()
}

/// Reads all files below a folder. Fails if the folder has no file.
fn read(folder: &Path) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
    let found = folder::contents(folder)?;
    ensure!(!found.is_empty(), "{} is empty", folder.display());
    Ok(found)
}

fn manifest(artifact: &str, version: &str) -> String {
    let lines =
        ["Manifest-Version: 1.0", &format!("Implementation-Title: {artifact}"), &format!("Implementation-Version: {version}"), "", ""];
    lines.join("\r\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_names_the_artifact() {
        let expected = "Manifest-Version: 1.0\r\nImplementation-Title: vitalwire-testing\r\nImplementation-Version: 1.2.3\r\n\r\n";
        assert_eq!(manifest("vitalwire-testing", "1.2.3"), expected);
    }
}

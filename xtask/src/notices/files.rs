//! Finds the licence files of a package, in its own folder and below.

use std::path::Path;

use anyhow::Context as _;
use cargo_metadata::Package;

use super::graph::label;

/// Prefixes of licence file names, in lower case.
const NAMES: [&str; 6] = ["licence", "license", "copying", "copyright", "notice", "unlicense"];

/// File endings that a licence file never has: `license.rs` is code.
const CODE: [&str; 9] = ["c", "h", "html", "json", "lock", "py", "rs", "sh", "toml"];

/// Folders without linked code.
const SKIPPED_FOLDERS: [&str; 7] = ["bench", "benches", "examples", "fuzz", "target", "test", "tests"];

#[derive(Clone, Debug)]
pub(super) struct LicenceFile {
    /// Path relative to the package, with `/`.
    pub(super) path: String,
    pub(super) text: String,
}

impl LicenceFile {
    /// Whether the licence is for bundled third-party code.
    pub(super) fn is_third_party(&self) -> bool {
        self.path.contains('/') || self.path.to_lowercase().contains("third")
    }
}

/// Returns all licence files, in order.
///
/// # Errors
/// If the folder cannot be read.
pub(super) fn licence_files(package: &Package) -> anyhow::Result<Vec<LicenceFile>> {
    let folder = package.manifest_path.parent().context("the manifest has no folder")?.as_std_path();
    let mut paths = Vec::new();
    find(folder, "", &mut paths).with_context(|| format!("reading the sources of {}", label(package)))?;
    let named = package.license_file.as_ref().map(|path| path.as_str().replace('\\', "/"));
    paths.extend(named.filter(|path| folder.join(path).is_file()));
    paths.sort();
    paths.dedup();
    let read = |path: String| Ok(LicenceFile { text: decode(&std::fs::read(folder.join(&path))?), path });
    paths.into_iter().map(read).collect()
}

fn find(folder: &Path, below: &str, paths: &mut Vec<String>) -> anyhow::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        // Do not follow links: published packages have none, and they could form cycles.
        let kind = entry.file_type()?;
        if kind.is_dir() {
            if !name.starts_with('.') && !SKIPPED_FOLDERS.contains(&name.as_str()) {
                find(&entry.path(), &format!("{below}{name}/"), paths)?;
            }
        } else if kind.is_file() && is_licence(&name) {
            paths.push(format!("{below}{name}"));
        }
    }
    Ok(())
}

fn is_licence(name: &str) -> bool {
    let name = name.to_lowercase();
    let code = name.rsplit_once('.').is_some_and(|(_, end)| CODE.contains(&end));
    !code && NAMES.iter().any(|start| name.starts_with(start))
}

/// Decodes UTF-8, or else Latin-1, in which old files have accented names.
fn decode(bytes: &[u8]) -> String {
    let text = std::str::from_utf8(bytes).map_or_else(|_| bytes.iter().map(|&byte| char::from(byte)).collect(), str::to_owned);
    text.trim_start_matches('\u{feff}').replace("\r\n", "\n").replace('\r', "\n")
}

//! Licence files of a package, in its own folder and below.

use std::path::Path;

use anyhow::Context as _;
use cargo_metadata::Package;

use super::graph::label;

/// How the name of such a file begins, in lower case.
const NAMES: [&str; 6] = ["licence", "license", "copying", "copyright", "notice", "unlicense"];

/// What such a file never ends with: `license.rs` is a program.
const CODE: [&str; 9] = ["c", "h", "html", "json", "lock", "py", "rs", "sh", "toml"];

/// Folders with nothing that is linked.
const APART: [&str; 7] = ["bench", "benches", "examples", "fuzz", "target", "test", "tests"];

/// A licence file.
#[derive(Clone, Debug)]
pub(super) struct File {
    /// Relative to the package, with `/`.
    pub(super) path: String,
    pub(super) text: String,
}

impl File {
    /// Whether it speaks of code that the package holds, and not of the package.
    pub(super) fn is_of_others(&self) -> bool {
        self.path.contains('/') || self.path.to_lowercase().contains("third")
    }
}

/// All of them, in order.
///
/// # Errors
/// Where the folder cannot be read.
pub(super) fn of(package: &Package) -> anyhow::Result<Vec<File>> {
    let folder = package.manifest_path.parent().context("a manifest without a folder")?.as_std_path();
    let mut paths = Vec::new();
    find(folder, "", &mut paths).with_context(|| format!("reading the sources of {}", label(package)))?;
    let named = package.license_file.as_ref().map(|path| path.as_str().replace('\\', "/"));
    paths.extend(named.filter(|path| folder.join(path).is_file()));
    paths.sort();
    paths.dedup();
    let read = |path: String| Ok(File { text: decoded(&std::fs::read(folder.join(&path))?), path });
    paths.into_iter().map(read).collect()
}

fn find(folder: &Path, below: &str, paths: &mut Vec<String>) -> anyhow::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        // Links are not followed: no published package has any, and they could lead in circles.
        let kind = entry.file_type()?;
        if kind.is_dir() {
            if !name.starts_with('.') && !APART.contains(&name.as_str()) {
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

/// Text of any age: UTF-8, or else Latin-1, in which old names have their accents.
fn decoded(bytes: &[u8]) -> String {
    let text = std::str::from_utf8(bytes).map_or_else(|_| bytes.iter().map(|&byte| char::from(byte)).collect(), str::to_owned);
    text.trim_start_matches('\u{feff}').replace("\r\n", "\n").replace('\r', "\n")
}

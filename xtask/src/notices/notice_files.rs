//! Files that cargo-about does not read: NOTICE files, and licences of code that a package bundles.

use std::path::Path;

use anyhow::Context as _;
use cargo_metadata::Package;

use crate::folder;

/// Prefixes of licence file names, in lower case.
const NAMES: [&str; 6] = ["licence", "license", "copying", "copyright", "notice", "unlicense"];

/// File endings that a licence file never has: `license.rs` is code.
const CODE: [&str; 9] = ["c", "h", "html", "json", "lock", "py", "rs", "sh", "toml"];

/// Parts of the names of files with one licence of a choice, such as `LICENSE-MIT`.
const CHOICES: [&str; 9] = ["0bsd", "apache", "boost", "bsd", "isc", "llvm", "mit", "unlicense", "zlib"];

/// Folders without linked code.
const SKIPPED_FOLDERS: [&str; 7] = ["bench", "benches", "examples", "fuzz", "target", "test", "tests"];

/// Returns the licence files of a package as (path, text), without licences that were not chosen. `is_identified` is whether cargo-about
/// found the file of the chosen one.
///
/// # Errors
/// If a file cannot be read.
pub(super) fn notice_files(package: &Package, is_identified: bool) -> anyhow::Result<Vec<(String, String)>> {
    let folder = package.manifest_path.parent().context("the manifest has no folder")?.as_std_path();
    let has_choice = is_identified && package.license.as_ref().is_some_and(|licence| licence.contains(" OR ") || licence.contains('/'));
    let mut found = Vec::new();
    for file in folder::files(folder)? {
        let name = folder::relative_name(&file, folder)?;
        if applies(&name, has_choice) {
            found.push((name, decode(&file)?));
        }
    }
    Ok(found)
}

/// Whether a file is a licence or notice that applies to all users of a package. Of a package with a choice of licences, files that are
/// named after a licence may be of one that was not chosen.
fn applies(name: &str, has_choice: bool) -> bool {
    let name = name.to_lowercase();
    let (folders, file) = name.rsplit_once('/').unwrap_or(("", &name));
    let is_skipped = |folder: &str| folder.starts_with('.') || SKIPPED_FOLDERS.contains(&folder);
    let is_code = file.rsplit_once('.').is_some_and(|(_, end)| CODE.contains(&end));
    let is_licence = !is_code && NAMES.iter().any(|start| file.starts_with(start)) && !folders.split('/').any(is_skipped);
    let is_choice = has_choice && folders.is_empty() && CHOICES.iter().any(|licence| file.contains(licence));
    is_licence && !is_choice
}

/// Reads UTF-8, or else Latin-1, in which old files have accented names.
fn decode(file: &Path) -> anyhow::Result<String> {
    let bytes = std::fs::read(file).with_context(|| format!("reading {}", file.display()))?;
    let text = String::from_utf8(bytes).unwrap_or_else(|error| error.as_bytes().iter().map(|&byte| char::from(byte)).collect());
    Ok(text.trim_start_matches('\u{feff}').replace("\r\n", "\n").replace('\r', "\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notices_and_licences_of_bundled_code_apply_whatever_is_chosen() {
        for name in [
            "NOTICE",
            "Notice.md",
            "COPYRIGHT",
            "COPYING",
            "LICENSE.httprouter",
            "LICENSE-THIRD-PARTY",
            "src/spin/LICENSE",
            "docs/license-mit",
        ] {
            assert!(applies(name, true) && applies(name, false), "{name}");
        }
        for name in ["LICENSE-MIT", "license-apache-2.0", "LICENSE.0BSD", "UNLICENSE"] {
            assert!(!applies(name, true) && applies(name, false), "{name}");
        }
        for name in ["src/license.rs", "tests/LICENSE", "README.md", "LICENSE.json", ".github/LICENSE", "src/tests/a/COPYING"] {
            assert!(!applies(name, true) && !applies(name, false), "{name}");
        }
    }

    #[test]
    fn old_encodings_and_line_ends_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("COPYING");
        std::fs::write(&file, b"\xa9 1999 J\xf6rn\r\n").unwrap();
        assert_eq!(decode(&file).unwrap(), "© 1999 Jörn\n");
    }
}

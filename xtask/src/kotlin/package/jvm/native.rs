//! Builds the native library of a desktop system, at JNA's path in a jar.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};

use crate::cargo;
use crate::folder;
use crate::kotlin::maven::FOLDER;
use crate::kotlin::package::repository::{CRATE, LIBRARY};
use crate::native::linker::{self, LinkInput, Linker};
use crate::native::{self, Optimization, System};
use crate::uniffi::SERVER_FEATURE;
use crate::versions;

/// Systems by their JNA names, with prefix and suffix of a library's file name.
const SYSTEMS: [(&str, &str, &str); 6] = [
    ("darwin-aarch64", "lib", ".dylib"),
    ("darwin-x86-64", "lib", ".dylib"),
    ("linux-aarch64", "lib", ".so"),
    ("linux-x86-64", "lib", ".so"),
    ("win32-aarch64", "", ".dll"),
    ("win32-x86-64", "", ".dll"),
];

/// Builds the library for this system below `folder`, in JNA's folder, and returns its path. On Linux, writes an archive with its debug
/// information below `debug`.
///
/// # Errors
/// If a build or a check fails.
pub(super) fn build(
    root: &Path,
    target: &Path,
    functions: &BTreeSet<String>,
    glibc: Option<(u32, u32)>,
    folder: &Path,
    debug: &Path,
) -> anyhow::Result<PathBuf> {
    let parts = target.join("jvm-package-parts");
    let linker = Linker::new(root, target, System::Native, glibc)?;
    let built = native::build_library(root, target, CRATE, &[SERVER_FEATURE], Optimization::Speed, &linker)?;
    let (system, name) = current_system()?;
    let made = folder.join(system).join(&name);
    fs::create_dir_all(made.parent().context("the library has no folder")?)?;
    fs::create_dir_all(&parts)?;
    if let Some((shared, _)) = &built.shared {
        fs::copy(shared, &made)?;
        return Ok(made);
    }
    let linked = parts.join(&name);
    linker.link(&LinkInput { archive: &built.archive, functions, native: &built.native, name: &name }, &linked)?;
    linker.check_exports(&linked, true, functions)?;
    linker::check_glibc(&linked, glibc)?;
    fs::copy(&linked, &made)?;
    fs::create_dir_all(debug)?;
    let archive = format!("vitalwire-jvm-debug-{}-{}", versions::workspace(root)?, cargo::host_triple()?);
    linker::archive_debug_files(&[("", &linked)], &archive, &root.join(FOLDER), debug)?;
    Ok(made)
}

/// Returns the libraries below a folder, by their names in a jar.
///
/// # Errors
/// If the folder has other files.
pub(super) fn find(folder: &Path) -> anyhow::Result<Vec<(String, PathBuf)>> {
    let mut found = Vec::new();
    for file in folder::files(folder)? {
        let name = folder::relative_name(&file, folder)?;
        ensure!(SYSTEMS.iter().any(|system| path(system) == name), "{name} must be at a path at which JNA looks");
        found.push((name, file));
    }
    Ok(found)
}

/// Returns JNA's path of the library for a system.
fn path((system, before, after): &(&str, &str, &str)) -> String {
    format!("{system}/{before}{LIBRARY}{after}")
}

/// Returns this system's folder and library name.
fn current_system() -> anyhow::Result<(&'static str, String)> {
    let system = match std::env::consts::OS {
        "macos" => "darwin",
        "windows" => "win32",
        other => other,
    };
    let own = format!("{system}-{}", std::env::consts::ARCH.replace('_', "-"));
    match SYSTEMS.iter().find(|(known, ..)| *known == own) {
        Some((known, before, after)) => Ok((known, format!("{before}{LIBRARY}{after}"))),
        None => bail!("{own} is not supported: SYSTEMS does not list it"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_are_found_at_the_paths_of_jna() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        };
        for system in &SYSTEMS {
            write(&path(system));
        }
        let names: Vec<String> = find(folder.path()).unwrap().into_iter().map(|(name, _)| name).collect();
        assert_eq!(names.len(), SYSTEMS.len());
        assert!(names.contains(&"win32-x86-64/vitalwire_uniffi.dll".to_owned()), "{names:?}");
        assert!(names.contains(&"darwin-aarch64/libvitalwire_uniffi.dylib".to_owned()), "{names:?}");
        write("linux-x86-64/libother.so");
        assert!(find(folder.path()).unwrap_err().to_string().starts_with("linux-x86-64/libother.so must be"));
    }
}

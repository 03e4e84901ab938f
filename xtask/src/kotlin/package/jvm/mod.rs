//! `cargo xtask package jvm`: builds a Maven repository with the jars of the Kotlin package and its companion artifacts.

mod native;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::ensure;
use clap::Args;

use crate::build::target;
use crate::folder;
use crate::kotlin::package::artifacts::{PARTS, compile_artifacts};
use crate::kotlin::package::repository::{Artifact, Packaging, Repository, server_functions};
use crate::language::PackageArguments;
use crate::native::linker;
use crate::paths::{PrivatePaths, SearchScope};
use crate::versions;

/// Build the release jars for desktop JVMs, with the native library for this system.
#[derive(Debug, Args)]
pub(crate) struct Jvm {
    /// Maven repository to write. Defaults to `jvm-package/repository` in the target folder.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Minimum glibc version, such as 2.17, linked with Zig (from PyPI). Defaults to this system's, linked with `cc` or CC.
    #[arg(long, value_name = "VERSION", value_parser = linker::parse_glibc_version)]
    glibc: Option<(u32, u32)>,
    /// Write only the library of this system into this folder, and its debug information into the target folder. Pass the folder to
    /// `--libraries` later.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["out", "libraries"])]
    library_to: Option<PathBuf>,
    /// Folder with the libraries of several systems, written with `--library-to`. Defaults to building this system's library.
    #[arg(long, value_name = "FOLDER", conflicts_with = "glibc")]
    libraries: Option<PathBuf>,
}

impl PackageArguments for Jvm {
    fn run(&self, root: &Path) -> anyhow::Result<()> {
        let target = target(root)?;
        if let Some(folder) = &self.library_to {
            let made = native::build(root, &target, &server_functions(root)?, self.glibc, folder, &target.join(DEBUG))?;
            check_paths(root, &target, &made)?;
            crate::print_line(&format!("library {} ({} bytes)", made.display(), fs::metadata(&made)?.len()));
            return Ok(());
        }
        let out = self.out.clone().unwrap_or_else(|| target.join("jvm-package/repository"));
        for jar in package(root, &target, &out, self.libraries.as_deref(), self.glibc)? {
            crate::print_line(&format!("jar {} ({} bytes)", jar.display(), fs::metadata(&jar)?.len()));
        }
        Ok(())
    }
}

/// Folder of the archive with debug information, below the target folder.
pub(crate) const DEBUG: &str = "jvm-package/debug";

/// Classes that use Android's API. Only the AAR contains them.
const ANDROID_ONLY: &str = "dev/vitalwire/ContentUploads";

/// Builds the artifacts and writes the repository at `out`. Returns the jars of classes.
///
/// # Errors
/// If a build or a check fails.
pub(crate) fn package(
    root: &Path,
    target: &Path,
    out: &Path,
    libraries: Option<&Path>,
    glibc: Option<(u32, u32)>,
) -> anyhow::Result<Vec<PathBuf>> {
    let version = versions::workspace(root)?;
    let folder = match libraries {
        Some(folder) => folder.to_path_buf(),
        None => {
            let folder = target.join("jvm-package/libraries");
            folder::remove(&folder)?;
            native::build(root, target, &server_functions(root)?, glibc, &folder, &target.join(DEBUG))?;
            folder
        }
    };
    let found = native::find(&folder)?;
    ensure!(!found.is_empty(), "no library in {}", folder.display());
    let compiled = compile_artifacts(root, target)?;
    let repository = Repository { root, folder: out, version: &version };
    repository.write_bom()?;
    let mut jars = Vec::new();
    for (part, name) in PARTS {
        let artifact = Artifact { part, name, packaging: Packaging::Jar, compiled: &compiled };
        let mut files = repository.classes(&artifact)?;
        files.retain(|(name, _)| !name.starts_with(ANDROID_ONLY));
        if part.is_empty() {
            for (name, file) in &found {
                files.push((name.clone(), fs::read(file)?));
                crate::print_line(&format!("{name} is in the jar ({} bytes)", fs::metadata(file)?.len()));
            }
        }
        jars.push(repository.write(&artifact, files)?);
    }
    check_paths(root, target, out)?;
    Ok(jars)
}

fn check_paths(root: &Path, target: &Path, made: &Path) -> anyhow::Result<()> {
    let named = PrivatePaths::new(root, target)?.search(made, SearchScope::Everything)?;
    ensure!(named.is_empty(), "paths of this machine:\n  {}", named.join("\n  "));
    Ok(())
}

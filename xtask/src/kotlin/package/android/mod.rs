//! `cargo xtask package android`: builds the AAR of the Kotlin package without Gradle, with sources, documentation and a POM, in a Maven
//! repository.

mod aar;
mod abis;
mod checks;
mod elf;
mod jna;
mod toolchain;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::ensure;
use clap::Args;
use clap::builder::PossibleValuesParser;

use crate::build::target;
use crate::kotlin::maven::FOLDER;
use crate::kotlin::package::artifacts::{CONSENT, PARTS, compile_artifacts};
use crate::kotlin::package::repository::{Artifact, Packaging, Repository, functions};
use crate::language::PackageArguments;
use crate::native::linker;
use crate::paths::{PrivatePaths, SearchScope};
use crate::versions;
pub(crate) use aar::RULES;
use abis::{ABIS, Abi};
use toolchain::Toolchain;

/// Folder of the archive with debug information, below the target folder.
pub(crate) const DEBUG: &str = "android-package/debug";

/// Maximum size of an AAR without its libraries, in bytes.
const MAX_BYTES_WITHOUT_LIBRARIES: usize = 1_500_000;

/// Build the release AAR for Android and check its libraries.
#[derive(Debug, Args)]
pub(crate) struct Android {
    /// Maven repository to write. Defaults to `android-package/repository` in the target folder.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Android ABIs to include. Defaults to all.
    #[arg(long, value_delimiter = ',', value_name = "ABI,...", value_parser = PossibleValuesParser::new(ABIS.map(|abi| abi.name)))]
    only: Vec<String>,
}

impl PackageArguments for Android {
    fn run(&self, root: &Path) -> anyhow::Result<()> {
        let target = target(root)?;
        let out = self.out.clone().unwrap_or_else(|| target.join("android-package/repository"));
        package(root, &target, &out, &abis::select(&self.only))
    }
}

/// Builds the AAR for all ABIs into a Maven repository.
///
/// # Errors
/// If a build or a check fails.
pub(crate) fn package_all(root: &Path, target: &Path, out: &Path) -> anyhow::Result<()> {
    package(root, target, out, &abis::select(&[]))
}

/// Writes the AAR into the Maven repository `out`, and the archive with its debug information below [`DEBUG`].
fn package(root: &Path, target: &Path, out: &Path, abis: &[&'static Abi]) -> anyhow::Result<()> {
    let libraries = libraries(root, target, &target.join("android-package"), abis)?;
    let version = versions::workspace(root)?;
    let compiled = compile_artifacts(root, target)?;
    let (part, name) = PARTS[0];
    let artifact = Artifact { part, name, packaging: Packaging::Aar, compiled: &compiled };
    let repository = Repository { root, folder: out, version: &version };
    let files = aar::files(&repository, &artifact, &libraries)?;
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    crate::print_line(&format!("the AAR has {}", names.join(" ")));
    let beyond = aar::size_without_libraries(&files)?;
    ensure!(
        beyond <= MAX_BYTES_WITHOUT_LIBRARIES,
        "the AAR without its libraries has {beyond} bytes; at most {MAX_BYTES_WITHOUT_LIBRARIES} are allowed"
    );
    let aar = repository.write(&artifact, files)?;
    let consent = Artifact { part: CONSENT.0, name: CONSENT.1, packaging: Packaging::Jar, compiled: &compiled };
    repository.write(&consent, repository.classes(&consent)?)?;
    let linked: Vec<(&str, &Path)> = libraries.iter().map(|(abi, library)| (abi.name, library.as_path())).collect();
    let debug = format!("vitalwire-android-debug-{version}");
    linker::archive_debug_files(&linked, &debug, &root.join(FOLDER), &target.join(DEBUG))?;
    for folder in [out, &target.join(DEBUG)] {
        let named = PrivatePaths::new(root, target)?.search(folder, SearchScope::Everything)?;
        ensure!(named.is_empty(), "paths of this machine:\n  {}", named.join("\n  "));
    }
    crate::print_line(&format!("aar {} ({} bytes, {beyond} without libraries)", aar.display(), fs::metadata(&aar)?.len()));
    Ok(())
}

/// Writes the AAR without its libraries into a Maven repository. Tests on a JVM use a desktop library.
///
/// # Errors
/// If the classes cannot be built.
pub(crate) fn without_libraries(root: &Path, target: &Path, out: &Path) -> anyhow::Result<PathBuf> {
    let (version, compiled) = (versions::workspace(root)?, compile_artifacts(root, target)?);
    let (part, name) = PARTS[0];
    let artifact = Artifact { part, name, packaging: Packaging::Aar, compiled: &compiled };
    let repository = Repository { root, folder: out, version: &version };
    repository.write(&artifact, aar::files(&repository, &artifact, &[])?)
}

/// Builds and checks the native libraries for the given ABIs. Also checks JNA's libraries for them.
fn libraries(root: &Path, target: &Path, folder: &Path, abis: &[&'static Abi]) -> anyhow::Result<Vec<(&'static Abi, PathBuf)>> {
    let functions = functions(root)?;
    fs::create_dir_all(folder)?;
    let jna = jna::download(root, folder)?;
    let toolchain = Toolchain::find(root, target)?;
    let mut libraries = Vec::new();
    for &abi in abis {
        let made = toolchain.build(abi, &functions)?;
        let bytes = fs::read(&made.library)?;
        let library = elf::read(&bytes)?;
        let mut findings = checks::check_library(&library, bytes.len(), &toolchain::file_name(), abi, &functions);
        findings.extend(jna::findings(&jna, abi)?);
        ensure!(findings.is_empty(), "{}: the library must not be released:\n  {}", abi.name, findings.join("\n  "));
        let needed: Vec<&str> = library.needed.iter().map(String::as_str).collect();
        crate::print_line(&format!("{}: {} bytes, aligned to {}, needs {}", abi.name, bytes.len(), library.alignment, needed.join(" ")));
        if let Some(printed) = toolchain.run_emulated(abi, &made.unpacked)? {
            crate::print_line(&format!("{}: loaded and called on this machine: {}", abi.name, printed.trim()));
        }
        libraries.push((abi, made.library));
    }
    Ok(libraries)
}

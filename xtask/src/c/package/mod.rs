//! `cargo xtask package c`: builds a relocatable archive of headers, static and shared library, files for CMake, Meson and pkg-config,
//! examples and licences.

mod library;
mod tree;

use std::path::{Path, PathBuf};

use anyhow::ensure;
use clap::Args;

use crate::archive::tar;
use crate::build::target;
use crate::folder;
use crate::language::{Package, PackageArguments};
use crate::native::linker::{self, Linker};
use crate::native::{self, Optimization, System};
use crate::paths::{PrivatePaths, SearchScope};
use crate::versions;

/// The crate of the package.
const PACKAGE: &str = "vitalwire-c";

/// Subcommands of `cargo xtask package`.
pub(super) const PACKAGES: [Package; 1] = [Package::new::<C>("c")];

/// Build the release package for C and C++ and check its libraries.
#[derive(Debug, Args)]
struct C {
    /// Output folder. Defaults to `c-package` in the target folder.
    #[arg(long)]
    out: Option<PathBuf>,
    /// System of the libraries. Systems other than this machine's require Linux.
    #[arg(long, value_enum, default_value = "native")]
    system: System,
    /// Minimum glibc version, such as 2.17, linked with Zig (from PyPI). Defaults to this system's, linked with `cc` or CC.
    #[arg(long, value_name = "VERSION", value_parser = linker::parse_glibc_version)]
    glibc: Option<(u32, u32)>,
    /// Optimize for size, as for phones, instead of speed.
    #[arg(long)]
    small: bool,
}

impl PackageArguments for C {
    fn run(&self, root: &Path) -> anyhow::Result<()> {
        let target = target(root)?;
        let out = self.out.clone().unwrap_or_else(|| target.join("c-package"));
        let optimization = if self.small { Optimization::Size } else { Optimization::Speed };
        for archive in package(root, &target, &out, optimization, self.system, self.glibc)?.all() {
            crate::print_line(&format!("archive  {} ({} bytes)", archive.display(), std::fs::metadata(archive)?.len()));
        }
        Ok(())
    }
}

/// Archives of the package and of its debug information.
pub(super) struct Archives {
    pub(super) package: PathBuf,
    debug: Option<PathBuf>,
}

impl Archives {
    pub(super) fn all(&self) -> impl Iterator<Item = &PathBuf> {
        std::iter::once(&self.package).chain(&self.debug)
    }
}

/// Builds the package for a system and lays it out below `out`.
///
/// # Errors
/// If a build or a check fails.
pub(super) fn package(
    root: &Path,
    target: &Path,
    out: &Path,
    optimization: Optimization,
    system: System,
    glibc: Option<(u32, u32)>,
) -> anyhow::Result<Archives> {
    let parts = target.join("c-package-parts");
    folder::remove(&parts)?;
    let linker = Linker::new(root, target, system, glibc)?;
    let built = native::build_library(root, target, PACKAGE, &[], optimization, &linker)?;
    let version = versions::workspace(root)?;
    let libraries = library::build(root, &built, &linker, &version, &parts)?;
    linker::check_glibc(&libraries.shared, glibc)?;
    let folder = tree::write(root, &libraries, system, &version, out)?;
    let named = PrivatePaths::new(root, target)?.search(&folder, SearchScope::Everything)?;
    ensure!(named.is_empty(), "paths of this machine:\n  {}", named.join("\n  "));
    let archive = out.join(format!("{}.tar.gz", folder.file_name().unwrap_or_default().display()));
    std::fs::write(&archive, tar::archive(&folder)?)?;
    let debug = format!("vitalwire-c-debug-{version}-{}", system.triple()?);
    let debug = linker::archive_debug_files(&[("", &libraries.shared)], &debug, &root.join(library::FOLDER), out)?;
    Ok(Archives { package: archive, debug })
}

//! `cargo xtask package apple`: the Swift package with its library for iOS, simulators and macOS.

mod checks;
mod library;
mod macho;
mod manifest;
mod privacy;
mod slices;
mod symbol_lists;
mod toolchain;
mod tree;
mod xcframework;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use clap::Args;

use crate::build::target;
use crate::language::{Package, PackageArguments};
use crate::paths::{PrivatePaths, SearchScope};
use crate::swift::layout::{FOLDER, HEADER, MANIFEST, SERVER_HEADER};

use library::LibraryBuilder;
pub(crate) use library::{Library, Sizes};
pub(crate) use slices::names as slice_names;
use slices::{SLICES, Slice};
use toolchain::Toolchain;

/// Prefixes of the functions in the header.
const FUNCTIONS: [&str; 2] = ["ffi_vitalwire_uniffi_", "uniffi_vitalwire_uniffi_"];

/// Subcommands of `cargo xtask package`.
pub(super) const PACKAGES: [Package; 1] = [Package::new::<Apple>("apple")];

/// Build the release Swift package for Apple's systems and check its libraries.
#[derive(Debug, Args)]
struct Apple {
    /// Output folder. Defaults to `apple` in the target folder.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Slices to include. Defaults to all.
    #[arg(long, value_delimiter = ',', value_name = "SLICE,...", value_parser = slices::names())]
    only: Vec<String>,
    /// URL of the archive, which the manifest names with its checksum. Defaults to an XCFramework in the package.
    #[arg(long)]
    url: Option<String>,
}

impl PackageArguments for Apple {
    fn run(&self, root: &Path) -> anyhow::Result<()> {
        let target = target(root)?;
        let out = self.out.clone().unwrap_or_else(|| target.join("apple"));
        let libraries = libraries(root, &target, &self.only)?;
        fs::create_dir_all(&out)?;
        let tree = tree::write(root, &libraries, self.url.as_deref(), &out)?;
        let private = PrivatePaths::new(root, &target)?;
        for made in [&tree.package, &tree.debug] {
            let named = private.search(made, SearchScope::Everything)?;
            ensure!(named.is_empty(), "paths of this machine:\n  {}", named.join("\n  "));
        }
        for library in &libraries {
            let Sizes { shipped, linked } = library.sizes;
            crate::print_line(&format!("{}: {shipped} bytes, {linked} in an application", library.name()));
        }
        crate::print_line(&format!("package  {}", tree.package.display()));
        crate::print_line(&format!("archive  {}", tree.archive.display()));
        crate::print_line(&format!("debug    {}", tree.debug.display()));
        crate::print_line(&format!("checksum {}", tree.checksum));
        Ok(())
    }
}

impl Library {
    pub(crate) fn name(&self) -> &'static str {
        self.slice.identifier
    }
}

/// Builds and checks the libraries of slices with these names, or of all if there are none.
///
/// # Errors
/// If a build or a check fails.
pub(crate) fn libraries(root: &Path, target: &Path, names: &[String]) -> anyhow::Result<Vec<Library>> {
    let slices = SLICES.iter().filter(|slice| names.is_empty() || names.iter().any(|name| name == slice.identifier));
    let undeclared = privacy::undeclared_in_swift(root)?;
    ensure!(undeclared.is_empty(), "required-reason APIs must be declared in PrivacyInfo.xcprivacy:\n  {}", undeclared.join("\n  "));
    let manifest = fs::read_to_string(root.join(FOLDER).join(MANIFEST))?;
    let toolchain = Toolchain::find(root, target)?;
    let folder = target.join("cross/apple");
    let build = |slice: &'static Slice| {
        let builder = LibraryBuilder { root, folder: &folder, toolchain: &toolchain, exported: &exported(root, slice)? };
        builder.build(slice, manifest::minimum_version(&manifest, slice.platform.manifest)?)
    };
    slices.map(build).collect()
}

/// Returns the functions that Swift calls in a slice, by their linker names.
fn exported(root: &Path, slice: &Slice) -> anyhow::Result<BTreeSet<String>> {
    let mut all = BTreeSet::new();
    for header in headers(slice.platform.server) {
        all.append(&mut functions(&fs::read_to_string(root.join(header)).with_context(|| format!("reading {header}"))?));
    }
    Ok(all)
}

/// Returns the headers of a library with or without the functions for servers.
fn headers(server: bool) -> impl Iterator<Item = &'static str> {
    std::iter::once(HEADER).chain(server.then_some(SERVER_HEADER))
}

/// Returns the functions that a header declares, by their names for Apple's linkers.
fn functions(header: &str) -> BTreeSet<String> {
    let words = header.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    words.filter(|word| FUNCTIONS.iter().any(|start| word.starts_with(start))).map(|word| format!("_{word}")).collect()
}

/// Returns the functions that a header declares.
pub(super) fn header_functions(header: &str) -> BTreeSet<String> {
    functions(header).into_iter().map(|name| name.trim_start_matches('_').to_owned()).collect()
}

/// Writes the released package, whose manifest names the archive with the libraries for Apple's systems at `url`. Returns the package and
/// the archives of these libraries, without and with line tables. `linux_only` leaves out the libraries and the archives.
///
/// # Errors
/// If a build or a check fails.
pub(super) fn write_release(
    root: &Path,
    target: &Path,
    url: &str,
    linux_only: bool,
    out: &Path,
) -> anyhow::Result<(PathBuf, Option<[PathBuf; 2]>)> {
    let libraries = if linux_only { Vec::new() } else { libraries(root, target, &[])? };
    let tree = tree::write(root, &libraries, Some(url), out)?;
    Ok((tree.package, (!linux_only).then_some([tree.archive, tree.debug])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_a_header_are_found() {
        let header = "#ifndef UNIFFI_FFIDEF_UNIFFI_VITALWIRE\nvoid*_Nonnull uniffi_vitalwire_uniffi_fn_clone(void*_Nonnull p);\n\
                      uint32_t ffi_vitalwire_uniffi_uniffi_contract_version(void\n);\n";
        let expected = ["_ffi_vitalwire_uniffi_uniffi_contract_version", "_uniffi_vitalwire_uniffi_fn_clone"];
        assert_eq!(functions(header), expected.map(str::to_owned).into());
    }
}

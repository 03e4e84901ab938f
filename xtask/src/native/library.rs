//! Release libraries, optimized and without paths of this machine.

use std::path::{Path, PathBuf};

use anyhow::Context as _;

use super::linker::Linker;
use super::system::System;
use crate::cargo;
use crate::paths::release_rustflags;
use crate::process::execute;

/// Prefix of rustc's line with the system libraries that a static library needs.
const LIBRARIES: &str = "note: native-static-libs: ";

/// The goal of optimization.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Optimization {
    /// Speed. Size is reduced only where that costs no speed.
    Speed,
    /// Size, as for phones.
    Size,
}

impl Optimization {
    const fn profile(self) -> &'static str {
        match self {
            Self::Speed => "wheel",
            Self::Size => "mobile",
        }
    }
}

/// Cargo's output for a release library.
pub(crate) struct ReleaseLibrary {
    /// The static library.
    pub(crate) archive: PathBuf,
    /// The shared library and its import library, if this machine has Windows. Elsewhere the shared library is linked from the static one.
    pub(crate) shared: Option<(PathBuf, PathBuf)>,
    /// Linker options for the system libraries that the static library needs.
    pub(crate) native: String,
}

/// Builds the library of a crate with these features, for the system of the linker. The linker also compiles C code.
///
/// # Errors
/// If it does not compile.
pub(crate) fn build_library(
    root: &Path,
    target: &Path,
    krate: &str,
    features: &[&str],
    optimization: Optimization,
    linker: &Linker,
) -> anyhow::Result<ReleaseLibrary> {
    let (folder, system) = (target.join("alone"), linker.system());
    let triple = system.triple()?;
    let cargo = if system == System::Native { cargo::program() } else { "cargo".into() };
    let mut cargo = system.command(root, target, cargo.as_ref())?;
    cargo.current_dir(root).env_remove("RUSTC_WORKSPACE_WRAPPER");
    cargo.args(["rustc", "--locked", "--target-dir"]).arg(&folder).args(system.cargo_options()?);
    cargo.args(["--profile", optimization.profile(), "--package", krate, "--lib", "--features", &features.join(",")]);
    cargo.env("CARGO_ENCODED_RUSTFLAGS", release_rustflags(root, target)?);
    cargo.env(format!("CC_{}", triple.replace('-', "_")), linker.program());
    if cfg!(target_os = "linux") {
        cargo.envs(debug_variables(optimization.profile()));
    }
    cargo.args(if cfg!(windows) { &["--crate-type", "staticlib,cdylib"][..] } else { &["--crate-type", "staticlib"] });
    let native = native_libraries(&execute(cargo.args(["--", "--print", "native-static-libs"]))?)?;
    let name = krate.replace('-', "_");
    let folder = if system == System::Native { folder } else { folder.join(triple) };
    let made = |before: &str, after: &str| folder.join(optimization.profile()).join(format!("{before}{name}{after}"));
    if cfg!(windows) {
        return Ok(ReleaseLibrary { archive: made("", ".lib"), shared: Some((made("", ".dll"), made("", ".dll.lib"))), native });
    }
    Ok(ReleaseLibrary { archive: made("lib", ".a"), shared: None, native })
}

/// Returns environment variables that make cargo and maturin write line tables, which are split off on Linux. C code gets no line tables,
/// because they would contain paths of this machine.
pub(crate) fn debug_variables(profile: &str) -> [(String, &'static str); 3] {
    let setting = |name: &str| format!("CARGO_PROFILE_{}_{name}", profile.to_uppercase());
    [(setting("DEBUG"), "line-tables-only"), (setting("STRIP"), "none"), ("CFLAGS".to_owned(), "-g0")]
}

/// Returns the system libraries in rustc's output.
///
/// # Errors
/// If the output has none.
pub(crate) fn native_libraries(output: &str) -> anyhow::Result<String> {
    output
        .lines()
        .find_map(|line| line.strip_prefix(LIBRARIES))
        .map(str::to_owned)
        .context("rustc printed no line `note: native-static-libs`")
}

//! Libraries as they are shipped, optimised, for this system, with no path of this machine in them.

use std::path::{Path, PathBuf};

use anyhow::Context as _;

use crate::cargo;
use crate::paths::shipped_rustflags;
use crate::process::must;

/// What rustc writes before the system libraries that a static library needs.
const LIBRARIES: &str = "note: native-static-libs: ";

/// What comes first in what is shipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aim {
    /// Speed; as small as it goes without being slower.
    Speed,
    /// Size, as for phones.
    Size,
}

impl Aim {
    /// The profile of cargo.
    const fn profile(self) -> &'static str {
        match self {
            Self::Speed => "wheel",
            Self::Size => "mobile",
        }
    }
}

/// What cargo built of a library to be shipped.
pub(crate) struct Built {
    /// The static library.
    pub(crate) archive: PathBuf,
    /// On Windows also the shared one and its import library. Elsewhere it is linked from the static one.
    pub(crate) shared: Option<(PathBuf, PathBuf)>,
    /// System libraries that the static library needs, as a linker is told them.
    pub(crate) native: String,
}

/// The library of a crate. What is C in it is compiled by a compiler that is given.
///
/// # Errors
/// Where it does not compile.
pub(crate) fn library(root: &Path, target: &Path, krate: &str, aim: Aim, compiler: &Path) -> anyhow::Result<Built> {
    let target = target.join("alone");
    let mut cargo = cargo::command();
    cargo.current_dir(root).args(["rustc", "--locked", "--profile", aim.profile(), "--package", krate, "--lib"]);
    cargo.arg("--target-dir").arg(&target).env("CARGO_ENCODED_RUSTFLAGS", shipped_rustflags(root)?).env("CC", compiler);
    cargo.args(if cfg!(windows) { &["--crate-type", "staticlib,cdylib"][..] } else { &["--crate-type", "staticlib"] });
    let native = native_libraries(&must(cargo.args(["--", "--print", "native-static-libs"]))?)?;
    let name = krate.replace('-', "_");
    let made = |before: &str, after: &str| target.join(aim.profile()).join(format!("{before}{name}{after}"));
    if cfg!(windows) {
        return Ok(Built { archive: made("", ".lib"), shared: Some((made("", ".dll"), made("", ".dll.lib"))), native });
    }
    Ok(Built { archive: made("lib", ".a"), shared: None, native })
}

/// What rustc said of the system libraries.
///
/// # Errors
/// Where it said nothing of them.
pub(crate) fn native_libraries(output: &str) -> anyhow::Result<String> {
    output.lines().find_map(|line| line.strip_prefix(LIBRARIES)).map(str::to_owned).context("rustc named no native libraries")
}

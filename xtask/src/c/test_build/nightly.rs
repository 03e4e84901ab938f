//! cargo of a nightly toolchain that also compiles the standard library.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Context as _;

use crate::cargo;
use crate::process::{execute, has};
use crate::toolchain::{BUILD_STD, CrossToolchain};

/// Returns the missing tool, with the command that installs it.
pub(super) fn missing() -> Option<&'static str> {
    let nightly =
        || Command::new("rustup").args(["run", "nightly", "rustc", "--version"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    let all = has("rustup") && nightly().is_ok_and(|status| status.success());
    (!all).then_some("no nightly compiler; run `rustup toolchain install nightly --component rust-src`")
}

/// Returns a cargo command for a target, with its own target folder below `sanitized`. The caller adds arguments.
///
/// # Errors
/// If there are no sources of a standard library.
pub(super) fn cargo(root: &Path, target: &Path, triple: &str, folder: &Path, command: &str) -> anyhow::Result<Command> {
    let mut cargo = cargo::clean_command("rustup");
    // These variables select the toolchain that built xtask.
    for name in ["CARGO", "RUSTC", "RUSTC_WORKSPACE_WRAPPER", "RUSTUP_TOOLCHAIN"] {
        cargo.env_remove(name);
    }
    cargo.current_dir(root).args(["run", "nightly", "cargo", command, "--locked"]).args(BUILD_STD);
    cargo.args(["--target", triple, "--target-dir"]).arg(folder);
    if let Some(sources) = sources(root, target)? {
        // cargo has no stable setting for the location of the standard library's sources.
        cargo.env("__CARGO_TESTS_ONLY_SRC_ROOT", sources);
    }
    Ok(cargo)
}

/// Returns the toolchain's folder.
///
/// # Errors
/// If no nightly toolchain is installed.
pub(super) fn sysroot() -> anyhow::Result<PathBuf> {
    let output = execute(Command::new("rustup").args(["run", "nightly", "rustc", "--print", "sysroot"]).env_remove("RUSTUP_TOOLCHAIN"))?;
    Ok(output.lines().next().context("rustc does not print its sysroot")?.into())
}

/// Returns the folder of the standard library's sources. If the toolchain has none, uses Debian's, which are similar enough.
fn sources(root: &Path, target: &Path) -> anyhow::Result<Option<PathBuf>> {
    if sysroot()?.join("lib/rustlib/src/rust/library/Cargo.lock").is_file() {
        return Ok(None);
    }
    let copy = target.join("sanitized/library");
    if !copy.join("Cargo.lock").is_file() {
        std::fs::create_dir_all(target.join("sanitized"))?;
        let own = CrossToolchain::find_or_create(root, target, "a standard library's sources")?;
        execute(own.command("sh").args(["-c", "cp -rL /usr/src/rustc-*/library \"$1\"", "sh"]).arg(&copy))?;
    }
    Ok(Some(copy))
}

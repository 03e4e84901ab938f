//! cargo of a nightly toolchain that also compiles the standard library.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use anyhow::Context as _;

use crate::cargo;
use crate::process::{execute, has};
use crate::toolchain::{BUILD_STD, CrossToolchain};

/// Returns the missing tool, with the command that installs it.
pub(crate) fn missing() -> Option<&'static str> {
    let nightly =
        || Command::new("rustup").args(["run", "nightly", "rustc", "--version"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    let all = has("rustup") && nightly().is_ok_and(|status| status.success());
    (!all).then_some("no nightly compiler; run `rustup toolchain install nightly --component rust-src`")
}

/// Returns a cargo command for a target, with its own target folder. The caller adds arguments.
///
/// # Errors
/// If there are no sources of a standard library.
pub(crate) fn cargo(root: &Path, target: &Path, triple: &str, folder: &Path, command: &str) -> anyhow::Result<Command> {
    let mut cargo = self::command(root, target, "cargo".as_ref())?;
    cargo.current_dir(root).args([command, "--locked"]).args(BUILD_STD).args(["--target", triple, "--target-dir"]).arg(folder);
    Ok(cargo)
}

/// Returns a command for cargo of the toolchain, or for a program that calls it.
///
/// # Errors
/// If there are no sources of a standard library.
pub(crate) fn command(root: &Path, target: &Path, program: &Path) -> anyhow::Result<Command> {
    let mut command = cargo::clean_command("rustup");
    // These variables select the toolchain that built xtask.
    for name in ["CARGO", "RUSTC", "RUSTC_WORKSPACE_WRAPPER", "RUSTUP_TOOLCHAIN"] {
        command.env_remove(name);
    }
    command.args(["run", "nightly"]).arg(program);
    if let Some(sources) = sources(root, target)? {
        // cargo has no stable setting for the location of the standard library's sources.
        command.env("__CARGO_TESTS_ONLY_SRC_ROOT", sources);
    }
    Ok(command)
}

/// Returns the toolchain's folder.
///
/// # Errors
/// If no nightly toolchain is installed.
pub(crate) fn sysroot() -> anyhow::Result<PathBuf> {
    let output = execute(Command::new("rustup").args(["run", "nightly", "rustc", "--print", "sysroot"]).env_remove("RUSTUP_TOOLCHAIN"))?;
    Ok(output.lines().next().context("rustc does not print its sysroot")?.into())
}

/// Returns the folder of the standard library's sources. If the toolchain has none, uses those of Debian.
fn sources(root: &Path, target: &Path) -> anyhow::Result<Option<PathBuf>> {
    // Languages are built in parallel.
    static COPYING: Mutex<()> = Mutex::new(());
    let _guard = COPYING.lock().unwrap_or_else(PoisonError::into_inner);
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

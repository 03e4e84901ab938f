//! The toolchain that the project makes for itself (xtask/cross), for systems whose makers' tools are not here.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail};

use crate::cargo;
use crate::paths;
use crate::process::must;

/// Exit status of with-targets where this machine can have no toolchain.
const UNAVAILABLE: i32 = 69;

/// What has cargo build a standard library from its sources: Debian's rustc has that of other systems as sources alone.
/// As phones want it: unwinding, small code rather than fast sorting, and no reader of debug information, which no library that is shipped has.
pub(crate) const BUILD_STD: [&str; 4] = ["-Z", "build-std=std,panic_unwind", "-Z", "build-std-features=panic-unwind,optimize_for_size"];

/// A script that runs a program where the tools are.
pub(crate) struct CrossToolchain {
    root: PathBuf,
    /// Folder that must be shown inside: the target folder may be outside the workspace.
    shown: PathBuf,
    script: PathBuf,
}

impl CrossToolchain {
    /// The toolchain, made where it can be and is not there yet. `what` it is for is in the error.
    ///
    /// # Errors
    /// Where this machine can have none.
    pub(crate) fn made(root: &Path, target: &Path, what: &str) -> anyhow::Result<Self> {
        let script = root.join("xtask/cross/with-targets");
        let prepared = Command::new(&script).arg("--prepare").current_dir(root).stdin(Stdio::null()).status();
        match prepared.context("with-targets cannot be started")?.code() {
            Some(0) => Ok(Self { root: root.to_path_buf(), shown: target.to_path_buf(), script }),
            Some(UNAVAILABLE) => bail!("no toolchain for {what}, and none can be made here"),
            _ => bail!("with-targets failed"),
        }
    }

    /// A program of it.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = cargo::caller(&self.script);
        command.current_dir(&self.root).env("VITALWIRE_CROSS_BINDS", &self.shown).arg(program);
        command
    }

    /// A variable that is set where the tools are.
    ///
    /// # Errors
    /// Where it is not set.
    pub(crate) fn variable(&self, name: &str) -> anyhow::Result<PathBuf> {
        Ok(must(self.command("printenv").arg(name))?.trim().into())
    }

    /// What rustc is told where something is built for phones, as the value of `CARGO_ENCODED_RUSTFLAGS`. Places in the
    /// sources, which panics name on standard error, would be 100 KB of a library.
    ///
    /// # Errors
    /// Where cargo has no folder inside.
    pub(crate) fn rustflags(&self) -> anyhow::Result<OsString> {
        let mut flags = paths::phone_rustflags_with(&self.root, &self.variable("CARGO_HOME")?);
        flags.push("\x1f-Zlocation-detail=none");
        Ok(flags)
    }
}

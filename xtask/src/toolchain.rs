//! The project's own toolchain (xtask/cross), for systems without the vendor's tools.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail};

use crate::cargo;
use crate::paths;
use crate::process::execute;

/// Exit status of with-targets if no toolchain is available on this machine.
const UNAVAILABLE: i32 = 69;

/// Options with which cargo builds the standard library, because Debian's rustc has only its sources for other systems.
/// Optimized for phones: with unwinding, small code instead of fast sorting, and without a reader of debug information.
pub(crate) const BUILD_STD: [&str; 4] = ["-Z", "build-std=std,panic_unwind", "-Z", "build-std-features=panic-unwind,optimize_for_size"];

/// A script that runs programs with the toolchain.
pub(crate) struct CrossToolchain {
    root: PathBuf,
    /// Folder to mount, because the target folder may be outside the workspace.
    mounted: PathBuf,
    script: PathBuf,
}

impl CrossToolchain {
    /// Returns the toolchain. Creates it if necessary. `what` names its purpose in errors.
    ///
    /// # Errors
    /// If none is available on this machine.
    pub(crate) fn find_or_create(root: &Path, target: &Path, what: &str) -> anyhow::Result<Self> {
        let script = root.join("xtask/cross/with-targets");
        let prepared = Command::new(&script).arg("--prepare").current_dir(root).stdin(Stdio::null()).status();
        match prepared.context("with-targets cannot be started")?.code() {
            Some(0) => Ok(Self { root: root.to_path_buf(), mounted: target.to_path_buf(), script }),
            Some(UNAVAILABLE) => {
                bail!("the toolchain for {what} is missing and cannot be installed here; xtask/cross/with-targets lists the requirements")
            }
            _ => bail!("with-targets failed; its output is above"),
        }
    }

    /// Returns a command of the toolchain.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = cargo::clean_command(&self.script);
        command.current_dir(&self.root).env("VITALWIRE_CROSS_BINDS", &self.mounted).arg(program);
        command
    }

    /// Returns an environment variable of the toolchain.
    ///
    /// # Errors
    /// If it is not set.
    pub(crate) fn variable(&self, name: &str) -> anyhow::Result<PathBuf> {
        Ok(execute(self.command("printenv").arg(name))?.trim().into())
    }

    /// Returns rustc's options for phones, as the value of `CARGO_ENCODED_RUSTFLAGS`. They drop source locations of panics, which would
    /// take 100 KB.
    ///
    /// # Errors
    /// If cargo has no folder in the toolchain.
    pub(crate) fn rustflags(&self) -> anyhow::Result<OsString> {
        let mut flags = paths::phone_rustflags_with(&self.root, &self.variable("CARGO_HOME")?);
        flags.push("\x1f-Zlocation-detail=none");
        Ok(flags)
    }
}

//! The judge of the conformance cases, which starts the languages' runners.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::build;

/// Name of the package and of its program.
pub(crate) const PACKAGE: &str = "vitalwire-conformance";

/// Builds the judge.
///
/// # Errors
/// If it does not compile.
pub(crate) fn program(root: &Path) -> anyhow::Result<PathBuf> {
    build::program(root, PACKAGE)
}

/// Returns the command of the judge without runners, for the cases whose id matches a pattern.
pub(crate) fn command(root: &Path, program: &Path, case: &str) -> Command {
    let mut command = Command::new(program);
    command.arg("--root").arg(root).args(["run", "--case", case]);
    command
}

//! Programs of the workspace, built to be run by a command.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};

/// Builds a package's programs, alone, so that no other package's features are built in. Where one of them is.
///
/// # Errors
/// Where it cannot be built.
pub(crate) fn build(root: &Path, package: &str, options: &[&str]) -> anyhow::Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["build", "--quiet", "--package", package, "--message-format", "json"]).args(options).current_dir(root);
    let output = command.stderr(Stdio::inherit()).output()?;
    ensure!(output.status.success(), "{package} cannot be built");
    let built = String::from_utf8(output.stdout)?
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .find_map(|message| message.get("executable")?.as_str().map(PathBuf::from));
    built.context("cargo named no program")
}

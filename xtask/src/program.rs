//! Programs and libraries of the workspace, built to be run by a command.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, ensure};
use serde_json::Value;

use crate::cargo;

/// Builds a package's programs, alone, so that no other package's features are built in. Where one of them is.
///
/// # Errors
/// Where it cannot be built.
pub(crate) fn build(root: &Path, package: &str, options: &[&str]) -> anyhow::Result<PathBuf> {
    let messages = messages(root, package, options)?;
    let program = messages.iter().find_map(|message| message.get("executable")?.as_str().map(PathBuf::from));
    program.context("cargo named no program")
}

/// Builds a package's library that other languages load, in the same way. Where it is.
///
/// # Errors
/// Where it cannot be built.
pub(crate) fn library(root: &Path, package: &str, options: &[&str]) -> anyhow::Result<PathBuf> {
    let messages = messages(root, package, &[options, &["--lib"]].concat())?;
    let files = messages.iter().filter_map(|message| message.get("filenames")?.as_array()).flatten().filter_map(Value::as_str);
    let library = files.filter(|file| file.contains(&package.replace('-', "_"))).find(|file| file.ends_with(std::env::consts::DLL_SUFFIX));
    library.map(PathBuf::from).context("cargo named no library")
}

/// What cargo says while it builds.
fn messages(root: &Path, package: &str, options: &[&str]) -> anyhow::Result<Vec<Value>> {
    let mut command = cargo::command();
    command.args(["build", "--quiet", "--package", package, "--message-format", "json"]).args(options).current_dir(root);
    let output = command.stderr(Stdio::inherit()).output()?;
    ensure!(output.status.success(), "{package} cannot be built");
    Ok(String::from_utf8(output.stdout)?.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
}

//! Commands of cargo, and of programs that call it.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::Command;

use anyhow::Context as _;
use cargo_metadata::{MetadataCommand, Package};

use crate::process::execute;

/// Prefixes of the environment variables that `cargo run` sets to describe the package.
const PACKAGE_VARIABLES: [&str; 2] = ["CARGO_MANIFEST_", "CARGO_PKG_"];

/// Returns the cargo that runs this program, or the one on PATH.
pub(crate) fn program() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

pub(crate) fn command() -> Command {
    clean_command(program())
}

/// Returns a command for a program that calls cargo, without the variables of this package. Build scripts depend on them (ring's on
/// `CARGO_MANIFEST_DIR`), so cargo would rebuild nearly everything whenever they are added or removed.
pub(crate) fn clean_command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os().filter(|(name, _)| is_package_variable(name)) {
        command.env_remove(name);
    }
    command
}

/// Returns `cargo metadata` of the workspace at `root`, without network.
pub(crate) fn metadata(root: &Path) -> MetadataCommand {
    let mut command = MetadataCommand::new();
    command.cargo_path(program()).current_dir(root).other_options(["--locked".to_owned(), "--offline".to_owned()]);
    command
}

/// Returns the members of the workspace at `root`, by name.
///
/// # Errors
/// If cargo cannot read their manifests.
pub(crate) fn members(root: &Path) -> anyhow::Result<Vec<Package>> {
    let mut members = metadata(root).no_deps().exec()?.packages;
    members.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(members)
}

/// Returns a member's folder, relative to the workspace at `root`.
///
/// # Errors
/// If the folder is not below `root`.
pub(crate) fn folder<'a>(member: &'a Package, root: &Path) -> anyhow::Result<&'a Path> {
    let folder = member.manifest_path.parent().context("the manifest has no folder")?;
    folder.as_std_path().strip_prefix(root).with_context(|| format!("{folder} is not below {}", root.display()))
}

/// Returns rustc's name of this system.
///
/// # Errors
/// If rustc cannot be started.
pub(crate) fn host_triple() -> anyhow::Result<String> {
    Ok(execute(Command::new("rustc").args(["--print", "host-tuple"]))?.trim().to_owned())
}

/// Whether rustc has a standard library for a target.
pub(crate) fn has_target(triple: &str) -> bool {
    let libraries = execute(Command::new("rustc").args(["--target", triple, "--print", "target-libdir"]));
    libraries.is_ok_and(|libraries| Path::new(libraries.trim()).is_dir())
}

fn is_package_variable(name: &OsStr) -> bool {
    PACKAGE_VARIABLES.iter().any(|start| name.as_encoded_bytes().starts_with(start.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Uses the variables of `cargo test`, which are the same as those of `cargo run`.
    #[test]
    fn a_clean_command_has_no_variable_of_this_package() {
        assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
        let output = clean_command("env").output().expect("env runs");
        let text = String::from_utf8(output.stdout).expect("it prints text");
        assert!(text.contains("PATH=") && !PACKAGE_VARIABLES.iter().any(|name| text.contains(name)), "{text}");
    }
}

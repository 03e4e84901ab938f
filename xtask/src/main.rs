//! The workspace's own commands; `cargo xtask help` lists them.

mod archive;
mod bench;
mod build;
mod c;
mod cargo;
mod codegen;
mod committed;
mod conformance;
mod digest;
mod docs;
mod ecosystem;
mod error_messages;
mod folder;
mod git;
mod judge;
mod kotlin;
mod language;
mod languages;
mod layers;
mod measure;
mod native;
mod nightly;
mod notices;
mod npm;
mod once;
mod output;
mod package;
mod paths;
mod process;
mod public_api;
mod pypi;
mod python;
mod redocly;
mod release;
mod repository;
mod rust;
mod samples;
mod size;
mod steps;
mod swift;
mod test;
mod toolchain;
mod trace;
mod uniffi;
mod versions;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, ensure};
use clap::{Parser, Subcommand};

pub(crate) use output::print_line;

/// Commands for working on Vitalwire.
#[derive(Debug, Parser)]
#[command(bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Bench(bench::Bench),
    Codegen(codegen::Codegen),
    Conformance(conformance::Conformance),
    Docs(docs::Docs),
    Layers(layers::Layers),
    Notices(notices::Notices),
    Package(package::Package),
    Paths(paths::Paths),
    Release(release::Release),
    Samples(samples::Samples),
    Size(size::Size),
    Test(test::Test),
    Trace(trace::Trace),
}

fn main() -> ExitCode {
    match run(Cli::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> anyhow::Result<()> {
    let root = workspace_root();
    check_checkout(&root, &std::env::current_dir().context("reading the current folder")?)?;
    match command {
        Command::Bench(command) => command.run(&root),
        Command::Codegen(command) => command.run(&root),
        Command::Conformance(command) => command.run(&root),
        Command::Docs(command) => command.run(&root),
        Command::Layers(command) => command.run(&root),
        Command::Notices(command) => command.run(&root),
        Command::Package(command) => command.run(&root),
        Command::Paths(command) => command.run(&root),
        Command::Release(command) => command.run(&root),
        Command::Samples(command) => command.run(&root),
        Command::Size(command) => command.run(&root),
        Command::Test(command) => command.run(&root),
        Command::Trace(command) => command.run(&root),
    }
}

/// Returns the folder of the manifest of the workspace that this program was built in.
fn workspace_root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_path_buf()
}

/// Checks that the current folder is not in another checkout, because commands work on the one at `root`.
///
/// # Errors
/// If it is.
fn check_checkout(root: &Path, current: &Path) -> anyhow::Result<()> {
    let is_checkout = |folder: &&Path| folder.join("xtask/Cargo.toml").is_file();
    if let Some(checkout) = current.ancestors().find(is_checkout) {
        let same = checkout.canonicalize()? == root.canonicalize().with_context(|| format!("{} does not exist", root.display()))?;
        ensure!(same, "this xtask was built in {}, not in {}; run `cargo xtask` there", root.display(), checkout.display());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_checkout_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        check_checkout(&workspace_root(), folder.path()).unwrap();
        check_checkout(&workspace_root(), &workspace_root().join("docs")).unwrap();
        std::fs::create_dir_all(folder.path().join("xtask/src")).unwrap();
        std::fs::write(folder.path().join("xtask/Cargo.toml"), "").unwrap();
        let error = check_checkout(&workspace_root(), &folder.path().join("xtask/src")).unwrap_err().to_string();
        let (own, other) = (workspace_root(), folder.path().display().to_string());
        assert_eq!(error, format!("this xtask was built in {}, not in {other}; run `cargo xtask` there", own.display()));
    }
}

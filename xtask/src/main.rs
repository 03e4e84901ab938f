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
    let root = workspace_root();
    let result = match Cli::parse().command {
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
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Returns the folder of the workspace's manifest.
fn workspace_root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_path_buf()
}

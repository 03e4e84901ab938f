//! The workspace's own commands; `cargo xtask help` lists them.

mod bench;
mod codegen;
mod conformance;
mod notices;
mod program;
mod python;
mod test;
mod trace;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

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
    Notices(notices::Notices),
    Test(test::Test),
    Trace(trace::Trace),
}

fn main() -> ExitCode {
    let root = workspace_root();
    let result = match Cli::parse().command {
        Command::Bench(command) => command.run(&root),
        Command::Codegen(command) => command.run(&root),
        Command::Conformance(command) => command.run(&root),
        Command::Notices(command) => command.run(&root),
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

/// The folder of the workspace's manifest.
fn workspace_root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_path_buf()
}

/// Prints a line for the person who called.
pub(crate) fn say(text: &str) {
    let _ = writeln!(std::io::stdout(), "{text}");
}

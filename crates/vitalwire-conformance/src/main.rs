//! The program behind `cargo xtask conformance`.
#![forbid(unsafe_code)]

use std::path::PathBuf;

use anyhow::bail;
use clap::{Parser, Subcommand};
use vitalwire_conformance::run::{self, Runner};
use vitalwire_conformance::runner::Mode;
use vitalwire_conformance::set::{self, Set, schema};
use vitalwire_conformance::{report, rust};

/// Check, run and judge conformance cases.
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    /// Folder of the workspace.
    #[arg(long, default_value = ".")]
    root: PathBuf,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Check the cases.
    Check,
    /// Print the cases as JSON, with variants expanded.
    Cases,
    /// Print the schema of the cases, which `cargo xtask codegen` writes.
    Schema,
    /// Run the cases with each runner and judge the outcomes.
    Run {
        /// Only the cases whose id matches this pattern.
        #[arg(long = "case", default_value = "*")]
        cases: String,
        /// A language, an equals sign, and the command of its runner, split at spaces.
        #[arg(long = "runner", required = true, value_parser = parse_runner)]
        runners: Vec<Runner>,
    },
    /// Run the cases in Rust. `VITALWIRE_JUDGE` and `VITALWIRE_RUN` locate the plan.
    Rust {
        /// Use the blocking calls.
        #[arg(long)]
        blocking: bool,
    },
}

fn parse_runner(text: &str) -> Result<Runner, String> {
    let (language, command) = text.split_once('=').ok_or("expected LANGUAGE=COMMAND")?;
    Ok(Runner { language: language.to_owned(), command: command.split_whitespace().map(str::to_owned).collect() })
}

#[expect(clippy::print_stdout, reason = "the program's output")]
fn main() -> anyhow::Result<()> {
    let Arguments { root, command } = Arguments::parse();
    match command {
        Command::Check => {
            let cases = set::read(&root)?;
            let findings = set::findings(&cases, &Set::statements(&root)?);
            for finding in &findings {
                println!("{finding}");
            }
            println!("{} cases, {} findings", cases.cases().len(), findings.len());
            if !findings.is_empty() {
                bail!("the cases have findings");
            }
        }
        Command::Cases => println!("{}", serde_json::to_string(set::read(&root)?.cases())?),
        Command::Schema => print!("{}", schema::text()?),
        Command::Run { cases, runners } => {
            let columns = tokio::runtime::Runtime::new()?.block_on(run::run(&root, &cases, &runners))?;
            print!("{}", report::render(&columns));
            if columns.iter().any(|column| column.failures() > 0) {
                bail!("cases failed");
            }
        }
        Command::Rust { blocking } => rust::main(if blocking { Mode::Blocking } else { Mode::Async })?,
    }
    Ok(())
}

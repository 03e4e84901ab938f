//! The program behind `cargo xtask conformance`.
#![forbid(unsafe_code)]

use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::{Parser, Subcommand};
use vitalwire_conformance::set::{self, FOLDER, Set, schema};

/// Conformance cases: check them, play them, judge.
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    /// The workspace.
    #[arg(long, default_value = ".")]
    root: PathBuf,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Say what is wrong with the cases, and whether their schema is up to date.
    Check,
    /// Write the schema of the cases.
    Schema,
}

#[expect(clippy::print_stdout, reason = "the program's output")]
fn main() -> anyhow::Result<()> {
    let Arguments { root, command } = Arguments::parse();
    let file = root.join(FOLDER).join(schema::FILE);
    match command {
        Command::Check => {
            let cases = set::read(&root)?;
            let mut findings = set::findings(&cases, &Set::statements(&root)?);
            if std::fs::read_to_string(&file).unwrap_or_default() != schema::text()? {
                findings.push(format!("{}: out of date, run `vitalwire-conformance schema`", schema::FILE));
            }
            for finding in &findings {
                println!("{finding}");
            }
            println!("{} cases, {} findings", cases.cases().len(), findings.len());
            if !findings.is_empty() {
                bail!("the cases have findings");
            }
        }
        Command::Schema => std::fs::write(&file, schema::text()?).with_context(|| format!("writing {}", schema::FILE))?,
    }
    Ok(())
}

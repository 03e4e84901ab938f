//! Runs the timed benchmarks and prints one line of JSON for each. `cargo xtask bench` formats them as a table.

#![forbid(unsafe_code)]

use std::path::PathBuf;

use anyhow::Result;
use clap::{Parser, ValueEnum};
use vitalwire_bench::rounds::Budget;
use vitalwire_bench::{call, cancel, decoders, pieces, program, report, sandbox, tls};

/// A group of benchmarks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Group {
    Decode,
    Columns,
    Parsers,
    Call,
    Pieces,
    Tls,
    Cancel,
    Sandbox,
}

#[derive(Debug, Parser)]
struct Options {
    /// Run only these groups.
    #[arg(long, value_delimiter = ',')]
    only: Vec<Group>,
    /// Run fewer and shorter rounds.
    #[arg(long)]
    quick: bool,
    /// Folder for the payloads that a program reads, each written as `NAME.json`.
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    payloads: PathBuf,
    /// Measure the alternatives of this program instead of a group.
    #[arg(last = true)]
    program: Vec<String>,
}

fn main() -> Result<()> {
    let options = Options::parse();
    if !options.program.is_empty() {
        let budget = if options.quick { Budget::QUICK_PROGRAM } else { Budget::PROGRAM };
        return report::print(program::run(budget, &options.program, &options.payloads)?);
    }
    let budget = if options.quick { Budget::QUICK } else { Budget::FULL };
    for group in Group::value_variants().iter().filter(|group| options.only.is_empty() || options.only.contains(group)) {
        report::print(match group {
            Group::Decode => decoders::decode(budget)?,
            Group::Columns => decoders::columns(budget)?,
            Group::Parsers => decoders::parsers(budget)?,
            Group::Call => call::run(budget)?,
            Group::Pieces => pieces::run(budget)?,
            Group::Tls => tls::run(budget)?,
            Group::Cancel => cancel::run(budget)?,
            Group::Sandbox => sandbox::run(budget)?,
        })?;
    }
    Ok(())
}

//! Runs the timed benchmarks and prints one line of JSON for each. `cargo xtask bench` formats them as a table.

#![forbid(unsafe_code)]

use std::io::Write;

use anyhow::Result;
use clap::{Parser, ValueEnum};
use vitalwire_bench::measure::{Effort, call, cancel, columns, decode, parsers, pieces, sandbox, tls};

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
}

fn main() -> Result<()> {
    let options = Options::parse();
    let effort = if options.quick { Effort::QUICK } else { Effort::FULL };
    for group in Group::value_variants() {
        if !options.only.is_empty() && !options.only.contains(group) {
            continue;
        }
        let lines = match group {
            Group::Decode => decode::run(effort)?,
            Group::Columns => columns::run(effort)?,
            Group::Parsers => parsers::run(effort)?,
            Group::Call => call::run(effort)?,
            Group::Pieces => pieces::run(effort)?,
            Group::Tls => tls::run(effort)?,
            Group::Cancel => cancel::run(effort)?,
            Group::Sandbox => sandbox::run(effort)?,
        };
        for line in lines {
            writeln!(std::io::stdout(), "{}", serde_json::to_string(&line)?)?;
        }
    }
    Ok(())
}

//! `cargo xtask bench`: speed and memory beside what one would use instead, as a table with gates.

mod affinity;
mod c;
mod kotlin;
mod python;
mod server;
mod swift;
mod table;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, bail, ensure};
use clap::{Args, ValueEnum};

use crate::program;

/// Measure speed and memory against committed baselines; gates are ratios of one run.
#[derive(Debug, Args)]
pub(crate) struct Bench {
    /// Only these groups; several may be given with commas between. Default: all but those of other languages.
    #[arg(long, value_name = "GROUP,..", value_delimiter = ',')]
    only: Vec<Group>,
    /// Fewer and shorter rounds: a look, not a figure to quote.
    #[arg(long)]
    quick: bool,
    /// Also write the lines here, as a JSON array.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Group {
    /// Typed decode.
    Decode,
    /// Columns.
    Columns,
    /// The small call.
    Call,
    /// The first https answer.
    Tls,
    /// A dropped call.
    Cancel,
    /// The sandbox: its answers' speed, and its memory while many people are read.
    Sandbox,
    /// Allocations and peak memory.
    Memory,
    /// The Python package, beside what data scientists use instead. Needs python3 and PyPI; run only when named.
    Python,
    /// The Swift package, beside the core. Needs Swift; run only when named.
    Swift,
    /// The Kotlin package, beside the core, and a cold JVM. Needs a JDK and Maven; run only when named.
    Kotlin,
    /// The library for C, beside the Rust client, libcurl and the Python package. Needs a C compiler; run only when named.
    C,
}

impl Group {
    /// The groups that the program `vitalwire-bench` times.
    const TIMED: [Self; 6] = [Self::Decode, Self::Columns, Self::Call, Self::Tls, Self::Cancel, Self::Sandbox];
    /// The groups of other languages.
    const NAMED: [Self; 4] = [Self::Python, Self::Swift, Self::Kotlin, Self::C];
}

const PACKAGE: &str = "vitalwire-bench";

impl Bench {
    /// Builds once, runs, prints the table.
    ///
    /// # Errors
    /// Where something cannot be built or run, or a gate is not met.
    pub(crate) fn run(&self, root: &Path) -> anyhow::Result<()> {
        let mut lines = Vec::new();
        if self.only.iter().any(|group| !Group::NAMED.contains(group)) || self.only.is_empty() {
            lines.extend(self.core(root)?);
        }
        if self.only.contains(&Group::Python) {
            lines.extend(measure(&mut python::program(root, self.quick)?)?);
        }
        if self.only.contains(&Group::Swift) {
            lines.extend(swift::lines(root, self.quick)?);
        }
        if self.only.contains(&Group::Kotlin) {
            lines.extend(kotlin::lines(root, self.quick)?);
        }
        if self.only.contains(&Group::C) {
            lines.extend(c::lines(root, self.quick)?);
        }
        crate::say(&table::render(&lines));
        if let Some(file) = &self.json {
            let values: Vec<&serde_json::Value> = lines.iter().map(|line| &line.raw).collect();
            std::fs::write(file, serde_json::to_string_pretty(&values)?).with_context(|| format!("cannot write {}", file.display()))?;
        }
        let missed = lines.iter().filter(|line| line.met == Some(false)).count();
        if missed > 0 { bail!("{missed} gates are not met") } else { Ok(()) }
    }

    /// What needs nothing but Rust.
    fn core(&self, root: &Path) -> anyhow::Result<Vec<table::Line>> {
        let program = program::build(root, PACKAGE, &["--profile", "bench", "--bins"])?;
        let folder = program.parent().context("a program without folder")?;
        let chosen = |group: &Group| self.only.is_empty() || self.only.contains(group);
        let mut lines = Vec::new();
        let timed: Vec<String> = Group::TIMED
            .iter()
            .filter(|group| chosen(group))
            .filter_map(|group| group.to_possible_value().map(|value| value.get_name().to_owned()))
            .collect();
        if !timed.is_empty() {
            let mut program = Command::new(folder.join(PACKAGE));
            program.args(["--only", &timed.join(",")]).args(self.quick.then_some("--quick"));
            lines.extend(measure(&mut program)?);
        }
        if chosen(&Group::Sandbox) {
            lines.extend(measure(&mut Command::new(folder.join(format!("{PACKAGE}-people"))))?);
        }
        if chosen(&Group::Memory) {
            lines.extend(measure(&mut Command::new(folder.join(format!("{PACKAGE}-memory"))))?);
        }
        Ok(lines)
    }
}

fn measure(program: &mut Command) -> anyhow::Result<Vec<table::Line>> {
    let output = program.stderr(Stdio::inherit()).output().context("a measuring program cannot be run")?;
    ensure!(output.status.success(), "a measuring program failed");
    String::from_utf8(output.stdout)?.lines().map(table::Line::read).collect()
}

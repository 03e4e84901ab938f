//! `cargo xtask bench`: speed and memory compared with alternatives, as a table with gates.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};

use crate::measure::{Cores, Measurement, Program, measure_core, render};
use crate::{language, languages};

/// Measure speed and memory against committed baselines; gates are ratios of one run.
#[derive(Debug, Args)]
pub(crate) struct Bench {
    /// Run only these groups, separated by commas. Defaults to all that need only Rust.
    #[arg(long, value_name = "GROUP,..", value_delimiter = ',', value_parser = names())]
    only: Vec<String>,
    /// Run fewer and shorter rounds, for a rough result.
    #[arg(long)]
    quick: bool,
    /// Write the results to this file too, as a JSON array.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Groups that need only Rust, with their help texts.
const GROUPS: [(&str, &str); 9] = [
    ("decode", "Typed decode"),
    ("columns", "Columns"),
    ("parsers", "Columns compared with other JSON decoders"),
    ("call", "The small call"),
    (PIECES, "A body in many pieces"),
    ("tls", "The first https response"),
    ("cancel", "A dropped call"),
    (SANDBOX, "The sandbox: response times, and memory while many people are read"),
    (MEMORY, "Allocations and peak memory"),
];
const PIECES: &str = "pieces";
const SANDBOX: &str = "sandbox";
const MEMORY: &str = "memory";

fn language_groups() -> impl Iterator<Item = language::Bench> {
    languages::ALL.iter().filter_map(|language| language.bench())
}

fn names() -> PossibleValuesParser {
    let all = GROUPS.into_iter().chain(language_groups().map(|bench| (bench.name, bench.about)));
    all.map(|(name, about)| PossibleValue::new(name).help(about)).collect::<Vec<_>>().into()
}

impl Bench {
    /// Builds the benchmarks, runs them and prints the table.
    ///
    /// # Errors
    /// If a build or a run fails, or a gate is not met.
    pub(crate) fn run(&self, root: &Path) -> anyhow::Result<()> {
        let mut lines = Vec::new();
        if self.only.is_empty() || self.only.iter().any(|name| language_groups().all(|bench| bench.name != name)) {
            lines.extend(self.core(root)?);
        }
        for bench in language_groups().filter(|bench| self.only.iter().any(|name| name == bench.name)) {
            lines.extend((bench.run)(root, self.quick)?);
        }
        crate::print_line(&render(&lines));
        if let Some(file) = &self.json {
            let values: Vec<&serde_json::Value> = lines.iter().map(|line| &line.raw).collect();
            std::fs::write(file, serde_json::to_string_pretty(&values)?).with_context(|| format!("cannot write {}", file.display()))?;
        }
        let missed = lines.iter().filter(|line| line.met == Some(false)).count();
        if missed > 0 { bail!("{missed} gates were missed; the table marks them NOT MET") } else { Ok(()) }
    }

    /// Runs the groups that need only Rust.
    fn core(&self, root: &Path) -> anyhow::Result<Vec<Measurement>> {
        let chosen = |name: &&str| self.only.is_empty() || self.only.iter().any(|only| only == name);
        let groups = |measures: fn(&str) -> bool| -> Vec<&str> {
            GROUPS.into_iter().map(|(name, _)| name).filter(|name| chosen(name) && measures(name)).collect()
        };
        let runs = [
            (Program::Timed, Cores::Any, groups(|group| group != PIECES && group != MEMORY)),
            // On two cores, the number of pieces that are read at once would vary between runs.
            (Program::Timed, Cores::One, groups(|group| group == PIECES)),
            (Program::Memory, Cores::Any, groups(|group| group == SANDBOX || group == MEMORY)),
        ];
        let mut lines = Vec::new();
        for (program, cores, groups) in runs.into_iter().filter(|(_, _, groups)| !groups.is_empty()) {
            lines.extend(measure_core(root, program, &groups, cores, self.quick)?);
        }
        Ok(lines)
    }
}

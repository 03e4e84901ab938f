//! `cargo xtask test`: runs all tests of all languages against their own sandbox and reports the seconds of each step.

use std::path::Path;
use std::time::Instant;

use anyhow::bail;
use clap::Args;

use crate::process::on_ci;
use crate::repository::{CHECKS, FIRST, steps_for};
use crate::steps::{Context, Count, Occasion, Step, schedule, seconds};

/// Run every test: Rust, the sandbox, conformance cases, Python, tables, Swift, Kotlin, C, a browser.
#[derive(Debug, Args)]
pub(crate) struct Test {
    /// Run only these steps, by name, separated by commas.
    #[arg(long, value_name = "STEP,..", value_delimiter = ',')]
    only: Vec<String>,
    /// Also run static checks: formatting, lints, generated files, texts.
    #[arg(long)]
    checks: bool,
    /// Also run slow steps.
    #[arg(long)]
    deep: bool,
    /// Number of parallel steps.
    #[arg(long, value_name = "NUMBER", default_value = "2", value_parser = clap::value_parser!(u8).range(1..=8))]
    at_once: u8,
}

impl Test {
    /// Runs the steps in the workspace at `root`.
    ///
    /// # Errors
    /// If a step fails or, with CI set, cannot run.
    pub(crate) fn run(&self, root: &Path) -> anyhow::Result<()> {
        let steps = self.steps()?;
        let context = Context::new(root)?;
        let ci = on_ci();
        let started = Instant::now();
        // Output of a single step is shown as it runs.
        let at_once = usize::from(self.at_once).min(steps.len());
        let ran = schedule::run(&steps, &context, at_once, ci);
        context.stop()?;
        let mut total = Count::default();
        ran.iter().for_each(|step| total += step.count);
        for step in ran.iter().filter(|step| !step.output.is_empty()) {
            crate::print_line(&format!("\n== {} failed:\n{}", step.name, step.output));
        }
        crate::print_line(&format!("\n{}", seconds::report(root, &ran, started.elapsed())?));
        crate::print_line(&format!("{} passed, {} failed", total.passed, total.failed));
        if total.failed > 0 { bail!("{} tests failed", total.failed) } else { Ok(()) }
    }

    fn steps(&self) -> anyhow::Result<Vec<Step>> {
        let (always, deep) = (steps_for(Occasion::Always), steps_for(Occasion::Deep));
        let all = || FIRST.iter().chain(&CHECKS).chain(&always).chain(&deep).copied();
        if let Some(name) = self.only.iter().find(|name| !all().any(|step| step.name == **name)) {
            let names: Vec<&str> = all().map(|step| step.name).collect();
            bail!("there is no step `{name}`; there are {}", names.join(", "));
        }
        if !self.only.is_empty() {
            return Ok(all().filter(|step| self.only.iter().any(|only| only == step.name)).collect());
        }
        let (checks, deep) = (CHECKS.into_iter().filter(|_| self.checks), deep.into_iter().filter(|_| self.deep));
        Ok(FIRST.into_iter().chain(checks).chain(always).chain(deep).collect())
    }
}

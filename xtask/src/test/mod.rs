//! `cargo xtask test`: runs all tests of all languages against their own sandbox and reports the seconds of each step.

mod archives;
mod browser;
mod checks;
mod conformance;
mod contract;
mod demo;
mod dependencies;
mod durability;
mod fuzz;
mod own_client;
mod own_operation;
mod prepare;
mod schemathesis;
mod tables;
mod versions;
mod words;
mod workflows;

use std::path::Path;
use std::time::Instant;

use anyhow::bail;
use clap::Args;

use crate::languages;
use crate::steps::{Context, Count, Occasion, Outcome, Step, schedule, seconds};

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

/// The first steps of every run. They contain no tests, and fail if the workspace does not compile.
const FIRST: [Step; 2] = [Step::new("build", prepare::build), Step::new("prepare", prepare::download)];

/// Steps of `--checks`, which run no tests.
const CHECKS: [Step; 9] = [
    Step::new("format", checks::format),
    Step::new("layers", checks::layers),
    Step::new("trace", checks::trace),
    Step::new("notices", checks::notices),
    Step::new("words", words::run),
    Step::new("workflows", workflows),
    Step::new("deny", dependencies::run),
    Step::new("codegen", checks::codegen),
    Step::new("clippy", checks::clippy),
];

/// Steps that belong to no single language.
const STEPS: [Step; 13] = [
    Step::new("archives", archives::run),
    Step::new("browser", browser::run),
    Step::new("conformance", conformance::run),
    Step::new("contract", contract::run),
    Step::new("schemathesis", schemathesis::run),
    Step::new("tables", tables::run),
    Step::new("versions", versions::run),
    Step::deep("demo", demo::run),
    Step::deep("durability", durability::run),
    Step::deep("fuzz", fuzz::run),
    Step::deep("own-client", own_client::run),
    Step::deep("own-operation", own_operation::run),
    Step::deep("schemathesis-deep", schemathesis::deep),
];

/// Start order of the longest steps, so that none runs alone at the end. Others follow by name.
const ORDER: [&str; 13] = [
    "versions",
    "rust",
    "swift",
    "kotlin",
    "python",
    "conformance",
    "archives",
    "types",
    "schemathesis",
    "c",
    "contract",
    "tables",
    "browser",
];

/// Returns the steps of an occasion, including those of the languages, in start order.
fn steps_for(occasion: Occasion) -> Vec<Step> {
    let all = STEPS.iter().chain(languages::ALL.iter().flat_map(|language| language.tests()));
    let mut steps: Vec<Step> = all.filter(|step| step.occasion == occasion).copied().collect();
    let place = |step: &Step| ORDER.iter().position(|name| *name == step.name).unwrap_or(ORDER.len());
    steps.sort_by_key(|step| (place(step), step.name));
    steps
}

/// Checks that each step is in a workflow.
fn workflows(context: &Context) -> anyhow::Result<Outcome> {
    let (always, deep) = (steps_for(Occasion::Always), steps_for(Occasion::Deep));
    let daily: Vec<&str> = CHECKS.iter().chain(&always).map(|step| step.name).collect();
    workflows::run(context, &daily, &deep.iter().map(|step| step.name).collect::<Vec<_>>())
}

impl Test {
    /// Runs the steps in the workspace at `root`.
    ///
    /// # Errors
    /// If a step fails or, with CI set, cannot run.
    pub(crate) fn run(&self, root: &Path) -> anyhow::Result<()> {
        let steps = self.steps()?;
        let context = Context::new(root)?;
        let ci = std::env::var_os("CI").is_some_and(|value| !value.is_empty());
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_names_every_step_of_every_run() {
        assert_eq!(steps_for(Occasion::Always).iter().map(|step| step.name).collect::<Vec<_>>(), ORDER);
    }
}

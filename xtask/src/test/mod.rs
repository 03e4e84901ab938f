//! `cargo xtask test`: every test of every language, against a sandbox of its own, with the seconds of each step.

mod archives;
mod browser;
mod checks;
mod conformance;
mod contract;
mod count;
mod demo;
mod dependencies;
mod durability;
mod faults;
mod fuzz;
mod kotlin_android;
mod kotlin_calls;
mod kotlin_minified;
pub(crate) mod languages;
mod late;
mod notebooks;
mod own_client;
mod own_operation;
mod package_c;
mod package_jvm;
mod preparing;
mod sandbox;
mod schedule;
mod schemathesis;
mod seconds;
mod size_c;
pub(crate) mod step;
mod stranger;
mod tables;
mod versions;
mod windows_c;
mod workflows;

use std::path::Path;
use std::time::Instant;

use anyhow::bail;
use clap::Args;

use count::Count;
use step::{Context, Outcome};

/// Run every test: Rust, the sandbox, the conformance cases, Python, tables, Swift, Kotlin, C, a browser.
#[derive(Debug, Args)]
pub(crate) struct Test {
    /// Only these steps, by name; several may be given with commas between.
    #[arg(long, value_name = "STEP,..", value_delimiter = ',')]
    only: Vec<String>,
    /// Also the checks of what is written: formatting, lints, generated files.
    #[arg(long)]
    checks: bool,
    /// Also what takes long.
    #[arg(long)]
    deep: bool,
    /// Steps that run at the same time.
    #[arg(long, value_name = "NUMBER", default_value = "2", value_parser = clap::value_parser!(u8).range(1..=8))]
    at_once: u8,
}

/// A step: its name, and what it runs.
#[derive(Clone, Copy)]
struct Step {
    name: &'static str,
    run: fn(&Context) -> anyhow::Result<Outcome>,
}

const fn step(name: &'static str, run: fn(&Context) -> anyhow::Result<Outcome>) -> Step {
    Step { name, run }
}

/// What every run begins with; no tests of their own, and failed where the workspace does not compile.
const FIRST: [Step; 2] = [step("build", preparing::build), step("prepare", preparing::load)];

/// What is checked without running anything: by `--checks`.
const CHECKS: [Step; 8] = [
    step("format", checks::format),
    step("layers", checks::layers),
    step("trace", checks::trace),
    step("notices", checks::notices),
    step("workflows", workflows::run),
    step("deny", dependencies::run),
    step("codegen", checks::codegen),
    step("clippy", checks::clippy),
];

/// In the order in which they begin: what takes longest comes first, so that none is left alone at the end.
const STEPS: [Step; 13] = [
    step("versions", versions::run),
    step("rust", languages::rust::run),
    step("swift", languages::swift::run),
    step("kotlin", languages::kotlin::run),
    step("python", languages::python::run),
    step("conformance", conformance::run),
    step("archives", archives::run),
    step("types", languages::python::types),
    step("schemathesis", schemathesis::run),
    step("c", languages::c::run),
    step("contract", contract::run),
    step("tables", tables::run),
    step("browser", browser::run),
];

/// Steps that take minutes: they run by `--deep` only.
const DEEP: [Step; 22] = [
    step("c-address", languages::c::address),
    step("c-arm64", languages::c::arm64),
    step("c-memory", languages::c::memory),
    step("c-windows", windows_c::run),
    step("cancelled", languages::rust::cancelled),
    step("demo", demo::run),
    step("durability", durability::run),
    step("own-client", own_client::run),
    step("own-operation", own_operation::run),
    step("fuzz", fuzz::run),
    step("json-features", languages::rust::json_features),
    step("kotlin-android", kotlin_android::run),
    step("kotlin-calls", kotlin_calls::run),
    step("kotlin-minified", kotlin_minified::run),
    step("notebooks", notebooks::run),
    step("package-c", package_c::run),
    step("package-jvm", package_jvm::run),
    step("python-shipped", languages::python::shipped),
    step("races", languages::c::races),
    step("schemathesis-deep", schemathesis::deep),
    step("size-c", size_c::run),
    step("swift-newest", languages::swift::newest),
];

impl Test {
    /// Runs the steps in the workspace at `root`.
    ///
    /// # Errors
    /// Where a step failed, or, with CI set, could not be run.
    pub(crate) fn run(&self, root: &Path) -> anyhow::Result<()> {
        let steps = self.steps()?;
        let context = Context::new(root)?;
        let ci = std::env::var_os("CI").is_some_and(|value| !value.is_empty());
        let started = Instant::now();
        // One alone is watched as it runs.
        let at_once = usize::from(self.at_once).min(steps.len());
        let ran = schedule::run(&steps, &context, at_once, ci);
        context.stop()?;
        let mut total = Count::default();
        ran.iter().for_each(|step| total += step.count);
        for step in ran.iter().filter(|step| !step.output.is_empty()) {
            crate::say(&format!("\n== {} failed:\n{}", step.name, step.output));
        }
        crate::say(&format!("\n{}", seconds::report(root, &ran, started.elapsed())?));
        crate::say(&format!("{} passed, {} failed", total.passed, total.failed));
        if total.failed > 0 { bail!("{} tests failed", total.failed) } else { Ok(()) }
    }

    /// The steps that are asked for.
    fn steps(&self) -> anyhow::Result<Vec<Step>> {
        let all = || FIRST.into_iter().chain(CHECKS).chain(STEPS).chain(DEEP);
        if let Some(name) = self.only.iter().find(|name| !all().any(|step| step.name == **name)) {
            let names: Vec<&str> = all().map(|step| step.name).collect();
            bail!("there is no step `{name}`; there are {}", names.join(", "));
        }
        if !self.only.is_empty() {
            return Ok(all().filter(|step| self.only.iter().any(|only| only == step.name)).collect());
        }
        let (checks, deep) = (CHECKS.into_iter().filter(|_| self.checks), DEEP.into_iter().filter(|_| self.deep));
        Ok(FIRST.into_iter().chain(checks).chain(STEPS).chain(deep).collect())
    }
}

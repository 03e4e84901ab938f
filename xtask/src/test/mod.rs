//! `cargo xtask test`: every test of every language, against a sandbox of its own, with the seconds of each step.

mod browser;
mod checkers;
mod conformance;
mod count;
mod dependencies;
mod durability;
mod faults;
mod fuzz;
pub(crate) mod languages;
mod notebooks;
mod sandbox;
mod schemathesis;
pub(crate) mod step;
mod tables;
pub(crate) mod versions;
mod workflows;

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::bail;
use clap::Args;

use count::Count;
use sandbox::Sandbox;
use step::{Context, Outcome};

/// Run every test: Rust, the sandbox, the conformance cases, Python, tables, Swift, Kotlin, C, a browser.
#[derive(Debug, Args)]
pub(crate) struct Test {
    /// Only these steps, by name; several may be given with commas between.
    #[arg(long, value_name = "STEP,..", value_delimiter = ',')]
    only: Vec<String>,
    /// Also what takes long.
    #[arg(long)]
    deep: bool,
}

/// A step: its name, and what it runs.
type Step = (&'static str, fn(&Context) -> anyhow::Result<Outcome>);

const STEPS: [Step; 12] = [
    ("versions", versions::run),
    ("workflows", workflows::run),
    ("deny", dependencies::run),
    ("rust", languages::rust::run),
    ("schemathesis", schemathesis::run),
    ("conformance", conformance::run),
    ("python", languages::python::run),
    ("tables", tables::run),
    ("swift", languages::swift::run),
    ("kotlin", languages::kotlin::run),
    ("c", languages::c::run),
    ("browser", browser::run),
];

/// Steps that take minutes: they run by `--deep` only.
const DEEP: [Step; 6] = [
    ("c-memory", languages::c::memory),
    ("durability", durability::run),
    ("fuzz", fuzz::run),
    ("notebooks", notebooks::run),
    ("python-shipped", languages::python::shipped),
    ("schemathesis-deep", schemathesis::deep),
];

impl Test {
    /// Runs the steps in the workspace at `root`.
    ///
    /// # Errors
    /// Where a step failed, or, with CI set, could not be run.
    pub(crate) fn run(&self, root: &Path) -> anyhow::Result<()> {
        let steps: Vec<Step> = STEPS.into_iter().chain(DEEP.into_iter().filter(|_| self.deep)).collect();
        if let Some(name) = self.only.iter().find(|name| !steps.iter().any(|(step, _)| step == name)) {
            let names: Vec<&str> = steps.iter().map(|(name, _)| *name).collect();
            bail!("there is no step `{name}`; there are {}", names.join(", "));
        }
        let context = Context::new(root, Sandbox::start(root)?)?;
        let ci = std::env::var_os("CI").is_some_and(|value| !value.is_empty());
        let mut total = Count::default();
        let mut lines = Vec::new();
        for (name, run) in steps.iter().filter(|(name, _)| self.only.is_empty() || self.only.iter().any(|only| only == name)) {
            crate::say(&format!("\n== {name}"));
            let started = Instant::now();
            let (count, note) = judge(run(&context), ci);
            total += count;
            lines.push(line(name, started.elapsed(), count, &note));
        }
        context.stop()?;
        crate::say(&format!("\n{}", lines.join("\n")));
        crate::say(&format!("{} passed, {} failed", total.passed, total.failed));
        if total.failed > 0 { bail!("{} tests failed", total.failed) } else { Ok(()) }
    }
}

/// What a step counts for: one that ran nothing, or could not run on CI, has failed.
fn judge(outcome: anyhow::Result<Outcome>, ci: bool) -> (Count, String) {
    match outcome {
        Ok(Outcome::Ran(count)) if count.passed + count.failed == 0 => (Count::failed(), "ran no test".to_owned()),
        Ok(Outcome::Ran(count)) => (count, String::new()),
        Ok(Outcome::Missing(what)) if ci => (Count::failed(), format!("{what}; on CI that is a failure")),
        Ok(Outcome::Missing(what)) => (Count::default(), format!("skipped: {what}")),
        Err(error) => (Count::failed(), format!("{error:#}")),
    }
}

fn line(name: &str, time: Duration, count: Count, note: &str) -> String {
    format!("{name:<17} {:>7.1} s {:>5} passed {:>3} failed  {note}", time.as_secs_f64(), count.passed, count.failed).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ran_nothing_has_failed() {
        assert_eq!(judge(Ok(Outcome::Ran(Count::default())), false).0, Count::failed());
    }

    #[test]
    fn a_missing_toolchain_fails_on_ci_only() {
        let missing = || Ok(Outcome::Missing("no Swift".to_owned()));
        assert_eq!(judge(missing(), false).0, Count::default());
        assert_eq!(judge(missing(), true).0, Count::failed());
    }
}

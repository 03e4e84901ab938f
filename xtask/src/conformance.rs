//! `cargo xtask conformance`: runs the cases of `tests/conformance` in each language and prints a matrix of the results.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};

use crate::judge::{self, PACKAGE};
use crate::language::Runner;
use crate::languages;
use crate::process::on_ci;

/// Run the conformance cases in each language and judge the outcomes.
#[derive(Debug, Args)]
pub(crate) struct Conformance {
    /// Run only these languages, separated by commas.
    #[arg(long, value_name = "LANG,..", value_delimiter = ',', value_parser = names())]
    only: Vec<String>,
    /// Run only the cases whose id matches this pattern.
    #[arg(long, value_name = "GLOB", default_value = "*")]
    case: String,
}

fn runners() -> impl Iterator<Item = &'static Runner> {
    languages::ALL.iter().flat_map(|language| language.runners())
}

fn names() -> PossibleValuesParser {
    runners().map(|runner| PossibleValue::new(runner.name).help(runner.about)).collect::<Vec<_>>().into()
}

impl Conformance {
    /// Runs the command in the workspace at `root`.
    ///
    /// # Errors
    /// If a runner cannot be built or a case fails.
    pub(crate) fn run(&self, root: &Path) -> anyhow::Result<()> {
        let status = self.command(root)?.status().with_context(|| format!("{PACKAGE} cannot be started"))?;
        if status.success() { Ok(()) } else { bail!("{PACKAGE} ended with {status}") }
    }

    /// Returns the command for all cases in all languages.
    pub(crate) fn all_cases() -> Self {
        Self { only: Vec::new(), case: "*".to_owned() }
    }

    /// Builds the runners and returns the judge's command.
    pub(crate) fn command(&self, root: &Path) -> anyhow::Result<Command> {
        let program = judge::program(root)?;
        let mut command = judge::command(root, &program, &self.case);
        for runner in runners().filter(|runner| self.only.is_empty() || self.only.iter().any(|name| name == runner.name)) {
            match (runner.missing)(root)? {
                None => {
                    crate::print_line(&format!("conformance: building the runner {}", runner.name));
                    command.arg("--runner").arg(format!("{}={}", runner.name, (runner.command)(root, &program)?));
                }
                // Skip a language without tools in a run of all languages, except on CI, which must run every language.
                Some(what) if self.only.is_empty() && !on_ci() => crate::print_line(&format!("{}: skipped, {what}", runner.name)),
                Some(what) => bail!("{}: {what}", runner.name),
            }
        }
        Ok(command)
    }
}

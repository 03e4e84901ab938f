//! `cargo xtask trace`: for each sentence of the interface document, the places in the specifications that state it, and the conformance
//! cases and tests that cover it.

mod cases;
mod report;
mod table;
mod test_index;

use std::path::Path;

use anyhow::{Context, bail};
use clap::Args;
use vitalwire_spec as spec;

use report::{Report, Statements};

/// Path of the statements.
const STATEMENTS: &str = "openapi/statements.toml";

/// Show statements of the interface without citations or tests. `tests/conformance/TRACE.md` has the citations of each statement.
#[derive(Debug, Args)]
pub(crate) struct Trace {
    /// Fail if a required citation or test is missing, an id is unknown or used twice, or the table is out of date.
    #[arg(long)]
    pub(crate) check: bool,
    /// Write the table of statements, places and cases.
    #[arg(long, conflicts_with = "check")]
    pub(crate) write: bool,
}

impl Trace {
    /// Runs the command in the workspace at `root`.
    pub(crate) fn run(&self, root: &Path) -> anyhow::Result<()> {
        let text = std::fs::read_to_string(root.join(STATEMENTS)).with_context(|| format!("reading {STATEMENTS}"))?;
        let statements: Statements = toml::from_str(&text).with_context(|| format!("reading {STATEMENTS}"))?;
        let sources = spec::load(root, &[])?;
        let report = Report::new(&statements.statement, &sources, cases::read(root)?, test_index::read(root)?);
        crate::print_line(report.text().trim_end());
        let (file, table) = (root.join(table::PATH), table::render(&report));
        if self.write {
            std::fs::write(&file, &table).with_context(|| format!("writing {}", table::PATH))?;
        }
        let stale = std::fs::read_to_string(&file).unwrap_or_default() != table;
        if stale {
            crate::print_line(&format!("{} is out of date: run `cargo xtask trace --write`", table::PATH));
        }
        let errors = report.errors() + usize::from(stale);
        if self.check && errors > 0 {
            bail!("errors in {STATEMENTS} and its citations: {errors}");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;

//! The program's tables opened by what they are written for: polars, `DuckDB`, pandas and pyarrow.

use super::count::Count;
use super::step::{Context, Outcome, show};
use crate::build;
use crate::python::{self, environment};

/// Runs pytest on what the program writes.
pub(super) fn run(context: &Context) -> anyhow::Result<Outcome> {
    if let Some(what) = python::missing() {
        return Ok(Outcome::Missing(what.to_owned()));
    }
    let tools = environment(&context.root, &context.target, "tests")?;
    let mut test = context.program(tools.join("bin/python"), ".")?;
    test.env("VITALWIRE", build::program(&context.root, "vitalwire")?);
    test.args(["-I", "-m", "pytest", "--color=no", "-q", "-p", "no:cacheprovider", "crates/vitalwire-cli/tests/python"]);
    Ok(show(&mut test)?.counted(Count::pytest))
}

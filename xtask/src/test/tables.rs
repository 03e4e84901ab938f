//! The program's tables, and those of the library for C, opened by what they are made for: polars, `DuckDB`, pandas, pyarrow, nanoarrow.

use super::count::Count;
use super::step::{Context, Outcome, show};
use crate::build;
use crate::python::{self, environment};

/// Runs pytest on what the program writes and the library for C hands over.
pub(super) fn run(context: &Context) -> anyhow::Result<Outcome> {
    if let Some(what) = python::missing() {
        return Ok(Outcome::Missing(what.to_owned()));
    }
    let tools = environment(&context.root, &context.target, "tests")?;
    let mut test = context.program(tools.join("bin/python"), ".")?;
    test.env("VITALWIRE", build::program(&context.root, "vitalwire")?);
    test.env("VITALWIRE_C", build::libraries(&context.root)?.dynamic_library("vitalwire_c")?);
    test.args([
        "-I",
        "-m",
        "pytest",
        "--color=no",
        "-q",
        "-p",
        "no:cacheprovider",
        "crates/vitalwire-cli/tests/python",
        "bindings/c/tests/python",
    ]);
    Ok(show(&mut test)?.counted(Count::pytest))
}

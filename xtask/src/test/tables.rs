//! The program's tables, and those of the library for C, opened by what they are made for: polars, `DuckDB`, pandas, pyarrow, nanoarrow.

use crate::build;
use crate::pypi::{self, environment};
use crate::steps::{Context, Count, Outcome, show};

/// Runs pytest on what the program writes and the library for C hands over.
pub(super) fn run(context: &Context) -> anyhow::Result<Outcome> {
    if let Some(what) = pypi::missing() {
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

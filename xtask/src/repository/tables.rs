//! Tables of the command line and the C library in their target programs: polars, `DuckDB`, pandas, pyarrow, nanoarrow.

use crate::build;
use crate::pypi::{self, environment};
use crate::steps::{Context, Count, Outcome, run_and_show};

/// Runs pytest on the tables of the program and the C library.
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
    Ok(run_and_show(&mut test)?.count_tests(Count::pytest))
}

//! The program's tables opened by what they are written for: polars, `DuckDB`, pandas and pyarrow, in an environment of their own.

use super::count::Count;
use super::step::{Context, Outcome, has, must, show};
use crate::python::environment;

/// `DuckDB` hands instants to Python by pytz, and does not install it.
const PACKAGES: [&str; 6] = ["duckdb", "pandas", "polars", "pyarrow", "pytest", "pytz"];

/// Builds the program and runs pytest on what it writes. The environment is half a gigabyte and stays, as a language's tools do.
pub(super) fn run(context: &Context) -> anyhow::Result<Outcome> {
    if !has("python3") {
        return Ok(Outcome::Missing("no python3".to_owned()));
    }
    must(context.cargo().args(["build", "--package", "vitalwire-cli"]))?;
    let tools = context.target.join("python/tables");
    environment(&tools, &PACKAGES)?;
    let mut test = context.program(tools.join("bin/python"), ".");
    test.env("VITALWIRE", context.target.join("debug/vitalwire"));
    test.args(["-I", "-m", "pytest", "--color=no", "-q", "-p", "no:cacheprovider", "crates/vitalwire-cli/tests/python"]);
    Ok(show(&mut test)?.counted(Count::pytest))
}

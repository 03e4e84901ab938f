//! Tests cohorts in the engines that read them: dlt, Dask, Ray and Spark.

use crate::build;
use crate::process::has;
use crate::pypi;
use crate::python::wheel::interpreter_in;
use crate::steps::{Context, Count, Outcome, run_and_show};

/// Number of random queries. The step `python` runs 300.
const QUERIES: &str = "100000";

/// Runs the tests in an environment with the engines. Spark needs a JDK.
pub(super) fn run(context: &Context) -> anyhow::Result<Outcome> {
    if let Some(what) = pypi::missing() {
        return Ok(Outcome::Missing(what.to_owned()));
    }
    if !has("java") {
        return Ok(Outcome::Missing("java 17 or newer is missing; on Debian: apt install default-jre-headless".to_owned()));
    }
    let mut run = context.program(interpreter_in(&context.root, &context.target, "engines")?, ".")?;
    // -I: neither the source tree nor the user's own packages are importable.
    run.args(["-I", "-m", "pytest", "--color=no", "-q", "-p", "no:cacheprovider", "-o", "faulthandler_timeout=14400"]);
    run.args(["bindings/python/tests/engines/engines.py", "bindings/python/tests/test_queries.py"]).env("VITALWIRE_QUERIES", QUERIES);
    run.env("VITALWIRE_PROGRAM", build::program(&context.root, "vitalwire")?);
    Ok(run_and_show(&mut run)?.count_tests(Count::pytest))
}

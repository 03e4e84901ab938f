//! Tests the Python package's notebooks with the wheel, and its clients in engines that run functions in processes.

use crate::build;
use crate::pypi;
use crate::python::wheel::interpreter_in;
use crate::steps::{Context, Count, Outcome, run_and_show};

/// Runs all cells of every notebook, and the tests with engines.
pub(super) fn run(context: &Context) -> anyhow::Result<Outcome> {
    if let Some(what) = pypi::missing() {
        return Ok(Outcome::Missing(what.to_owned()));
    }
    let mut run = context.program(interpreter_in(&context.root, &context.target, "notebooks")?, ".")?;
    // -I: neither the source tree nor the user's own packages are importable.
    run.args(["-I", "-m", "pytest", "--color=no", "-q", "-p", "no:cacheprovider"]);
    run.args(["bindings/python/tests/notebooks/notebooks.py", "bindings/python/tests/test_pickled_clients.py"]);
    run.env("VITALWIRE_PROGRAM", build::program(&context.root, "vitalwire")?);
    Ok(run_and_show(&mut run)?.count_tests(Count::pytest))
}

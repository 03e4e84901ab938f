//! The Python package's notebooks, executed on the wheel.

use super::count::Count;
use super::step::{Context, Outcome, has, show};
use crate::build;
use crate::python::interpreter_in;

/// Runs every notebook from its first cell to its last.
pub(super) fn run(context: &Context) -> anyhow::Result<Outcome> {
    if !has("python3") {
        return Ok(Outcome::Missing("no python3".to_owned()));
    }
    let mut run = context.program(interpreter_in(&context.root, &context.target, "notebooks")?, ".")?;
    // -I: neither the source tree nor the user's own packages are importable.
    run.args(["-I", "-m", "pytest", "--color=no", "-q", "-p", "no:cacheprovider", "bindings/python/tests/notebooks/notebooks.py"]);
    run.env("VITALWIRE_SANDBOX_PROGRAM", build::program(&context.root, "vitalwire")?);
    Ok(show(&mut run)?.counted(Count::pytest))
}

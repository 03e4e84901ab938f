//! The Python package's notebooks, executed on the wheel.

use crate::program;
use crate::python::interpreter_with;

use super::count::Count;
use super::step::{Context, Outcome, has, show};

/// What runs notebooks, beside what the package's tests need.
const PACKAGES: [&str; 3] = ["nbclient>=0.10", "nbconvert>=7.16", "ipykernel>=6.29"];

/// Runs every notebook from its first cell to its last.
pub(super) fn run(context: &Context) -> anyhow::Result<Outcome> {
    if !has("python3") {
        return Ok(Outcome::Missing("no python3".to_owned()));
    }
    let mut run = context.program(interpreter_with(&context.root, &context.target, "notebooks", &PACKAGES)?, ".");
    // -I: neither the source tree nor the user's own packages are importable.
    run.args(["-I", "-m", "pytest", "--color=no", "-q", "-p", "no:cacheprovider", "bindings/python/tests/notebooks/notebooks.py"]);
    run.env("VITALWIRE_SANDBOX_PROGRAM", program::build(&context.root, "vitalwire-cli", &[])?);
    Ok(show(&mut run)?.counted(Count::pytest))
}

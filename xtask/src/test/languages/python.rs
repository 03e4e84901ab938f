//! pytest on the wheel, in a virtual environment of its own, never on the source tree.

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::path::PathBuf;

use crate::program;
use crate::python::interpreter;
use crate::test::count::Count;
use crate::test::step::{Context, Outcome, has, must, show};

/// Runs the tests in an environment that holds the wheel.
pub(in crate::test) fn run(context: &Context) -> anyhow::Result<Outcome> {
    if !has("python3") {
        return Ok(Outcome::Missing("no python3".to_owned()));
    }
    // -I: neither the source tree nor the user's own packages are importable.
    let mut test = context.program(interpreter(&context.root, &context.target)?, ".");
    test.args(["-I", "-m", "pytest", "--color=no", "-q", "-p", "no:cacheprovider", "bindings/python/tests"]);
    test.env("VITALWIRE_PROBE", probe(context)?);
    test.env("VITALWIRE_SANDBOX_PROGRAM", program::build(&context.root, "vitalwire-cli", &[])?);
    Ok(show(&mut test)?.counted(Count::pytest))
}

/// The native part with its echo probe. It is built after the wheel, which must not have it.
fn probe(context: &Context) -> anyhow::Result<PathBuf> {
    must(context.cargo().args(["build", "--package", "vitalwire-python", "--features", "__probe"]))?;
    let probe = context.target.join("python/probe").with_extension(DLL_SUFFIX.trim_start_matches('.'));
    std::fs::copy(context.target.join("debug").join(format!("{DLL_PREFIX}vitalwire_native{DLL_SUFFIX}")), &probe)?;
    Ok(probe)
}

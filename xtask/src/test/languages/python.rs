//! pytest on the wheels, in a virtual environment of its own, never on the source tree; and what type checkers say of them.

mod types;

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::path::PathBuf;

use crate::program;
use crate::python::{WHEELS, interpreter, wheel};
use crate::test::count::Count;
use crate::test::step::{Context, Outcome, has, must, show};

/// Runs the tests in an environment that holds the wheel.
pub(in crate::test) fn run(context: &Context) -> anyhow::Result<Outcome> {
    if !has("python3") {
        return Ok(Outcome::Missing("no python3".to_owned()));
    }
    let interpreter = interpreter(&context.root, &context.target)?;
    wheel(&context.root, &context.target, "bindings/python/sandbox", "vitalwire_sandbox-", &["--profile", "dev"])?;
    // -I: neither the source tree nor the user's own packages are importable.
    let mut test = context.program(&interpreter, ".");
    test.args(["-I", "-m", "pytest", "--color=no", "-q", "-p", "no:cacheprovider", "bindings/python/tests"]);
    test.env("VITALWIRE_PROBE", probe(context)?);
    test.env("VITALWIRE_WHEELS", context.target.join(WHEELS));
    test.env("VITALWIRE_SANDBOX_PROGRAM", program::build(&context.root, "vitalwire-cli", &[])?);
    let mut count = match show(&mut test)?.counted(Count::pytest) {
        Outcome::Ran(count) => count,
        missing @ Outcome::Missing(_) => return Ok(missing),
    };
    count += types::check(context, &interpreter)?;
    Ok(Outcome::Ran(count))
}

/// The native part with its echo probe. It is built after the wheel, which must not have it.
fn probe(context: &Context) -> anyhow::Result<PathBuf> {
    must(context.cargo().args(["build", "--package", "vitalwire-python", "--features", "__probe"]))?;
    let probe = context.target.join("python/probe").with_extension(DLL_SUFFIX.trim_start_matches('.'));
    std::fs::copy(context.target.join("debug").join(format!("{DLL_PREFIX}vitalwire_native{DLL_SUFFIX}")), &probe)?;
    Ok(probe)
}

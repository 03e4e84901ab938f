//! pytest on the wheels, in a virtual environment of its own, never on the source tree; and what type checkers say of them.

mod shipped;
mod types;

use std::path::Path;
use std::process::Command;

use crate::build;
use crate::python::{self, WHEELS, interpreter, shared_wheel};
use crate::test::count::Count;
use crate::test::late;
use crate::test::step::{Context, Outcome, show};

pub(in crate::test) use shipped::shipped;

/// Loads what checks types besides Python's own packages.
///
/// # Errors
/// Where npm fails.
pub(in crate::test) fn load(target: &Path) -> anyhow::Result<()> {
    types::load(target)
}

/// Runs the tests in an environment that holds the wheel.
pub(in crate::test) fn run(context: &Context) -> anyhow::Result<Outcome> {
    if let Some(what) = python::missing() {
        return Ok(Outcome::Missing(what.to_owned()));
    }
    let interpreter = interpreter(&context.root, &context.target)?;
    shared_wheel(&context.root, &context.target, "bindings/python/sandbox", "vitalwire_sandbox-")?;
    let mut test = command(context, &interpreter)?;
    let mut again = command(context, &interpreter)?;
    late::counted(&show(&mut test)?, Count::pytest, |_| {
        again.args(["--last-failed", "--last-failed-no-failures", "none"]);
        again
    })
}

/// pytest, which keeps what failed below cargo's folder.
fn command(context: &Context, interpreter: &Path) -> anyhow::Result<Command> {
    // -I: neither the source tree nor the user's own packages are importable.
    let mut test = context.program(interpreter, ".")?;
    test.args(["-I", "-m", "pytest", "--color=no", "-q", "bindings/python/tests"]);
    test.arg("-o").arg(format!("cache_dir={}", context.target.join("pytest").display()));
    test.env("VITALWIRE_PROBE", "1");
    test.env("VITALWIRE_WHEELS", context.target.join(WHEELS));
    test.env("VITALWIRE_SANDBOX_PROGRAM", build::program(&context.root, "vitalwire")?);
    Ok(test)
}

/// Asks the type checkers.
pub(in crate::test) fn types(context: &Context) -> anyhow::Result<Outcome> {
    if let Some(what) = python::missing() {
        return Ok(Outcome::Missing(what.to_owned()));
    }
    Ok(Outcome::Ran(types::check(context, &interpreter(&context.root, &context.target)?)?))
}

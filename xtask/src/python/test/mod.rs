//! pytest on the wheels in a separate virtual environment, never on the source tree, and type checkers.

mod engines;
mod notebooks;
mod postgresql;
mod shipped;
mod types;

use std::path::Path;
use std::process::Command;

use crate::build;
use crate::pypi;
use crate::python::wheel::{WHEELS, interpreter, shared_wheel};
use crate::steps::{Context, Count, Outcome, Step, retries, run_and_show};

/// Steps of `cargo xtask test`.
pub(super) const STEPS: [Step; 6] = [
    Step::new("python", run),
    Step::new("types", types),
    Step::deep("notebooks", notebooks::run),
    Step::deep("engines", engines::run),
    Step::deep("postgresql", postgresql::run),
    Step::deep("python-shipped", shipped::run),
];

/// Downloads the type checkers that are not Python packages.
///
/// # Errors
/// If npm fails.
pub(super) fn download(target: &Path) -> anyhow::Result<()> {
    types::download(target)
}

/// Runs the tests in an environment with the wheel.
fn run(context: &Context) -> anyhow::Result<Outcome> {
    if let Some(what) = pypi::missing() {
        return Ok(Outcome::Missing(what.to_owned()));
    }
    let interpreter = interpreter(&context.root, &context.target)?;
    shared_wheel(&context.root, &context.target, "bindings/python/sandbox", "vitalwire_sandbox-")?;
    let mut test = command(context, &interpreter)?;
    let mut retry = command(context, &interpreter)?;
    retries::count_with_retry(&run_and_show(&mut test)?, Count::pytest, |_| {
        retry.args(["--last-failed", "--last-failed-no-failures", "none"]);
        retry
    })
}

/// Returns the pytest command, which keeps its cache below cargo's target folder.
fn command(context: &Context, interpreter: &Path) -> anyhow::Result<Command> {
    // -I: neither the source tree nor the user's own packages are importable.
    let mut test = context.program(interpreter, ".")?;
    test.args(["-I", "-m", "pytest", "--color=no", "-q", "bindings/python/tests"]);
    test.arg("-o").arg(format!("cache_dir={}", context.target.join("pytest").display()));
    test.env("VITALWIRE_PROBE", "1");
    test.env("VITALWIRE_WHEELS", context.target.join(WHEELS));
    test.env("VITALWIRE_PROGRAM", build::program(&context.root, "vitalwire")?);
    Ok(test)
}

/// Runs the type checkers.
fn types(context: &Context) -> anyhow::Result<Outcome> {
    if let Some(what) = pypi::missing() {
        return Ok(Outcome::Missing(what.to_owned()));
    }
    Ok(Outcome::Ran(types::check(context, &interpreter(&context.root, &context.target)?)?))
}

//! XCTest and Swift Testing, and checks of the package's public API.

mod future_api;
mod guide;
mod redaction;
mod symbol_graph;
mod symbols;

use std::process::Command;

use crate::build;
use crate::steps::{Context, Count, Outcome, Step, retries, run_and_show};
use crate::swift::test_build::{Package, compile, compile_with};
use crate::swift::toolchain::{Toolchain, missing};

/// Steps of `cargo xtask test`.
pub(super) const STEPS: [Step; 2] = [Step::new("swift", run), Step::deep("swift-newest", newest)];

/// A test of `Testing` whose trait starts a sandbox, and its message if the program is not found.
const WITH_A_SANDBOX: &str = "SandboxTraitTests/theSeedIsPassedToTheSandbox";
const REMEDY: &str = "put the program on the PATH or set VITALWIRE_PROGRAM to its path";

/// Runs the package's tests and those of the echo probe, checks its public symbols, and compiles callers against the next release.
fn run(context: &Context) -> anyhow::Result<Outcome> {
    if let Some(what) = missing(&context.root)? {
        return Ok(Outcome::Missing(what.to_owned()));
    }
    check(context, &compile(&context.root)?)
}

/// Runs the tests with the newest Swift. Its `Testing` has test scoping, which the sandbox's traits need. Checks that a test with such a
/// trait fails without a sandbox.
fn newest(context: &Context) -> anyhow::Result<Outcome> {
    if let Some(what) = Toolchain::Newest.missing(&context.root)? {
        return Ok(Outcome::Missing(what.to_owned()));
    }
    let package = compile_with(&context.root, Toolchain::Newest)?;
    let Outcome::Ran(mut count) = check(context, &package)? else { return Ok(Outcome::Ran(Count::failed())) };
    crate::print_line("\nThis test must fail, because its sandbox cannot be started:");
    let mut test = command(context, &package, &["--filter", WITH_A_SANDBOX])?;
    let printed = run_and_show(test.env("VITALWIRE_PROGRAM", "vitalwire-that-is-not-there"))?;
    count += Count::from_check(!printed.success && printed.output.contains(REMEDY));
    Ok(Outcome::Ran(count))
}

fn check(context: &Context, package: &Package) -> anyhow::Result<Outcome> {
    let mut test = command(context, package, &[])?;
    let mut retry = command(context, package, &["--filter"])?;
    let outcome = retries::count_with_retry(&run_and_show(&mut test)?, Count::swift, |output| {
        retry.arg(retries::failed_in_xctest(output));
        retry
    })?;
    let Outcome::Ran(mut count) = outcome else { return Ok(outcome) };
    count += symbols::check(&context.root, package)?;
    count += future_api::check(&context.root, package)?;
    count += guide::check(&context.root, package)?;
    Ok(Outcome::Ran(count))
}

/// Returns the command that runs XCTest and Swift Testing on the built package.
fn command(context: &Context, package: &Package, arguments: &[&str]) -> anyhow::Result<Command> {
    let mut test = package.command("test", &[&["--skip-build"], arguments].concat());
    test.env("VITALWIRE_PROGRAM", build::program(&context.root, "vitalwire")?).env("VITALWIRE_LAST_NIGHT", package.program("LastNight"));
    context.with_tls_server(context.with_sandbox(&mut test)?)?;
    Ok(test)
}

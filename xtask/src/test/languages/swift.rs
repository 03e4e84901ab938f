//! XCTest, and what the package shows to applications.

mod links;
mod next;
mod redaction;
mod symbols;

use std::process::Command;

use crate::build;
use crate::packages::swift::{Package, compiled, missing};
use crate::test::count::Count;
use crate::test::late;
use crate::test::step::{Context, Outcome, show};

/// Compiles the package, runs its tests and those of the echo probe, judges its public symbols, and compiles callers against the next release.
pub(in crate::test) fn run(context: &Context) -> anyhow::Result<Outcome> {
    if let Some(what) = missing(&context.root)? {
        return Ok(Outcome::Missing(what.to_owned()));
    }
    let package = compiled(&context.root)?;
    let mut test = command(context, &package, &[])?;
    let mut again = command(context, &package, &["--filter"])?;
    let outcome = late::counted(&show(&mut test)?, Count::xctest, |output| {
        again.arg(late::of_xctest(output));
        again
    })?;
    let Outcome::Ran(mut count) = outcome else { return Ok(outcome) };
    count += symbols::judge(&context.root, &package)?;
    count += next::judge(&context.root, &package)?;
    Ok(Outcome::Ran(count))
}

/// XCTest over what is built.
fn command(context: &Context, package: &Package, arguments: &[&str]) -> anyhow::Result<Command> {
    let mut test = package.command("test", &[&["--skip-build"], arguments].concat());
    test.env("VITALWIRE_PROGRAM", build::program(&context.root, "vitalwire")?).env("VITALWIRE_LAST_NIGHT", package.program("LastNight"));
    context.told(&mut test)?;
    Ok(test)
}

//! XCTest, and what the package shows to applications.

mod symbols;

use crate::build;
use crate::packages::swift::{compiled, missing};
use crate::test::count::Count;
use crate::test::step::{Context, Outcome, show};

/// Compiles the package, runs its tests and those of the echo probe, and judges its public symbols.
pub(in crate::test) fn run(context: &Context) -> anyhow::Result<Outcome> {
    if let Some(what) = missing(&context.root)? {
        return Ok(Outcome::Missing(what.to_owned()));
    }
    let package = compiled(&context.root)?;
    let mut test = package.command("test", &["--skip-build"]);
    test.env("VITALWIRE_PROGRAM", build::program(&context.root, "vitalwire")?).env("VITALWIRE_LAST_NIGHT", package.program("LastNight"));
    let outcome = show(context.told(&mut test)?)?.counted(Count::xctest);
    let Outcome::Ran(mut count) = outcome else { return Ok(outcome) };
    count += symbols::judge(&package)?;
    Ok(Outcome::Ran(count))
}

//! XCTest.

use crate::packages::swift::{compiled, missing};
use crate::test::count::Count;
use crate::test::step::{Context, Outcome, show};

/// Compiles the package and runs its tests and those of the echo probe.
pub(in crate::test) fn run(context: &Context) -> anyhow::Result<Outcome> {
    if let Some(what) = missing(&context.root)? {
        return Ok(Outcome::Missing(what.to_owned()));
    }
    let mut test = compiled(&context.root)?.command(&["test", "--skip-build"]);
    Ok(show(context.told(&mut test)?)?.counted(Count::xctest))
}

//! The conformance cases in each language.

use crate::conformance::Conformance;
use crate::steps::{Context, Count, Outcome, show};

/// Runs all cases.
pub(super) fn run(context: &Context) -> anyhow::Result<Outcome> {
    let printed = show(&mut Conformance::all().command(&context.root)?)?;
    Ok(printed.counted(Count::conformance))
}

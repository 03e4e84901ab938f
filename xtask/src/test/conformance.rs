//! The conformance cases in each language.

use super::count::Count;
use super::step::{Context, Outcome, show};
use crate::conformance::Conformance;

/// All cases.
pub(super) fn run(context: &Context) -> anyhow::Result<Outcome> {
    let printed = show(&mut Conformance::all().command(&context.root)?)?;
    Ok(printed.counted(Count::conformance))
}

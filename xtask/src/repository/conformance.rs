//! The conformance cases in each language.

use crate::conformance::Conformance;
use crate::steps::{Context, Count, Outcome, run_and_show};

pub(super) fn run(context: &Context) -> anyhow::Result<Outcome> {
    let printed = run_and_show(&mut Conformance::all_cases().command(&context.root)?)?;
    Ok(printed.count_tests(Count::conformance))
}

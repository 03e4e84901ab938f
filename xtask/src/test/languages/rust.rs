//! Every crate's tests, and the examples in the documentation and README.

use crate::build::SHARED;
use crate::test::count::Count;
use crate::test::step::{Context, Outcome, show};

/// `cargo test` for the workspace, with every feature.
pub(in crate::test) fn run(context: &Context) -> anyhow::Result<Outcome> {
    let printed = show(context.cargo().arg("test").args(SHARED).arg("--no-fail-fast"))?;
    Ok(printed.counted(Count::cargo))
}

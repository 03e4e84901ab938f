//! Tests that the sandbox's database and unfinished outputs survive when the program is killed, with more rounds than in the usual tests.

use crate::build::SHARED;
use crate::steps::{Context, Count, Outcome, run_and_show};

const KILLS: &str = "50";

/// Number of interruptions of a range per format.
const INTERRUPTIONS: &str = "20";

/// Runs both tests with more rounds.
pub(super) fn run(context: &Context) -> anyhow::Result<Outcome> {
    let mut test = context.cargo();
    test.arg("test").args(SHARED).args(["--test", "cli", "--", "durability::", "unfinished::", "--nocapture"]);
    test.env("VITALWIRE_KILLS", KILLS).env("VITALWIRE_INTERRUPTIONS", INTERRUPTIONS);
    Ok(run_and_show(&mut test)?.count_tests(Count::cargo))
}

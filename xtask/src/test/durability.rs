//! The sandbox's database and unfinished outputs while the program is ended by force, more often than in the tests of every day.

use crate::build::SHARED;
use crate::steps::{Context, Count, Outcome, show};

/// How often the program is ended.
const KILLS: &str = "50";

/// How often a range is interrupted in each format.
const INTERRUPTIONS: &str = "20";

/// Both tests, with more rounds.
pub(super) fn run(context: &Context) -> anyhow::Result<Outcome> {
    let mut test = context.cargo();
    test.arg("test").args(SHARED).args(["--test", "cli", "--", "durability::", "unfinished::", "--nocapture"]);
    test.env("VITALWIRE_KILLS", KILLS).env("VITALWIRE_INTERRUPTIONS", INTERRUPTIONS);
    Ok(show(&mut test)?.counted(Count::cargo))
}

//! The sandbox's database while the program is ended by force, more often than in the tests of every day.

use super::count::Count;
use super::step::{Context, Outcome, show};
use crate::build::SHARED;

/// How often the program is ended.
const KILLS: &str = "50";

/// The one test, with more rounds.
pub(super) fn run(context: &Context) -> anyhow::Result<Outcome> {
    let mut test = context.cargo();
    test.arg("test").args(SHARED).args(["--test", "cli", "durability::", "--", "--nocapture"]);
    test.env("VITALWIRE_KILLS", KILLS);
    Ok(show(&mut test)?.counted(Count::cargo))
}

//! The night that each package with the program shows.

use std::process::Command;

use anyhow::ensure;

use crate::process::execute;

/// A line of the night that the README shows.
pub(crate) const NIGHT: &str = "in bed 6:47  ·  asleep 6:27";

/// Shows a night with the program, and returns the program's output.
///
/// # Errors
/// If the program fails, or shows something else.
pub(crate) fn show_night(program: &mut Command) -> anyhow::Result<String> {
    let night = ["--sandbox", "--seed", "7", "--today", "2025-11-21", "sleep", "--date", "2025-11-21"];
    let printed = execute(program.args(night))?;
    ensure!(printed.contains(NIGHT), "the program must show the line `{NIGHT}`, but printed:\n{printed}");
    Ok(printed)
}

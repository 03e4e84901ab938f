//! Runs the README's first command in an empty target folder, as a new user does.

use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};

use crate::cargo::clean_command;
use crate::folder;
use crate::steps::{Context, Count, Outcome, run_and_show};

/// The README's time limit, for two idle cores.
const LIMIT: Duration = Duration::from_secs(120);

/// The beginning of the command. The step clones this checkout instead.
const CLONE: &str = "git clone https://github.com/vitalwire/vitalwire";

/// A line on the program's last screen.
const LAST: &str = " calls, ";

/// Runs the command in an empty folder, with a clone of this checkout, and compares its time with the limit in the README.
pub(super) fn run(context: &Context) -> anyhow::Result<Outcome> {
    let readme = std::fs::read_to_string(context.root.join("README.md")).context("reading README.md")?;
    let command = first_command(&readme).context("README.md has no command")?;
    let local = format!("git clone {} vitalwire", context.root.display());
    let line = command.replacen(CLONE, &local, 1);
    ensure!(line != command, "the README's first command must begin with `{CLONE}`, not {command}");
    let folder = context.target.join("demo");
    folder::remove(&folder)?;
    std::fs::create_dir_all(&folder)?;
    let started = Instant::now();
    let mut shell = clean_command("bash");
    let printed = run_and_show(shell.args(["-ec", &line]).current_dir(&folder).env_remove("CARGO_TARGET_DIR"))?;
    let time = started.elapsed();
    std::fs::remove_dir_all(&folder)?;
    crate::print_line(&format!("{command}: {:.1} s, at most {} s", time.as_secs_f64(), LIMIT.as_secs()));
    Ok(Outcome::Ran(Count::from_check(printed.success && printed.output.contains(LAST) && time <= LIMIT)))
}

/// Returns the first line of the first shell block.
fn first_command(readme: &str) -> Option<&str> {
    readme.split_once("```sh\n")?.1.lines().next()
}

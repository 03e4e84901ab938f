//! Makes many calls with the Kotlin package during constant garbage collection, half of them cancelled. Tests that nothing aborts or leaks.

use anyhow::Context as _;

use crate::kotlin::maven::missing;
use crate::kotlin::test_build::bench;
use crate::process::text_variable;
use crate::steps::{Context, Count, Outcome, run_and_show};
use crate::uniffi::library_folder;

/// Default number of calls.
const CALLS: u64 = 1_000_000;
const VARIABLE: &str = "VITALWIRE_CALLS";

/// A small heap that is allocated at the start, so that the JVM does not contribute to the growth of the process.
const OPTIONS: [&str; 4] = ["-Xms96m", "-Xmx96m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC"];

/// Counts each check of the program as a test.
pub(super) fn run(context: &Context) -> anyhow::Result<Outcome> {
    if let Some(what) = missing() {
        return Ok(Outcome::Missing(format!("{what}; install a JDK 17 and Maven")));
    }
    let calls = text_variable(VARIABLE)?.map_or(Ok(CALLS), |calls| calls.parse());
    let calls = calls.with_context(|| format!("{VARIABLE} must be a whole number"))?;
    let mut program = bench(&context.root, &library_folder(&context.root)?, "CallStress", &OPTIONS)?;
    context.with_sandbox(&mut program)?;
    Ok(run_and_show(program.arg(calls.to_string()))?.count_tests(count_checks))
}

fn count_checks(output: &str) -> Count {
    let mut count = Count::default();
    for line in output.lines() {
        match line.split_once(' ') {
            Some(("ok", _)) => count.passed += 1,
            Some(("FAILED", _)) => count.failed += 1,
            _ => {}
        }
    }
    count
}

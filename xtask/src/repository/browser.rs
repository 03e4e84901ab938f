//! Tests of the sandbox's pages in a real headless browser.

use crate::build::SHARED;
use crate::process::has;
use crate::steps::{Context, Count, Outcome, run_and_show};

/// Program names of supported browsers.
const PROGRAMS: [&str; 2] = ["chromium", "google-chrome"];

/// Runs the tests that need a browser, which `cargo test` skips.
pub(super) fn run(context: &Context) -> anyhow::Result<Outcome> {
    let Some(program) = PROGRAMS.into_iter().find(|program| has(program)) else {
        return Ok(Outcome::Missing("no chromium (Debian's package `chromium`)".to_owned()));
    };
    let mut test = context.cargo();
    test.arg("test").args(SHARED).args(["--test", "service", "browser::", "--", "--ignored", "--nocapture"]);
    test.env("VITALWIRE_CHROMIUM", program);
    Ok(run_and_show(&mut test)?.count_tests(Count::cargo))
}

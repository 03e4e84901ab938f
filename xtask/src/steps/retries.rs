//! Retries of failed tests, alone: a timeout on a busy machine says nothing about the code. A test that then passes counts as passed and is
//! reported as flaky. A test that fails twice has failed.

use std::process::Command;

use super::context::{CommandOutput, Outcome, run_and_show};
use super::count::Count;

/// Maximum number of failed tests to retry. A busy machine does not cause more.
const MAX_RETRIED: usize = 8;

/// Returns the count of a run. `retry` receives the output and returns the command that runs the failed tests alone.
///
/// # Errors
/// If that command cannot be started.
pub(crate) fn count_with_retry(
    first: &CommandOutput,
    read: fn(&str) -> Count,
    retry: impl FnOnce(&str) -> Command,
) -> anyhow::Result<Outcome> {
    let outcome = first.count_tests(read);
    let Outcome::Ran(count) = outcome else { return Ok(outcome) };
    let failed = read(&first.output).failed;
    if !(1..=MAX_RETRIED).contains(&failed) {
        return Ok(outcome);
    }
    crate::print_line(&format!("\n{failed} failed; retrying them alone:"));
    let second = run_and_show(&mut retry(&first.output))?;
    Ok(Outcome::Ran(combine(count, read(&second.output), second.success)))
}

/// Combines two runs, the second of which ran the failed tests of the first.
fn combine(first: Count, second: Count, success: bool) -> Count {
    // Ignore a run that had other tests, or failed for another reason.
    let whole = second.passed + second.failed == first.failed && success == (second.failed == 0);
    let flaky = if whole { second.passed } else { 0 };
    Count { passed: first.passed + flaky, failed: first.failed - flaky, flaky }
}

/// Returns the failed tests in cargo's output.
pub(crate) fn failed_in_cargo(output: &str) -> impl Iterator<Item = &str> {
    output.lines().filter_map(|line| line.strip_prefix("test ")?.strip_suffix(" ... FAILED"))
}

/// Returns the failed tests in XCTest's output, as an expression for its filter.
pub(crate) fn failed_in_xctest(output: &str) -> String {
    let name = |line: &str| Some(line.split_once("Test Case '")?.1.split_once("' failed (")?.0.replace('.', "/") + "$");
    output.lines().filter_map(name).collect::<Vec<_>>().join("|")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(passed: usize, failed: usize) -> Count {
        Count { passed, failed, flaky: 0 }
    }

    #[test]
    fn a_test_that_passes_when_retried_alone_is_flaky() {
        assert_eq!(combine(count(40, 2), count(2, 0), true), Count { passed: 42, failed: 0, flaky: 2 });
        assert_eq!(combine(count(40, 2), count(1, 1), false), Count { passed: 41, failed: 1, flaky: 1 });
        for (second, success) in [(count(0, 2), false), (count(0, 0), true), (count(1, 0), true), (count(2, 0), false), (count(1, 1), true)]
        {
            assert_eq!(combine(count(40, 2), second, success), count(40, 2), "{second:?} {success}");
        }
    }

    #[test]
    fn names_of_failed_tests_are_read_from_the_output() {
        let cargo = "test a::b ... ok\ntest a::late ... FAILED\ntest result: FAILED. 1 passed; 1 failed;\nfailures:\n    a::late\n";
        assert_eq!(failed_in_cargo(cargo).collect::<Vec<_>>(), ["a::late"]);
        let xctest = "Test Case 'UploadTests.testOne' passed (0.1 seconds)\nTest Case 'UploadTests.testLate' failed (0.2 seconds)\n\
                      Test Case 'WaitTests.testLate' failed (0.2 seconds)\n";
        assert_eq!(failed_in_xctest(xctest), "UploadTests/testLate$|WaitTests/testLate$");
    }
}

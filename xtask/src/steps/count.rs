//! Numbers of passed and failed tests, parsed from the output of each test runner.

use std::ops::AddAssign;

/// Numbers of passed and failed tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
    /// Number of passed tests that passed only when retried alone.
    pub(crate) flaky: usize,
}

impl AddAssign for Count {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.flaky += other.flaky;
    }
}

impl Count {
    /// Returns the count of a step that failed as a whole.
    pub(crate) fn failed() -> Self {
        Self { failed: 1, ..Self::default() }
    }

    /// Returns the count of a check that is one test.
    pub(crate) fn from_check(passed: bool) -> Self {
        if passed { Self { passed: 1, ..Self::default() } } else { Self::failed() }
    }

    /// Parses `test result: ok. 3 passed; 0 failed; ...`, one line per test program.
    pub(crate) fn cargo(output: &str) -> Self {
        let mut total = Self::default();
        for line in output.lines().filter(|line| line.starts_with("test result:")) {
            total += Self { passed: number_before(line, " passed"), failed: number_before(line, " failed"), flaky: 0 };
        }
        total
    }

    /// Parses `rust: 3 passed, 1 failed`, one line per language.
    pub(crate) fn conformance(output: &str) -> Self {
        let mut total = Self::default();
        for line in output
            .lines()
            .filter(|line| line.contains(" passed, ") && line.split_whitespace().next().is_some_and(|word| word.ends_with(':')))
        {
            total += Self { passed: number_before(line, " passed"), failed: number_before(line, " failed"), flaky: 0 };
        }
        total
    }

    /// Parses `1234 passed, 0 failed`, the last line of all steps.
    pub(crate) fn total(output: &str) -> Self {
        let line = output.lines().rev().find(|line| line.contains(" passed, ") && line.ends_with(" failed"));
        line.map_or_else(Self::default, |line| Self {
            passed: number_before(line, " passed"),
            failed: number_before(line, " failed"),
            flaky: 0,
        })
    }

    /// Parses `3 passed, 1 failed in 0.5s`, pytest's last line.
    pub(crate) fn pytest(output: &str) -> Self {
        let line = output
            .lines()
            .rev()
            .find(|line| line.contains(" in ") && (line.contains(" passed") || line.contains(" failed") || line.contains(" error")));
        line.map_or_else(Self::default, |line| Self {
            passed: number_before(line, " passed"),
            failed: number_before(line, " failed") + number_before(line, " error"),
            flaky: 0,
        })
    }

    /// Parses `Executed 7 tests, with 1 failure (0 unexpected) in ...`. The last such line is for the whole run.
    pub(crate) fn xctest(output: &str) -> Self {
        let Some(line) = output.lines().rev().find(|line| line.contains("Executed ") && line.contains(" test")) else {
            return Self::default();
        };
        let failed = number_before(line, " failure");
        Self { passed: number_before(line, " test").saturating_sub(failed), failed, flaky: 0 }
    }

    /// Counts XCTest's tests and those of `Testing`: `Test run with 7 tests in 2 suites failed after 0.1 seconds with 3 issues.`
    pub(crate) fn swift(output: &str) -> Self {
        let mut total = Self::xctest(output);
        let Some(line) = output.lines().rev().find(|line| line.contains("Test run with ") && line.contains(" after ")) else {
            return total;
        };
        let tests = number_after(line, "Test run with ");
        // A parameterized test reports each failed case, then its own failure.
        let named = |line: &&str| line.contains(" Test ") && line.contains(" failed after ") && !line.contains(" Test run ");
        let failed = output.lines().filter(named).count().max(usize::from(line.contains(" failed after ")));
        total += Self { passed: tests.saturating_sub(failed), failed, flaky: 0 };
        total
    }

    /// Parses `Tests run: 7, Failures: 1, Errors: 0, Skipped: 0, Flakes: 1`. The last such line is for the whole run. A flake passed when
    /// retried.
    pub(crate) fn surefire(output: &str) -> Self {
        let Some(line) = output.lines().rev().find(|line| line.contains("Tests run:")) else { return Self::default() };
        let failed = number_after(line, "Failures: ") + number_after(line, "Errors: ");
        let passed = number_after(line, "Tests run: ").saturating_sub(failed + number_after(line, "Skipped: "));
        Self { passed, failed, flaky: number_after(line, "Flakes: ") }
    }

    /// Parses `1423 generated, 7 found 7 unique failures, 20 skipped`. Each request is a test.
    pub(crate) fn schemathesis(output: &str) -> Self {
        let Some(line) = output.lines().rev().find(|line| line.contains(" generated, ")) else { return Self::default() };
        let failed = number_before(line, " unique failure");
        Self { passed: number_before(line, " generated").saturating_sub(failed), failed, flaky: 0 }
    }

    /// Parses `67% tests passed, 1 tests failed out of 3`. A failed test is reported for each attempt.
    pub(crate) fn ctest(output: &str) -> Self {
        let Some(line) = output.lines().rev().find(|line| line.contains("tests failed out of")) else { return Self::default() };
        let failed = number_before(line, " tests failed");
        let flaky = if failed == 0 { output.matches("***Failed").count() } else { 0 };
        Self { passed: number_after(line, "out of ").saturating_sub(failed), failed, flaky }
    }
}

/// Returns the number just before a text, or 0.
fn number_before(line: &str, text: &str) -> usize {
    let Some(at) = line.find(text) else { return 0 };
    let digits: String = line[..at].chars().rev().take_while(char::is_ascii_digit).collect();
    digits.chars().rev().collect::<String>().parse().unwrap_or(0)
}

/// Returns the number just after a text, or 0.
fn number_after(line: &str, text: &str) -> usize {
    let Some(at) = line.find(text) else { return 0 };
    line[at + text.len()..].chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(passed: usize, failed: usize) -> Count {
        Count { passed, failed, flaky: 0 }
    }

    #[test]
    fn the_output_of_each_runner_is_counted() {
        let cargo = "test result: ok. 42 passed; 0 failed; 7 ignored\ntest result: FAILED. 3 passed; 2 failed; 0 ignored";
        assert_eq!(Count::cargo(cargo), count(45, 2));
        assert_eq!(
            Count::conformance("area  rust\na  3/5\nrust: 3 passed, 2 failed\nc: 5 passed, 0 failed, 4 known to fail\n"),
            count(8, 2)
        );
        assert_eq!(Count::total("c: 9 passed, 0 failed, 1.0 s\n15201 passed, 2 failed\nerror: 2 tests failed\n"), count(15_201, 2));
        assert_eq!(Count::pytest("x.py ..F\n1 failed, 12 passed in 0.52s\n"), count(12, 1));
        assert_eq!(Count::pytest("===== 2 passed, 1 error in 1.00s =====\n"), count(2, 1));
        let xctest = "\t Executed 1 test, with 0 failures (0 unexpected) in 0.1 (0.1) seconds\n\t Executed 7 tests, with 2 failures (0 unexpected) in 0.1 (0.1) seconds";
        assert_eq!(Count::xctest(xctest), count(5, 2));
        let testing = "✘ Test one() failed after 0.1 seconds with 2 issues.\n✘ Suite A failed after 0.1 seconds with 2 issues.\n\
                       ✘ Test run with 4 tests in 2 suites failed after 0.1 seconds with 2 issues.";
        assert_eq!(Count::swift(&format!("{xctest}\n{testing}")), count(8, 3));
        assert_eq!(Count::swift("✔ Test run with 1 test passed after 0.1 seconds."), count(1, 0));
        assert_eq!(Count::swift("✘ Test run with 1 test in 1 suite failed after 0.1 seconds with 1 issue."), count(0, 1));
        assert_eq!(Count::surefire("[ERROR] Tests run: 7, Failures: 1, Errors: 2, Skipped: 1"), count(3, 3));
        assert_eq!(
            Count::surefire("[WARNING] Tests run: 7, Failures: 0, Errors: 0, Skipped: 1, Flakes: 2"),
            Count { flaky: 2, ..count(6, 0) }
        );
        assert_eq!(Count::schemathesis("Test cases:\n  90 generated, 1 found 1 unique failure, 2 skipped\n"), count(89, 1));
        assert_eq!(Count::schemathesis("Test cases:\n  90 generated, 90 passed, 2 skipped\n\nSeed: 7\n"), count(90, 0));
        assert_eq!(Count::ctest("67% tests passed, 1 tests failed out of 3"), count(2, 1));
        let again = "1/1 Test #1: calls ...***Failed  0.1 sec\n    Test #1: calls ...   Passed  0.1 sec\n100% tests passed, 0 tests failed out of 3";
        assert_eq!(Count::ctest(again), Count { flaky: 1, ..count(3, 0) });
    }

    #[test]
    fn output_without_tests_counts_zero() {
        for read in [
            Count::cargo,
            Count::conformance,
            Count::total,
            Count::pytest,
            Count::xctest,
            Count::swift,
            Count::surefire,
            Count::schemathesis,
            Count::ctest,
        ] {
            assert_eq!(read("error: could not compile"), count(0, 0));
        }
    }
}

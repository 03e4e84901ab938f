//! Report of a run in all languages, for people.

use std::fmt::Write;
use std::time::Duration;

use crate::case::Case;
use crate::ledger::{KnownFailure, Ledger};

/// The verdict on a case in a language.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Verdict {
    Passed,
    /// The case failed, for these reasons.
    Failed(Vec<String>),
    /// The case failed as the ledger states.
    Known(KnownFailure),
    /// The case passed, but the ledger lists it as failing.
    UnexpectedPass,
    /// The case passed on a retry. Has the reasons of the first failure.
    PassedOnRetry(Vec<String>),
}

impl Verdict {
    fn is_pass(&self) -> bool {
        matches!(self, Self::Passed | Self::PassedOnRetry(_))
    }
}

/// The results of one language, in the order of the cases.
#[derive(Debug)]
pub struct LanguageResults {
    language: String,
    verdicts: Vec<(String, Verdict)>,
    /// Problems outside the cases.
    problems: Vec<String>,
    /// Duration of the run.
    time: Duration,
}

impl LanguageResults {
    /// Collects the verdicts of a language's run. `judge` returns the reasons why a case fails.
    #[must_use]
    pub fn new(language: &str, time: Duration, cases: &[&Case], ledger: &Ledger, judge: impl Fn(&Case) -> Vec<String>) -> Self {
        let verdict = |case: &&Case| {
            let verdict = match (judge(case), ledger.known(&case.id)) {
                (reasons, None) if reasons.is_empty() => Verdict::Passed,
                (reasons, Some(_)) if reasons.is_empty() => Verdict::UnexpectedPass,
                (reasons, None) => Verdict::Failed(reasons),
                (_, Some(known_failure)) => Verdict::Known(known_failure),
            };
            (case.id.clone(), verdict)
        };
        Self { language: language.to_owned(), verdicts: cases.iter().map(verdict).collect(), problems: Vec::new(), time }
    }

    /// Adds a problem outside the cases, for example a runner that ended with an error.
    pub fn add_problem(&mut self, problem: String) {
        self.problems.push(problem);
    }

    /// Whether a case fails unexpectedly.
    #[must_use]
    pub fn has_failed(&self, id: &str) -> bool {
        self.verdicts.iter().any(|(known, verdict)| known == id && matches!(verdict, Verdict::Failed(_)))
    }

    /// Records that a failed case passed on a retry.
    pub fn passed_on_retry(&mut self, id: &str) {
        for (_, verdict) in self.verdicts.iter_mut().filter(|(known, _)| known == id) {
            if let Verdict::Failed(reasons) = verdict {
                *verdict = Verdict::PassedOnRetry(std::mem::take(reasons));
            }
        }
    }

    fn count(&self, matches: impl Fn(&Verdict) -> bool) -> usize {
        self.verdicts.iter().filter(|(_, verdict)| matches(verdict)).count()
    }

    /// Returns the number of unexpected results and problems outside the cases.
    #[must_use]
    pub fn failures(&self) -> usize {
        self.count(|verdict| matches!(verdict, Verdict::Failed(_) | Verdict::UnexpectedPass)) + self.problems.len()
    }
}

/// Returns the matrix of areas and languages, then each failure, then a line per language.
#[must_use]
pub fn render(columns: &[LanguageResults]) -> String {
    let mut text = matrix(columns);
    for column in columns {
        for (id, verdict) in &column.verdicts {
            match verdict {
                Verdict::Failed(reasons) => write_reasons(&mut text, &format!("{}: {id}", column.language), reasons),
                Verdict::PassedOnRetry(reasons) => {
                    write_reasons(&mut text, &format!("{}: {id} passed on a retry; first failure:", column.language), reasons)
                }
                Verdict::UnexpectedPass => {
                    let _ = writeln!(text, "{}: {id}\n    passes, but the ledger lists it as a failure", column.language);
                }
                Verdict::Passed | Verdict::Known(_) => {}
            }
        }
        for problem in &column.problems {
            let _ = writeln!(text, "{}: {problem}", column.language);
        }
    }
    for column in columns {
        let known = |known_failure, words: &str| match column.count(|verdict| *verdict == Verdict::Known(known_failure)) {
            0 => String::new(),
            known => format!(", {known} {words}"),
        };
        let ledger = [known(KnownFailure::NotYet, "not yet"), known(KnownFailure::Never, "never")].concat();
        let passed = column.count(Verdict::is_pass);
        let seconds = column.time.as_secs_f64();
        let _ = writeln!(text, "{}: {passed} passed, {} failed{ledger}, {seconds:.1} s", column.language, column.failures());
    }
    text
}

fn write_reasons(text: &mut String, head: &str, reasons: &[String]) {
    let _ = writeln!(text, "{head}");
    for reason in reasons {
        let _ = writeln!(text, "    {reason}");
    }
}

fn matrix(columns: &[LanguageResults]) -> String {
    let Some(first) = columns.first() else { return String::new() };
    let area = |id: &str| id.split('.').next().unwrap_or_default().to_owned();
    let mut areas: Vec<String> = first.verdicts.iter().map(|(id, _)| area(id)).collect();
    areas.dedup();
    let wide = areas.iter().map(String::len).max().unwrap_or_default().max(4);
    let width = |column: &LanguageResults| column.language.len().max(9);
    let mut text = format!("{:wide$}", "area");
    for column in columns {
        let _ = write!(text, "  {:>1$}", column.language, width(column));
    }
    text.push('\n');
    for name in areas {
        let _ = write!(text, "{name:wide$}");
        for column in columns {
            let verdicts: Vec<&Verdict> = column.verdicts.iter().filter(|(id, _)| area(id) == name).map(|(_, verdict)| verdict).collect();
            let passed = verdicts.iter().filter(|verdict| verdict.is_pass()).count();
            let possible = verdicts.iter().filter(|verdict| ***verdict != Verdict::Known(KnownFailure::Never)).count();
            let cell = if possible == 0 { "never".to_owned() } else { format!("{passed}/{possible}") };
            let _ = write!(text, "  {cell:>0$}", width(column));
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]

    use super::*;

    fn column(verdicts: &[(&str, Verdict)]) -> LanguageResults {
        let verdicts = verdicts.iter().map(|(id, verdict)| ((*id).to_owned(), verdict.clone())).collect();
        LanguageResults { language: "rust".to_owned(), verdicts, problems: Vec::new(), time: Duration::from_millis(1250) }
    }

    #[test]
    fn the_summary_counts_cases() {
        let mut column = column(&[
            ("a.x.one", Verdict::Passed),
            ("a.x.two", Verdict::Failed(vec!["outcome /b: expected 1, got 2".to_owned()])),
            ("b.x.one", Verdict::Known(KnownFailure::NotYet)),
            ("b.x.two", Verdict::UnexpectedPass),
            ("b.x.three", Verdict::Known(KnownFailure::Never)),
            ("c.x.one", Verdict::Known(KnownFailure::Never)),
        ]);
        column.add_problem("the runner ended with status 3".to_owned());
        assert_eq!(column.failures(), 3);
        let expected = "area       rust\na           1/2\nb           0/2\nc         never\nrust: a.x.two\n    outcome /b: expected 1, got 2\n\
            rust: b.x.two\n    passes, but the ledger lists it as a failure\nrust: the runner ended with status 3\n\
            rust: 1 passed, 3 failed, 1 not yet, 2 never, 1.2 s\n";
        assert_eq!(render(&[column]), expected);
    }

    #[test]
    fn a_case_that_passes_on_a_retry_is_reported_as_passed() {
        let mut column = column(&[("a.x.one", Verdict::Failed(vec!["late".to_owned()])), ("a.x.two", Verdict::UnexpectedPass)]);
        assert!(column.has_failed("a.x.one") && !column.has_failed("a.x.two"));
        column.passed_on_retry("a.x.one");
        column.passed_on_retry("a.x.two");
        assert!(!column.has_failed("a.x.one"));
        let expected = "area       rust\na           1/2\nrust: a.x.one passed on a retry; first failure:\n    late\n\
            rust: a.x.two\n    passes, but the ledger lists it as a failure\nrust: 1 passed, 1 failed, 1.2 s\n";
        assert_eq!(render(&[column]), expected);
    }
}

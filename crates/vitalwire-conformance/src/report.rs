//! Report of a run in all languages, for people.

use std::fmt::Write;
use std::time::Duration;

use crate::case::Case;
use crate::ledger::{Lack, Ledger};

/// The verdict on a case in a language.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Verdict {
    /// The case passed.
    Passed,
    /// The case failed, for these reasons.
    Failed(Vec<String>),
    /// The case failed as the ledger states.
    Known(Lack),
    /// The case passed, but the ledger lists it as failing.
    Unexpected,
    /// The case passed when it was run again. Has the reasons of the first failure.
    Late(Vec<String>),
}

impl Verdict {
    fn holds(&self) -> bool {
        matches!(self, Self::Passed | Self::Late(_))
    }
}

/// A language's verdicts, in the order of the cases.
#[derive(Debug)]
pub struct Column {
    language: String,
    verdicts: Vec<(String, Verdict)>,
    /// Problems outside the cases.
    others: Vec<String>,
    /// Duration of the run.
    time: Duration,
}

impl Column {
    /// Collects the verdicts of a language's run. `judge` returns the reasons why a case fails.
    #[must_use]
    pub fn of(language: &str, time: Duration, cases: &[&Case], ledger: &Ledger, judge: impl Fn(&Case) -> Vec<String>) -> Self {
        let verdict = |case: &&Case| {
            let verdict = match (judge(case), ledger.reason(&case.id)) {
                (reasons, None) if reasons.is_empty() => Verdict::Passed,
                (reasons, Some(_)) if reasons.is_empty() => Verdict::Unexpected,
                (reasons, None) => Verdict::Failed(reasons),
                (_, Some((_, lack))) => Verdict::Known(lack),
            };
            (case.id.clone(), verdict)
        };
        Self { language: language.to_owned(), verdicts: cases.iter().map(verdict).collect(), others: Vec::new(), time }
    }

    /// Adds a problem outside the cases, for example a runner that ended with an error.
    pub fn also(&mut self, what: String) {
        self.others.push(what);
    }

    /// Whether a case fails unexpectedly.
    #[must_use]
    pub fn has_failed(&self, id: &str) -> bool {
        self.verdicts.iter().any(|(known, verdict)| known == id && matches!(verdict, Verdict::Failed(_)))
    }

    /// Records that a failed case passed when it was run again.
    pub fn held_in_replay(&mut self, id: &str) {
        for (_, verdict) in self.verdicts.iter_mut().filter(|(known, _)| known == id) {
            if let Verdict::Failed(reasons) = verdict {
                *verdict = Verdict::Late(std::mem::take(reasons));
            }
        }
    }

    fn count(&self, of: impl Fn(&Verdict) -> bool) -> usize {
        self.verdicts.iter().filter(|(_, verdict)| of(verdict)).count()
    }

    /// Returns the number of unexpected results and problems outside the cases.
    #[must_use]
    pub fn failures(&self) -> usize {
        self.count(|verdict| matches!(verdict, Verdict::Failed(_) | Verdict::Unexpected)) + self.others.len()
    }
}

/// Returns the matrix of areas and languages, then each failure, then a line per language.
#[must_use]
pub fn text(columns: &[Column]) -> String {
    let mut text = matrix(columns);
    for column in columns {
        for (id, verdict) in &column.verdicts {
            match verdict {
                Verdict::Failed(reasons) => lines(&mut text, &format!("{}: {id}", column.language), reasons),
                Verdict::Late(reasons) => {
                    lines(&mut text, &format!("{}: {id} held when it was played again; before:", column.language), reasons)
                }
                Verdict::Unexpected => {
                    let _ = writeln!(text, "{}: {id}\n    passes, and the ledger says it fails", column.language);
                }
                Verdict::Passed | Verdict::Known(_) => {}
            }
        }
        for what in &column.others {
            let _ = writeln!(text, "{}: {what}", column.language);
        }
    }
    for column in columns {
        let known = |lack, words: &str| match column.count(|verdict| *verdict == Verdict::Known(lack)) {
            0 => String::new(),
            known => format!(", {known} {words}"),
        };
        let ledger = [known(Lack::NotYet, "not yet"), known(Lack::Never, "never")].concat();
        let passed = column.count(Verdict::holds);
        let seconds = column.time.as_secs_f64();
        let _ = writeln!(text, "{}: {passed} passed, {} failed{ledger}, {seconds:.1} s", column.language, column.failures());
    }
    text
}

fn lines(text: &mut String, head: &str, reasons: &[String]) {
    let _ = writeln!(text, "{head}");
    for reason in reasons {
        let _ = writeln!(text, "    {reason}");
    }
}

fn matrix(columns: &[Column]) -> String {
    let Some(first) = columns.first() else { return String::new() };
    let area = |id: &str| id.split('.').next().unwrap_or_default().to_owned();
    let mut areas: Vec<String> = first.verdicts.iter().map(|(id, _)| area(id)).collect();
    areas.dedup();
    let wide = areas.iter().map(String::len).max().unwrap_or_default().max(4);
    let width = |column: &Column| column.language.len().max(9);
    let mut text = format!("{:wide$}", "area");
    for column in columns {
        let _ = write!(text, "  {:>1$}", column.language, width(column));
    }
    text.push('\n');
    for name in areas {
        let _ = write!(text, "{name:wide$}");
        for column in columns {
            let of: Vec<&Verdict> = column.verdicts.iter().filter(|(id, _)| area(id) == name).map(|(_, verdict)| verdict).collect();
            let passed = of.iter().filter(|verdict| verdict.holds()).count();
            let possible = of.iter().filter(|verdict| ***verdict != Verdict::Known(Lack::Never)).count();
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

    fn column(verdicts: &[(&str, Verdict)]) -> Column {
        let verdicts = verdicts.iter().map(|(id, verdict)| ((*id).to_owned(), verdict.clone())).collect();
        Column { language: "rust".to_owned(), verdicts, others: Vec::new(), time: Duration::from_millis(1250) }
    }

    #[test]
    fn the_end_counts_cases() {
        let mut column = column(&[
            ("a.x.one", Verdict::Passed),
            ("a.x.two", Verdict::Failed(vec!["outcome /b: expected 1, got 2".to_owned()])),
            ("b.x.one", Verdict::Known(Lack::NotYet)),
            ("b.x.two", Verdict::Unexpected),
            ("b.x.three", Verdict::Known(Lack::Never)),
            ("c.x.one", Verdict::Known(Lack::Never)),
        ]);
        column.also("the runner ended with status 3".to_owned());
        assert_eq!(column.failures(), 3);
        let expected = "area       rust\na           1/2\nb           0/2\nc         never\nrust: a.x.two\n    outcome /b: expected 1, got 2\n\
            rust: b.x.two\n    passes, and the ledger says it fails\nrust: the runner ended with status 3\n\
            rust: 1 passed, 3 failed, 1 not yet, 2 never, 1.2 s\n";
        assert_eq!(text(&[column]), expected);
    }

    #[test]
    fn a_case_that_held_in_a_replay_is_passed_and_told() {
        let mut column = column(&[("a.x.one", Verdict::Failed(vec!["late".to_owned()])), ("a.x.two", Verdict::Unexpected)]);
        assert!(column.has_failed("a.x.one") && !column.has_failed("a.x.two"));
        column.held_in_replay("a.x.one");
        column.held_in_replay("a.x.two");
        assert!(!column.has_failed("a.x.one"));
        let expected = "area       rust\na           1/2\nrust: a.x.one held when it was played again; before:\n    late\n\
            rust: a.x.two\n    passes, and the ledger says it fails\nrust: 1 passed, 1 failed, 1.2 s\n";
        assert_eq!(text(&[column]), expected);
    }
}

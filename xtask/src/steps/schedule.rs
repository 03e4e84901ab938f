//! Parallel execution of steps: while one waits for the network, a timer or a lock, another uses the processors.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::context::{Context, Outcome};
use super::count::Count;
use super::step::Step;
use crate::build;
use crate::output;

pub(crate) struct StepResult {
    pub(crate) name: &'static str,
    pub(crate) time: Duration,
    /// Number of units that cargo compiled for the step.
    pub(crate) units: usize,
    pub(crate) count: Count,
    /// The reason why it failed as a whole or was skipped.
    pub(crate) note: String,
    /// Output of the step, if it was captured.
    pub(crate) output: String,
}

/// Runs steps in their order, `at_once` in parallel. The output of a step is shown when it ends, or immediately if steps run one at a time.
/// The output of failed steps comes last.
pub(crate) fn run(steps: &[Step], context: &Context, at_once: usize, ci: bool) -> Vec<StepResult> {
    let queue = Mutex::new(steps.iter().collect::<VecDeque<_>>());
    let done = Mutex::new(Vec::new());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
    let work = || {
        while let Some(step) = next() {
            let ran = if at_once == 1 {
                crate::print_line(&format!("\n== {}", step.name));
                run_step(step, context, ci)
            } else {
                crate::print_line(&format!("== {} started", step.name));
                let (ran, output) = output::capture(|| run_step(step, context, ci));
                let failed = ran.count.failed > 0;
                let (word, shown) = if failed { ("failed after", "") } else { ("took", output.as_str()) };
                crate::print_line(&format!("\n== {} {word} {:.1} s\n{shown}", step.name, ran.time.as_secs_f64()));
                StepResult { output: if failed { output } else { String::new() }, ..ran }
            };
            done.lock().unwrap_or_else(PoisonError::into_inner).push(ran);
        }
    };
    thread::scope(|scope| (0..at_once).for_each(|_| drop(scope.spawn(work))));
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    let place = |ran: &StepResult| steps.iter().position(|step| step.name == ran.name);
    done.sort_by_key(place);
    done
}

fn run_step(step: &Step, context: &Context, ci: bool) -> StepResult {
    let started = Instant::now();
    build::take_units();
    let (count, note) = evaluate((step.run)(context), ci);
    StepResult { name: step.name, time: started.elapsed(), units: build::take_units(), count, note, output: String::new() }
}

/// Converts an outcome to a count. A step without tests, or one that could not run on CI, has failed.
fn evaluate(outcome: anyhow::Result<Outcome>, ci: bool) -> (Count, String) {
    match outcome {
        Ok(Outcome::Ran(count)) if count.passed + count.failed == 0 => (Count::failed(), "no test ran".to_owned()),
        Ok(Outcome::Ran(count)) if count.flaky > 0 => (count, format!("{} failed at first and passed when retried alone", count.flaky)),
        Ok(Outcome::Ran(count)) => (count, String::new()),
        Ok(Outcome::Done) => (Count::default(), String::new()),
        Ok(Outcome::Missing(what)) if ci => (Count::failed(), format!("{what}; CI must run every step")),
        Ok(Outcome::Missing(what)) => (Count::default(), format!("skipped: {what}")),
        Err(error) => (Count::failed(), format!("{error:#}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_without_tests_has_failed() {
        assert_eq!(evaluate(Ok(Outcome::Ran(Count::default())), false).0, Count::failed());
    }

    #[test]
    fn a_missing_toolchain_fails_on_ci_only() {
        let missing = || Ok(Outcome::Missing("no Swift".to_owned()));
        assert_eq!(evaluate(missing(), false).0, Count::default());
        assert_eq!(evaluate(missing(), true).0, Count::failed());
    }
}

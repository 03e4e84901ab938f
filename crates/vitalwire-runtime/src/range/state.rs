//! The state of a run of parts: what is done, what has failed, and what is left.

use futures_util::stream::BoxStream;

use super::RangeOperation;
use super::plan::Plan;
use super::split::OnError;
use super::stream::PartFailure;
use super::token::{Origin, ResumeToken};
use crate::error::Error;

/// Called after each part.
pub type Report = Box<dyn FnMut(Progress) + Send>;

/// Index and response of each part, in order.
pub type Running<T> = BoxStream<'static, (u32, Result<T, Error>)>;

/// The progress of a run. Parts of an earlier run are not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Parts that are done, including failures that were collected.
    pub done: u32,
    /// Parts of this run.
    pub total: u32,
    /// Items so far; rows, if the responses are read as a table.
    pub items: u64,
}

/// The settings and the state of a run.
pub struct RunState<O: RangeOperation> {
    /// The call that is made in parts.
    pub origin: Origin,
    /// Its parts.
    pub plan: Plan<O::Range>,
    /// The parts of this run.
    todo: Vec<(u32, u32)>,
    /// What happens when a part fails.
    pub on_error: OnError,
    /// Failed parts of this run that were skipped.
    failed: Vec<u32>,
    /// The progress so far.
    pub progress: Progress,
    report: Option<Report>,
}

impl<O: RangeOperation> RunState<O> {
    /// Creates the state at the beginning of a run.
    pub fn new(origin: Origin, plan: Plan<O::Range>, todo: Vec<(u32, u32)>, on_error: OnError, report: Option<Report>) -> Self {
        let total = todo.iter().map(|(first, last)| last - first + 1).sum();
        Self { origin, plan, todo, on_error, failed: Vec::new(), progress: Progress { done: 0, total, items: 0 }, report }
    }

    /// Returns a token for all parts that have failed or are not done yet; `None` if nothing is left.
    pub fn resume_token(&self) -> Option<ResumeToken> {
        // By sequences: it is asked for after each part, and there may be 100,000.
        let mut done = self.progress.done;
        let left = self.todo.iter().filter_map(|(first, last)| {
            let passed = done.min(last - first + 1);
            done -= passed;
            (first + passed <= *last).then_some((first + passed, *last))
        });
        ResumeToken::of_sequences(&self.origin, self.failed.iter().map(|part| (*part, *part)).chain(left))
    }

    /// Records that a part is done.
    pub fn advance(&mut self, items: usize) {
        self.pass(1, items);
    }

    /// Records that a part has failed: it is skipped, or the run ends here.
    pub fn fail(&mut self, index: u32, error: Error) -> PartFailure<O> {
        self.fail_all(&[index], error)
    }

    /// Records that consecutive parts have failed for one reason.
    pub fn fail_all(&mut self, parts: &[u32], error: Error) -> PartFailure<O> {
        let resume = match self.on_error {
            OnError::Collect => {
                self.failed.extend(parts);
                self.pass(u32::try_from(parts.len()).unwrap_or(u32::MAX), 0);
                None
            }
            OnError::Stop => self.resume_token().map(Box::new),
        };
        let [first, last] = [parts.first(), parts.last()].map(|part| part.copied().unwrap_or_default());
        PartFailure { index: first, range: self.plan.parts(first, last), error, resume }
    }

    fn pass(&mut self, parts: u32, items: usize) {
        self.progress.done += parts;
        self.progress.items += items as u64;
        if let Some(report) = &mut self.report {
            report(self.progress);
        }
    }
}

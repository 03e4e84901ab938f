//! How a run of parts goes: what is done, what has failed, and what is left.

use futures_util::stream::BoxStream;

use super::RangeOperation;
use super::plan::Plan;
use super::split::{OnError, indexes};
use super::stream::PartFailure;
use super::token::{Origin, ResumeToken};
use crate::error::Error;

/// What is called after each part.
pub type Report = Box<dyn FnMut(Progress) + Send>;

/// Index and answer of each part, in order.
pub type Running<T> = BoxStream<'static, (u32, Result<T, Error>)>;

/// How far a run is. Parts that an earlier run did are not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Parts that are done, failed ones that were collected among them.
    pub done: u32,
    /// Parts of this run.
    pub total: u32,
    /// Items so far; rows, where the answers are read as a table.
    pub items: u64,
}

/// What was set when the run began, and how far it is.
pub struct Course<O: RangeOperation> {
    /// Which call it is.
    pub origin: Origin,
    /// How it is cut.
    pub plan: Plan<O::Range>,
    /// The parts of this run.
    todo: Vec<(u32, u32)>,
    /// What happens when a part fails.
    pub on_error: OnError,
    /// Parts of this run that have failed and were passed over.
    failed: Vec<u32>,
    /// How far it is.
    pub progress: Progress,
    report: Option<Report>,
}

impl<O: RangeOperation> Course<O> {
    /// At its beginning.
    pub fn new(origin: Origin, plan: Plan<O::Range>, todo: Vec<(u32, u32)>, on_error: OnError, report: Option<Report>) -> Self {
        let total = todo.iter().map(|(first, last)| last - first + 1).sum();
        Self { origin, plan, todo, on_error, failed: Vec::new(), progress: Progress { done: 0, total, items: 0 }, report }
    }

    /// A token for every part that has failed or is not done yet; `None` when nothing is left.
    pub fn resume_token(&self) -> Option<ResumeToken> {
        let done = usize::try_from(self.progress.done).unwrap_or(usize::MAX);
        let left = indexes(self.todo.clone()).skip(done);
        ResumeToken::new(&self.origin, self.failed.iter().copied().chain(left))
    }

    /// A part is done.
    pub fn advance(&mut self, items: usize) {
        self.pass(1, items);
    }

    /// A part has failed: it is passed over, or the run ends here.
    pub fn fail(&mut self, index: u32, error: Error) -> PartFailure<O> {
        self.fail_all(&[index], error)
    }

    /// Parts that follow one another in this run have failed of one cause, as one.
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

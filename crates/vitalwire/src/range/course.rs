//! How a run of parts goes: what is done, what has failed, and what is left.

use futures_util::stream::BoxStream;

use super::RangeOperation;
use super::plan::Plan;
use super::split::{OnError, indexes};
use super::stream::PartFailure;
use super::token::{Origin, ResumeToken};
use crate::error::Error;

pub(super) type Report = Box<dyn FnMut(Progress) + Send>;

/// Index and answer of each part, in order.
pub(super) type Running<T> = BoxStream<'static, (u32, Result<T, Error>)>;

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
pub(super) struct Course<O: RangeOperation> {
    pub(super) origin: Origin,
    pub(super) plan: Plan<O::Range>,
    /// The parts of this run.
    todo: Vec<(u32, u32)>,
    pub(super) on_error: OnError,
    /// Parts of this run that have failed and were passed over.
    failed: Vec<u32>,
    pub(super) progress: Progress,
    report: Option<Report>,
}

impl<O: RangeOperation> Course<O> {
    pub(super) fn new(origin: Origin, plan: Plan<O::Range>, todo: Vec<(u32, u32)>, on_error: OnError, report: Option<Report>) -> Self {
        let total = todo.iter().map(|(first, last)| last - first + 1).sum();
        Self { origin, plan, todo, on_error, failed: Vec::new(), progress: Progress { done: 0, total, items: 0 }, report }
    }

    /// A token for every part that has failed or is not done yet; `None` when nothing is left.
    pub(super) fn resume_token(&self) -> Option<ResumeToken> {
        let done = usize::try_from(self.progress.done).unwrap_or(usize::MAX);
        let left = indexes(self.todo.clone()).skip(done);
        ResumeToken::new(&self.origin, self.failed.iter().copied().chain(left))
    }

    /// A part is done.
    pub(super) fn advance(&mut self, items: usize) {
        self.progress.done += 1;
        self.progress.items += items as u64;
        if let Some(report) = &mut self.report {
            report(self.progress);
        }
    }

    /// A part has failed: it is passed over, or the run ends here.
    pub(super) fn fail(&mut self, index: u32, error: Error) -> PartFailure<O> {
        let resume = match self.on_error {
            OnError::Collect => {
                self.failed.push(index);
                self.advance(0);
                None
            }
            OnError::Stop => self.resume_token().map(Box::new),
        };
        PartFailure { index, range: self.plan.part(index), error, resume }
    }
}

//! Runs over the parts of a range: which parts are complete, failed, or left.

use std::future::poll_fn;
use std::task::{Context, Poll, ready};

use futures_util::stream::{BoxStream, StreamExt};

use super::bounds::RangeBounds;
use super::error::PartFailure;
use super::part_plan::PartPlan;
use super::resume_token::{RangeOrigin, ResumeToken, count_sequence_parts};
use crate::error::Error;

/// Action when a part fails after its own retries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OnError {
    /// Returns the parts before it, then its error. Later parts in flight are cancelled.
    #[default]
    Stop,
    /// Reads all other parts, and lists the failures.
    Collect,
}

/// Called after each part.
pub type ProgressListener = Box<dyn FnMut(Progress) + Send>;

/// Stream of the parts in order: their indexes, and the value or the error. An item has several indexes if these parts failed for the
/// same reason.
pub type PartStream<T> = BoxStream<'static, (Vec<u32>, Result<T, Error>)>;

/// Progress of a run. Parts of an earlier run are not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Number of completed parts, including collected failures.
    pub done: u32,
    /// Number of parts in this run.
    pub total: u32,
    /// Number of items so far, or of rows if the responses are read as a table.
    pub items: u64,
}

/// A run over the parts of a range. Dropping it cancels the parts in flight.
pub struct RangeRun<T> {
    /// Stream of the parts; `None` after the end.
    parts: Option<PartStream<T>>,
    /// The call that was split into parts.
    pub origin: RangeOrigin,
    /// The parts of the whole range.
    pub plan: PartPlan,
    /// Parts of this run, as the first and last index of each sequence.
    todo: Vec<(u32, u32)>,
    /// Action when a part fails.
    pub on_error: OnError,
    /// Failed parts of this run that were skipped.
    pub(super) failed: Vec<u32>,
    /// The progress so far.
    pub progress: Progress,
    listener: Option<ProgressListener>,
}

impl<T> RangeRun<T> {
    /// Creates a run that has not read any part.
    pub(super) fn new(
        parts: PartStream<T>,
        (origin, plan): (RangeOrigin, PartPlan),
        todo: Vec<(u32, u32)>,
        on_error: OnError,
        listener: Option<ProgressListener>,
    ) -> Self {
        let progress = Progress { done: 0, total: count_sequence_parts(&todo), items: 0 };
        Self { parts: Some(parts), origin, plan, todo, on_error, failed: Vec::new(), progress, listener }
    }

    /// Returns the index and the value of the next part, or its failure. The caller completes a part with [`advance`](Self::advance);
    /// failures are recorded here.
    pub fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<(u32, T), PartFailure>>> {
        let Some(parts) = &mut self.parts else { return Poll::Ready(None) };
        Poll::Ready(match ready!(parts.poll_next_unpin(context)) {
            Some((indexes, Ok(value))) => Some(Ok((indexes.first().copied().unwrap_or_default(), value))),
            Some((indexes, Err(error))) => Some(Err(self.record_failure(&indexes, error))),
            None => {
                self.parts = None;
                None
            }
        })
    }

    /// Returns the index and the value of the next part, or its failure.
    pub async fn next(&mut self) -> Option<Result<(u32, T), PartFailure>> {
        poll_fn(|context| self.poll_next(context)).await
    }

    /// Whether there may be another part.
    pub(super) fn may_have_next(&self) -> bool {
        self.parts.is_some()
    }

    /// Converts the values of a run.
    pub(super) fn map<U>(self, convert: impl Fn(T) -> U + Send + 'static) -> RangeRun<U>
    where
        T: 'static,
    {
        let Self { parts, origin, plan, todo, on_error, failed, progress, listener } = self;
        let parts = parts.map(|parts| parts.map(move |(indexes, value)| (indexes, value.map(&convert))).boxed());
        RangeRun { parts, origin, plan, todo, on_error, failed, progress, listener }
    }

    /// Returns the range of a part.
    pub fn part(&self, index: u32) -> Option<RangeBounds> {
        self.plan.part(index)
    }

    /// Records a completed part.
    pub fn record_part(&mut self, items: usize) {
        self.record_progress(1, items);
    }

    /// Records parts that failed for the same reason. Depending on the setting, skips them or ends the run.
    pub(super) fn record_failure(&mut self, indexes: &[u32], error: Error) -> PartFailure {
        let resume = match self.on_error {
            OnError::Collect => {
                self.failed.extend(indexes);
                self.record_progress(u32::try_from(indexes.len()).unwrap_or(u32::MAX), 0);
                None
            }
            OnError::Stop => {
                self.parts = None;
                self.resume_token()
            }
        };
        let [first, last] = [indexes.first(), indexes.last()].map(|index| index.copied().unwrap_or_default());
        PartFailure::new(first, self.plan.parts(first, last), error, resume)
    }

    /// Returns a resume token for all parts that failed or are not complete. Returns `None` if nothing is left.
    #[must_use]
    pub fn resume_token(&self) -> Option<ResumeToken> {
        // By sequences, because the token is created after each part, and there may be 100,000 parts.
        let mut done = self.progress.done;
        let left = self.todo.iter().filter_map(|(first, last)| {
            let passed = done.min(last - first + 1);
            done -= passed;
            (first + passed <= *last).then_some((first + passed, *last))
        });
        ResumeToken::from_sequences(&self.origin, self.failed.iter().map(|part| (*part, *part)).chain(left))
    }

    fn record_progress(&mut self, parts: u32, items: usize) {
        self.progress.done += parts;
        self.progress.items += items as u64;
        if let Some(listener) = &mut self.listener {
            listener(self.progress);
        }
    }
}

//! The parts of a split call as they arrive.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_util::stream::{Stream, StreamExt};

use super::RangeOperation;
use super::error::RangeError;
use super::merge::{BoundaryDedup, MergedRange, Merger};
use super::split::OnError;
use super::state::{Progress, RunState, Running};
use super::token::ResumeToken;
use crate::client::Response;
use crate::error::Error;

/// The response to one part.
#[non_exhaustive]
pub struct RangePart<O: RangeOperation> {
    /// Index among the parts of the whole range, from 0.
    pub index: u32,
    /// Range of the part; `None` if the range is open, which is never split.
    pub range: Option<O::Range>,
    /// The response, without items that the previous part had too. A raw body that was kept still has them.
    pub response: Response<O::Output>,
    /// Number of items that were left out because the previous part had them.
    pub duplicates: usize,
}

impl<O: RangeOperation> fmt::Debug for RangePart<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RangePart").field("index", &self.index).field("duplicates", &self.duplicates).finish_non_exhaustive()
    }
}

/// A part that could not be read.
pub struct PartFailure<O: RangeOperation> {
    pub(super) index: u32,
    pub(super) range: Option<O::Range>,
    pub(super) error: Error,
    // Boxed: it is rarely there, and results of parts are moved a lot.
    pub(super) resume: Option<Box<ResumeToken>>,
}

impl<O: RangeOperation> PartFailure<O> {
    /// Index among the parts of the whole range, from 0.
    #[must_use]
    pub fn index(&self) -> u32 {
        self.index
    }

    /// Range of the part; `None` if the range is open.
    #[must_use]
    pub fn range(&self) -> Option<O::Range> {
        self.range
    }

    /// The error of the part.
    #[must_use]
    pub fn error(&self) -> &Error {
        &self.error
    }

    /// With [`OnError::Stop`], a token for this part and all after it. With [`OnError::Collect`] there is one for all failures
    /// when the stream has ended: [`RangeParts::resume_token`].
    #[must_use]
    pub fn resume_token(&self) -> Option<&ResumeToken> {
        self.resume.as_deref()
    }
}

impl<O: RangeOperation> From<PartFailure<O>> for Error {
    fn from(failure: PartFailure<O>) -> Self {
        failure.error
    }
}

impl<O: RangeOperation> fmt::Display for PartFailure<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "part {} of the range failed: {}", self.index, self.error)
    }
}

impl<O: RangeOperation> fmt::Debug for PartFailure<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PartFailure").field("index", &self.index).field("error", &self.error).finish_non_exhaustive()
    }
}

impl<O: RangeOperation> std::error::Error for PartFailure<O> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

/// The outcome of one part.
pub type PartResult<O> = Result<RangePart<O>, PartFailure<O>>;

/// The parts of a split call, in order. Dropping it ends running parts.
#[must_use = "nothing is asked before it is read"]
pub struct RangeParts<O: RangeOperation> {
    /// `None` once it has ended.
    running: Option<Running<Response<O::Output>>>,
    state: RunState<O>,
    dedup: BoundaryDedup<O>,
}

impl<O: RangeOperation> RangeParts<O> {
    pub(super) fn new(running: Running<Response<O::Output>>, state: RunState<O>) -> Self {
        Self { running: Some(running), state, dedup: BoundaryDedup::new() }
    }

    /// Returns the next part, or `None` after the last part or the error that stopped the call.
    pub async fn next(&mut self) -> Option<PartResult<O>> {
        StreamExt::next(self).await
    }

    /// Like [`RangeParts::next`], blocking this thread.
    ///
    /// # Errors
    /// A configuration error inside an async runtime, whose thread must not be blocked.
    #[cfg(feature = "blocking")]
    pub fn next_blocking(&mut self) -> Result<Option<PartResult<O>>, Error> {
        crate::blocking::block_on_several(self.next())
    }

    /// The progress so far.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.state.progress
    }

    /// Returns a token for all parts that have failed or were not returned yet; `None` if nothing is left.
    #[must_use]
    pub fn resume_token(&self) -> Option<ResumeToken> {
        self.state.resume_token()
    }

    /// Merges the remaining parts.
    pub async fn collect(mut self) -> Result<MergedRange<O>, RangeError<O>> {
        let mut merger = Merger::<O>::new();
        let mut failures = Vec::new();
        while let Some(part) = self.next().await {
            match part {
                Ok(part) => merger.push(part.index, part.range, part.response.into_inner(), part.duplicates),
                Err(failure) => failures.push(failure),
            }
        }
        let resume = self.resume_token();
        let stopped = self.state.on_error == OnError::Stop && !failures.is_empty();
        let RunState { origin, plan, .. } = self.state;
        let merged = merger.finish(origin, plan.count);
        match merged {
            Some(merged) if !stopped => Ok(merged.leaving(failures, resume)),
            so_far => {
                let so_far = so_far.map(|merged| merged.leaving(Vec::new(), resume.clone()));
                Err(RangeError::new(failures, so_far, resume))
            }
        }
    }

    fn deliver(&mut self, index: u32, answer: Result<Response<O::Output>, Error>) -> Result<RangePart<O>, PartFailure<O>> {
        let range = self.state.plan.part(index);
        match answer {
            Ok(response) => {
                let (mut duplicates, mut count) = (0, 0);
                let response = response.map(|mut output| {
                    let items = O::items(&mut output);
                    // A single part has no neighbour, so its keys are not compared.
                    if self.state.plan.count > 1 {
                        duplicates = self.dedup.remove_duplicates(index, items);
                    }
                    count = items.len();
                    output
                });
                self.state.advance(count);
                Ok(RangePart { index, range, response, duplicates })
            }
            Err(error) => {
                if self.state.on_error == OnError::Stop {
                    self.running = None;
                }
                Err(self.state.fail(index, error))
            }
        }
    }
}

/// Nothing in it is pinned: running parts are boxed.
impl<O: RangeOperation> Unpin for RangeParts<O> {}

impl<O: RangeOperation> Stream for RangeParts<O> {
    type Item = PartResult<O>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let Some(running) = &mut self.running else { return Poll::Ready(None) };
        let next = ready!(running.poll_next_unpin(context));
        Poll::Ready(match next {
            Some((index, answer)) => Some(self.deliver(index, answer)),
            None => {
                self.running = None;
                None
            }
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = usize::try_from(self.state.progress.total - self.state.progress.done).ok();
        (0, left.filter(|_| self.running.is_some()).or(Some(0)))
    }
}

impl<O: RangeOperation> fmt::Debug for RangeParts<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RangeParts").field("operation", &O::META.id).field("progress", &self.state.progress).finish_non_exhaustive()
    }
}

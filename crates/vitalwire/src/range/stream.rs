//! The parts of a split call as they come.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_util::stream::{BoxStream, Stream, StreamExt};

use super::RangeOperation;
use super::merge::{Merged, Merger, Seam, SplitError};
use super::plan::Plan;
use super::split::{OnError, indexes};
use super::token::{Origin, ResumeToken};
use crate::client::Response;
use crate::error::Error;

pub(super) type Report = Box<dyn FnMut(Progress) + Send>;

/// Index and answer of each part, in order.
pub(super) type Running<O> = BoxStream<'static, (u32, Result<Response<<O as crate::client::Operation>::Output>, Error>)>;

/// How far a run is. Parts that an earlier run did are not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Parts that are done, failed ones that were collected among them.
    pub done: u32,
    /// Parts of this run.
    pub total: u32,
    /// Items so far.
    pub items: u64,
}

/// The answer to one part.
#[non_exhaustive]
pub struct Part<O: RangeOperation> {
    /// Its place among the parts of the whole range, from 0.
    pub index: u32,
    /// Its range; `None` where the range is open, which is never split.
    pub range: Option<O::Range>,
    /// The answer, without the items that the part before had too. A raw body that was kept still has them.
    pub response: Response<O::Output>,
    /// How many items were left out because the part before had them.
    pub duplicates: usize,
}

impl<O: RangeOperation> fmt::Debug for Part<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Part").field("index", &self.index).field("duplicates", &self.duplicates).finish_non_exhaustive()
    }
}

/// A part that could not be read.
pub struct PartFailure<O: RangeOperation> {
    pub(super) index: u32,
    range: Option<O::Range>,
    error: Error,
    // Boxed: it is rarely there, and results of parts are moved a lot.
    resume: Option<Box<ResumeToken>>,
}

impl<O: RangeOperation> PartFailure<O> {
    /// Its place among the parts of the whole range, from 0.
    #[must_use]
    pub fn index(&self) -> u32 {
        self.index
    }

    /// Its range; `None` where the range is open.
    #[must_use]
    pub fn range(&self) -> Option<O::Range> {
        self.range
    }

    /// Why it failed.
    #[must_use]
    pub fn error(&self) -> &Error {
        &self.error
    }

    /// With [`OnError::Stop`], a token for this part and all after it. With [`OnError::Collect`] there is one for all failures
    /// when the stream has ended: [`Parts::resume_token`].
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

/// What became of one part.
pub type PartResult<O> = Result<Part<O>, PartFailure<O>>;

/// What was set when the run began.
pub(super) struct Setting<R> {
    pub(super) origin: Origin,
    pub(super) plan: Plan<R>,
    /// The parts of this run.
    pub(super) todo: Vec<(u32, u32)>,
    pub(super) on_error: OnError,
}

/// The parts of a split call, in order. Dropping it ends what is running.
#[must_use = "nothing is asked before it is read"]
pub struct Parts<O: RangeOperation> {
    /// `None` once it has ended.
    running: Option<Running<O>>,
    setting: Setting<O::Range>,
    seam: Seam<O>,
    /// Parts of this run that have failed and were passed over.
    failed: Vec<u32>,
    progress: Progress,
    report: Option<Report>,
}

impl<O: RangeOperation> Parts<O> {
    pub(super) fn new(running: Running<O>, setting: Setting<O::Range>, report: Option<Report>) -> Self {
        let total = setting.todo.iter().map(|(first, last)| last - first + 1).sum();
        let progress = Progress { done: 0, total, items: 0 };
        Self { running: Some(running), setting, seam: Seam::new(), failed: Vec::new(), progress, report }
    }

    /// The next part, or `None` after the last and after the error that stopped it.
    pub async fn next(&mut self) -> Option<PartResult<O>> {
        StreamExt::next(self).await
    }

    /// As [`Parts::next`], waiting on this thread.
    ///
    /// # Errors
    /// A configuration error inside an async runtime, whose thread must not be blocked.
    #[cfg(feature = "blocking")]
    pub fn next_blocking(&mut self) -> Result<Option<PartResult<O>>, Error> {
        crate::blocking::block_on(self.next())
    }

    /// How far it is.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// A token for every part that has failed or was not handed out yet; `None` when nothing is left.
    #[must_use]
    pub fn resume_token(&self) -> Option<ResumeToken> {
        let done = usize::try_from(self.progress.done).unwrap_or(usize::MAX);
        let left = indexes(self.setting.todo.clone()).skip(done);
        ResumeToken::new(&self.setting.origin, self.failed.iter().copied().chain(left))
    }

    /// Merges what is still to come.
    pub(super) async fn collect(mut self) -> Result<Merged<O>, SplitError<O>> {
        let mut merger = Merger::<O>::new();
        let mut failures = Vec::new();
        while let Some(part) = self.next().await {
            match part {
                Ok(part) => merger.push(part.index, part.range, part.response.into_inner(), part.duplicates),
                Err(failure) => failures.push(failure),
            }
        }
        let resume = self.resume_token();
        let stopped = self.setting.on_error == OnError::Stop && !failures.is_empty();
        let Setting { origin, plan, .. } = self.setting;
        let merged = merger.finish(origin, plan.count);
        match merged {
            Some(merged) if !stopped => Ok(merged.leaving(failures, resume)),
            so_far => Err(SplitError::new(failures, so_far, resume)),
        }
    }

    fn deliver(&mut self, index: u32, answer: Result<Response<O::Output>, Error>) -> Result<Part<O>, PartFailure<O>> {
        let range = self.setting.plan.part(index);
        match answer {
            Ok(response) => {
                let (mut duplicates, mut count) = (0, 0);
                let response = response.map(|mut output| {
                    let items = O::items(&mut output);
                    // One part has no seam, and its keys are not looked at.
                    if self.setting.plan.count > 1 {
                        duplicates = self.seam.remove_duplicates(index, items);
                    }
                    count = items.len();
                    output
                });
                self.advance(count);
                Ok(Part { index, range, response, duplicates })
            }
            Err(error) if self.setting.on_error == OnError::Collect => {
                self.failed.push(index);
                self.advance(0);
                Err(PartFailure { index, range, error, resume: None })
            }
            Err(error) => {
                self.running = None;
                Err(PartFailure { index, range, error, resume: self.resume_token().map(Box::new) })
            }
        }
    }

    fn advance(&mut self, items: usize) {
        self.progress.done += 1;
        self.progress.items += items as u64;
        if let Some(report) = &mut self.report {
            report(self.progress);
        }
    }
}

/// Nothing in it is pinned: what runs is in a box of its own.
impl<O: RangeOperation> Unpin for Parts<O> {}

impl<O: RangeOperation> Stream for Parts<O> {
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
        let left = usize::try_from(self.progress.total - self.progress.done).ok();
        (0, left.filter(|_| self.running.is_some()).or(Some(0)))
    }
}

impl<O: RangeOperation> fmt::Debug for Parts<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parts").field("operation", &O::META.id).field("progress", &self.progress).finish_non_exhaustive()
    }
}

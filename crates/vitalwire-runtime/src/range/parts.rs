//! Stream of the parts of a range.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_util::stream::{Stream, StreamExt};

use super::error::{PartFailure, RangeError};
use super::merge::{DuplicateFilter, DuplicateScope, PartValue};
use super::merge_run::MergeRun;
use super::merged::MergedRange;
use super::range_run::{Progress, RangeRun};
use super::response_merge::ResponseMerge;
use super::resume_token::ResumeToken;
use super::{Range, RangeOperation};
use crate::client::{RawResponse, Response};

#[cfg(feature = "blocking")]
use crate::error::Error;

/// The response to one part.
#[non_exhaustive]
pub struct RangePart<O: RangeOperation> {
    /// Index among the parts of the whole range, from 0.
    pub index: u32,
    /// Range of the part; `None` if the range is open. Open ranges are never split.
    pub range: Option<O::Range>,
    /// Response without items that the previous part already had. The raw body, if kept, still contains them.
    pub response: Response<O::Output>,
    /// Number of items omitted because the previous part had them.
    pub duplicates: usize,
}

impl<O: RangeOperation> fmt::Debug for RangePart<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RangePart").field("index", &self.index).field("duplicates", &self.duplicates).finish_non_exhaustive()
    }
}

/// Outcome of one part.
pub type PartResult<O> = Result<RangePart<O>, PartFailure>;

/// The parts of a range, in order. Dropping it cancels the parts in flight.
#[must_use = "no request is sent before the first read"]
pub struct RangeParts<O: RangeOperation> {
    run: RangeRun<Response<O::Output>>,
    filter: DuplicateFilter<O::Key>,
}

impl<O: RangeOperation> RangeParts<O> {
    pub(super) fn new(run: RangeRun<Response<O::Output>>) -> Self {
        // The keys of a single part are not compared.
        let scope = if run.plan.count > 1 { DuplicateScope::Previous } else { DuplicateScope::None };
        Self { run, filter: DuplicateFilter::new(scope) }
    }

    /// Returns the next part. Returns `None` after the last part or after the error that stopped the call.
    pub async fn next(&mut self) -> Option<PartResult<O>> {
        StreamExt::next(self).await
    }

    /// Like [`RangeParts::next`], but blocks this thread.
    ///
    /// # Errors
    /// A configuration error inside an async runtime, whose threads must not be blocked.
    #[cfg(feature = "blocking")]
    pub fn next_blocking(&mut self) -> Result<Option<PartResult<O>>, Error> {
        crate::blocking::block_on_several(self.next())
    }

    /// The progress so far.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.run.progress
    }

    /// Returns a resume token for all parts that failed or were not returned yet. Returns `None` if nothing is left.
    #[must_use]
    pub fn resume_token(&self) -> Option<ResumeToken> {
        self.run.resume_token()
    }

    /// Merges the remaining parts.
    ///
    /// # Errors
    /// The errors of [`RangeCall::collect`](super::RangeCall::collect).
    pub async fn collect(self) -> Result<MergedRange<O::Output>, RangeError<MergedRange<O::Output>>> {
        self.into_merge().collect().await
    }

    pub(super) fn into_merge(self) -> MergeRun<ResponseMerge<O>> {
        MergeRun::with_filter(self.run.map(PartValue::from), ResponseMerge::default(), self.filter)
    }

    fn complete_part(&mut self, index: u32, mut response: Response<O::Output>) -> RangePart<O> {
        let items = O::items(response.value_mut());
        let received = items.len();
        let mut new_items = self.filter.new_items(index, || items.iter().map(O::key).collect()).into_iter();
        items.retain(|_| new_items.next().unwrap_or(true));
        let (duplicates, left) = (received - items.len(), items.len());
        self.run.record_part(left);
        RangePart { index, range: self.run.part(index).and_then(O::Range::from_bounds), response, duplicates }
    }
}

/// No field is structurally pinned: parts in flight are boxed.
impl<O: RangeOperation> Unpin for RangeParts<O> {}

impl<O: RangeOperation> Stream for RangeParts<O> {
    type Item = PartResult<O>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let next = ready!(self.run.poll_next(context));
        Poll::Ready(next.map(|part| part.map(|(index, response)| self.complete_part(index, response))))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = usize::try_from(self.run.progress.total - self.run.progress.done).ok();
        (0, left.filter(|_| self.run.may_have_next()).or(Some(0)))
    }
}

impl<O: RangeOperation> fmt::Debug for RangeParts<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RangeParts").field("operation", &O::META.id).field("progress", &self.run.progress).finish_non_exhaustive()
    }
}

/// The response bodies of the parts of a range as received, in order. Dropping it cancels the parts in flight.
#[must_use = "no request is sent before the first read"]
pub struct PartBodies(pub(super) RangeRun<RawResponse>);

impl PartBodies {
    /// Returns the next body. Returns `None` after the last part or after the error that stopped the call.
    pub async fn next(&mut self) -> Option<Result<RawResponse, PartFailure>> {
        Some(self.0.next().await?.map(|(_, body)| {
            self.0.record_part(0);
            body
        }))
    }

    /// Returns a resume token for all parts that failed or were not returned yet. Returns `None` if nothing is left.
    #[must_use]
    pub fn resume_token(&self) -> Option<ResumeToken> {
        self.0.resume_token()
    }
}

impl fmt::Debug for PartBodies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PartBodies")
            .field("operation", &self.0.origin.operation)
            .field("progress", &self.0.progress)
            .finish_non_exhaustive()
    }
}

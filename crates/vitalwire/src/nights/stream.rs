//! The stream of a night search.

use std::collections::VecDeque;
use std::fmt;
use std::ops::Deref;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_util::stream::{Stream, StreamExt};

use crate::client::{Operation, Response};
use crate::models::SleepRecord;
use crate::operations::SleepsGetParams;
use crate::range::{DuplicateScope, Merge, PartFailure, PartValue, Progress, RangeRun, RangeStream, ResumeToken};
use crate::value::Date;
use vitalwire_runtime::operation::OperationMeta;

#[cfg(feature = "blocking")]
use crate::error::Error;

/// A sleep that was found. Dereferences to its record.
#[derive(Clone)]
#[non_exhaustive]
pub struct Night {
    /// Days that this sleep belongs to, from statistics. Empty if the statistics state no date.
    pub days: Vec<Date>,
    /// The record with the metadata of its response.
    pub response: Response<SleepRecord>,
}

impl Deref for Night {
    type Target = SleepRecord;

    fn deref(&self) -> &SleepRecord {
        &self.response
    }
}

/// Redacted: shows no dates and no values.
impl fmt::Debug for Night {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Night").field("days", &self.days.len()).field("response", &self.response).finish()
    }
}

/// Merges nights. A night that several days share stays at the first.
pub(super) struct NightMerge;

impl Merge for NightMerge {
    type Value = Vec<Night>;
    type Items = Vec<Night>;
    type Key = String;

    fn operation(&self) -> &'static OperationMeta {
        SleepsGetParams::META
    }

    fn scope(&self, is_join: bool) -> DuplicateScope {
        // Within one run, the listing has already removed duplicates.
        if is_join { DuplicateScope::Earlier } else { DuplicateScope::None }
    }

    fn items<'a>(&self, value: &'a mut Vec<Night>) -> &'a mut Vec<Night> {
        value
    }

    fn keys(&self, items: &Vec<Night>) -> Vec<Option<String>> {
        items.iter().map(|night| night.sleep_id.clone()).collect()
    }
}

/// A night, or the failure of a day. The part of a failure is its day, counted from the first day of the whole range. Days that failed for
/// the same reason share one failure.
pub type NightResult = Result<Night, PartFailure>;

/// A stream of nights, ordered by day; made by [`NightSearch::stream`](super::NightSearch::stream). Dropping it aborts the calls in flight.
#[must_use = "no request is sent before the first read"]
pub struct NightStream {
    run: RangeRun<PartValue<Vec<Night>>>,
    /// Nights of the current day that are not returned yet.
    waiting: VecDeque<Night>,
    /// Number of nights of the current day.
    nights_of_day: usize,
    not_found: usize,
    duplicates: usize,
}

impl NightStream {
    pub(super) fn new(run: RangeRun<PartValue<Vec<Night>>>) -> Self {
        Self { run, waiting: VecDeque::new(), nights_of_day: 0, not_found: 0, duplicates: 0 }
    }

    /// Returns the next night. Returns `None` after the last night, or after the error that stopped the search.
    pub async fn next(&mut self) -> Option<NightResult> {
        StreamExt::next(self).await
    }

    /// Blocking version of [`NightStream::next`].
    ///
    /// # Errors
    /// `configuration` if called inside an async runtime, whose thread must not be blocked.
    #[cfg(feature = "blocking")]
    pub fn next_blocking(&mut self) -> Result<Option<NightResult>, Error> {
        vitalwire_runtime::blocking::block_on_several(self.next())
    }

    /// Returns the progress so far. Parts are days, items are nights.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.run.progress
    }

    /// Returns a token for the days that failed or were not returned completely. Returns `None` if no days remain.
    #[must_use]
    pub fn resume_token(&self) -> Option<ResumeToken> {
        self.run.resume_token()
    }

    /// Returns the number of ids left out so far because the service has no sleep with that id.
    #[must_use]
    pub fn not_found(&self) -> usize {
        self.not_found
    }

    /// Returns the number of ids left out so far because the same day or an earlier one had listed them.
    #[must_use]
    pub fn duplicates(&self) -> usize {
        self.duplicates
    }

    /// Returns the next night of the current day. After its last night, the day counts as done.
    fn take_night(&mut self) -> Option<Night> {
        let night = self.waiting.pop_front()?;
        if self.waiting.is_empty() {
            self.run.record_part(self.nights_of_day);
        }
        Some(night)
    }

    fn add_day(&mut self, day: PartValue<Vec<Night>>) {
        self.not_found += day.not_found.len();
        self.duplicates += day.duplicates;
        self.nights_of_day = day.value.len();
        if day.value.is_empty() {
            self.run.record_part(0);
        }
        self.waiting.extend(day.value);
    }
}

/// Nothing in the stream is pinned: the calls in flight are boxed.
impl Unpin for NightStream {}

impl Stream for NightStream {
    type Item = NightResult;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            if let Some(night) = self.take_night() {
                return Poll::Ready(Some(Ok(night)));
            }
            match ready!(self.run.poll_next(context)) {
                Some(Ok((_, day))) => self.add_day(day),
                Some(Err(failure)) => return Poll::Ready(Some(Err(failure))),
                None => return Poll::Ready(None),
            }
        }
    }
}

impl RangeStream for NightStream {
    fn progress(&self) -> Progress {
        self.run.progress
    }

    fn resume_token(&self) -> Option<ResumeToken> {
        self.run.resume_token()
    }
}

impl fmt::Debug for NightStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NightStream").field("progress", &self.run.progress).finish_non_exhaustive()
    }
}

//! Nights as they arrive.

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

/// A sleep that was found. It dereferences to the record.
#[derive(Clone)]
#[non_exhaustive]
pub struct Night {
    /// The days whose sleep it is part of, from statistics; empty if they do not state the day.
    pub days: Vec<Date>,
    /// The record, with metadata of its response.
    pub response: Response<SleepRecord>,
}

impl Deref for Night {
    type Target = SleepRecord;

    fn deref(&self) -> &SleepRecord {
        &self.response
    }
}

/// Shows no dates and no values.
impl fmt::Debug for Night {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Night").field("days", &self.days.len()).field("response", &self.response).finish()
    }
}

/// Merges nights. A night that several days have stays at the first.
pub(super) struct NightMerge;

impl Merge for NightMerge {
    type Value = Vec<Night>;
    type Items = Vec<Night>;
    type Key = String;

    fn operation(&self) -> &'static OperationMeta {
        SleepsGetParams::META
    }

    fn scope(&self, is_join: bool) -> DuplicateScope {
        // In one run, the statistics tell which night several days have.
        if is_join { DuplicateScope::Earlier } else { DuplicateScope::None }
    }

    fn items<'a>(&self, value: &'a mut Vec<Night>) -> &'a mut Vec<Night> {
        value
    }

    fn keys(&self, items: &Vec<Night>) -> Vec<Option<String>> {
        items.iter().map(|night| night.sleep_id.clone()).collect()
    }
}

/// A night, or a day that could not be read: its part is the day, counted from the first of the whole range. Days that failed for one
/// reason are one failure.
pub type NightResult = Result<Night, PartFailure>;

/// The nights of a search, in order. Dropping it ends running calls.
#[must_use = "nothing is requested before it is read"]
pub struct NightStream {
    run: RangeRun<PartValue<Vec<Night>>>,
    /// Nights of a day that were not returned yet.
    waiting: VecDeque<Night>,
    /// Number of nights of that day.
    of_day: usize,
    not_found: usize,
    duplicates: usize,
}

impl NightStream {
    pub(super) fn new(run: RangeRun<PartValue<Vec<Night>>>) -> Self {
        Self { run, waiting: VecDeque::new(), of_day: 0, not_found: 0, duplicates: 0 }
    }

    /// Returns the next night, or `None` after the last night or the error that stopped the search.
    pub async fn next(&mut self) -> Option<NightResult> {
        StreamExt::next(self).await
    }

    /// Like [`NightStream::next`], blocking this thread.
    ///
    /// # Errors
    /// A configuration error inside an async runtime, whose thread must not be blocked.
    #[cfg(feature = "blocking")]
    pub fn next_blocking(&mut self) -> Result<Option<NightResult>, Error> {
        vitalwire_runtime::blocking::block_on_several(self.next())
    }

    /// The progress so far: parts are days, items are nights.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.run.progress
    }

    /// Returns a token for all days that have failed or were not returned whole; `None` if nothing is left.
    #[must_use]
    pub fn resume_token(&self) -> Option<ResumeToken> {
        self.run.resume_token()
    }

    /// Number of ids left out so far because no sleep has them.
    #[must_use]
    pub fn not_found(&self) -> usize {
        self.not_found
    }

    /// Number of ids left out so far because their day or an earlier one has them too.
    #[must_use]
    pub fn duplicates(&self) -> usize {
        self.duplicates
    }

    /// Returns the next night of the day; with the last one the day is done.
    fn take_night(&mut self) -> Option<Night> {
        let night = self.waiting.pop_front()?;
        if self.waiting.is_empty() {
            self.run.advance(self.of_day);
        }
        Some(night)
    }

    fn add_day(&mut self, day: PartValue<Vec<Night>>) {
        self.not_found += day.not_found;
        self.duplicates += day.duplicates;
        self.of_day = day.value.len();
        if day.value.is_empty() {
            self.run.advance(0);
        }
        self.waiting.extend(day.value);
    }
}

/// Nothing in it is pinned: running calls are boxed.
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

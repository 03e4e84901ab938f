//! NightSearch as they arrive.

use std::collections::VecDeque;
use std::fmt;
use std::ops::Deref;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_util::stream::{Stream, StreamExt};

use super::reading::{Found, PartFailure, RunState, Running};
use crate::client::Response;
use crate::models::SleepRecord;
use crate::range::{OnError, Progress, ResumeToken};
use crate::value::Date;

#[cfg(feature = "blocking")]
use crate::error::Error;

/// A sleep that was found. It dereferences to the record.
#[derive(Clone)]
#[non_exhaustive]
pub struct Night {
    /// The days whose sleep it is part of, from statistics; empty if they do not state the day.
    pub days: Vec<Date>,
    /// The record, with facts about its response.
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

/// A night, or a day that could not be read: its part is the day, counted from the first of the whole range. Days that failed of one
/// cause are one failure.
pub type NightResult = Result<Night, PartFailure>;

/// The nights of a search, in order. Dropping it ends running calls.
#[must_use = "nothing is asked before it is read"]
pub struct NightStream {
    /// `None` once it has ended.
    running: Option<Running<Response<SleepRecord>>>,
    state: RunState,
    /// Of a day that was read and is not handed out whole.
    waiting: VecDeque<Night>,
    /// How many nights the day has.
    of_day: usize,
    skipped: usize,
    duplicates: usize,
}

impl NightStream {
    pub(super) fn new(running: Running<Response<SleepRecord>>, state: RunState) -> Self {
        Self { running: Some(running), state, waiting: VecDeque::new(), of_day: 0, skipped: 0, duplicates: 0 }
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
        self.state.progress
    }

    /// Returns a token for all days that have failed or were not returned whole; `None` if nothing is left.
    #[must_use]
    pub fn resume_token(&self) -> Option<ResumeToken> {
        self.state.resume_token()
    }

    /// Number of ids left out so far because no sleep has them.
    #[must_use]
    pub fn skipped(&self) -> usize {
        self.skipped
    }

    /// Number of ids left out so far because their day or an earlier one has them too.
    #[must_use]
    pub fn duplicates(&self) -> usize {
        self.duplicates
    }

    /// The next night of the day there is; with the last one the day is done.
    fn hand_out(&mut self) -> Option<Night> {
        let night = self.waiting.pop_front()?;
        if self.waiting.is_empty() {
            self.state.advance(self.of_day);
        }
        Some(night)
    }

    fn keep(&mut self, found: Found<Response<SleepRecord>>) {
        self.skipped += found.skipped;
        self.duplicates += found.duplicates;
        self.of_day = found.nights.len();
        if found.nights.is_empty() {
            self.state.advance(0);
        }
        self.waiting.extend(found.nights.into_iter().map(|(days, response)| Night { days, response }));
    }
}

/// Nothing in it is pinned: what runs is in a box of its own.
impl Unpin for NightStream {}

impl Stream for NightStream {
    type Item = NightResult;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            if let Some(night) = self.hand_out() {
                return Poll::Ready(Some(Ok(night)));
            }
            let Some(running) = &mut self.running else { return Poll::Ready(None) };
            match ready!(running.poll_next_unpin(context)) {
                Some((_, Ok(found))) => self.keep(found),
                Some((days, Err(error))) => {
                    if self.state.on_error == OnError::Stop {
                        self.running = None;
                    }
                    return Poll::Ready(Some(Err(self.state.fail_all(&days, error))));
                }
                None => self.running = None,
            }
        }
    }
}

impl fmt::Debug for NightStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NightStream").field("progress", &self.state.progress).finish_non_exhaustive()
    }
}

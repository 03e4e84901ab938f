//! Collects nights, or a table of them.

use std::fmt;
use std::ops::Deref;

use futures_util::stream::StreamExt;

use super::reading::{PartFailure, RunState, Running};
use super::stream::Night;
use crate::client::Response;
use crate::error::Error;
use crate::models::SleepRecord;
use crate::operations::StatisticsDailyParams;
use crate::range::{DateRange, MergedPart, OnError, ResumeToken, SplitError};
use crate::table::{Table, TableId};
use crate::value::Date;

/// The error of a search, with what was read before it.
pub type NightsError<T> = SplitError<StatisticsDailyParams, Gathered<T>>;

/// Every night of a search: a list of [`Night`]s, or a [`Table`] over all of them. It dereferences to that.
pub struct Gathered<T> {
    value: T,
    days: Vec<MergedPart<DateRange>>,
    skipped: usize,
    duplicates: usize,
    failures: Vec<PartFailure>,
    resume: Option<ResumeToken>,
}

impl<T> Gathered<T> {
    /// Returns the nights or the table alone.
    #[must_use]
    pub fn into_inner(self) -> T {
        self.value
    }

    /// Returns the nights or the table, and the days that failed.
    #[must_use]
    pub fn into_parts(self) -> (T, Vec<PartFailure>) {
        (self.value, self.failures)
    }

    /// The days that were read, in order, and where their nights or rows are; a day may have none. A night that several days have is at
    /// the first.
    #[must_use]
    pub fn days(&self) -> &[MergedPart<DateRange>] {
        &self.days
    }

    /// Number of ids left out because no sleep has them.
    #[must_use]
    pub fn skipped(&self) -> usize {
        self.skipped
    }

    /// Number of ids left out because their day or an earlier one has them too.
    #[must_use]
    pub fn duplicates(&self) -> usize {
        self.duplicates
    }

    /// The days that failed; empty except with [`OnError::Collect`].
    #[must_use]
    pub fn failures(&self) -> &[PartFailure] {
        &self.failures
    }

    /// Returns a token for the days that are missing; `None` if nothing is missing.
    #[must_use]
    pub fn resume_token(&self) -> Option<&ResumeToken> {
        self.resume.as_ref()
    }
}

impl<T> Deref for Gathered<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

/// Shows sizes, no values.
impl<T> fmt::Debug for Gathered<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gathered")
            .field("days", &self.days.len())
            .field("items", &self.days.last().map_or(0, |day| day.rows.end))
            .field("skipped", &self.skipped)
            .field("failures", &self.failures)
            .finish_non_exhaustive()
    }
}

/// As a list.
pub(super) async fn nights(
    running: Running<Response<SleepRecord>>,
    state: RunState,
) -> Result<Gathered<Vec<Night>>, NightsError<Vec<Night>>> {
    let add = |nights: &mut Vec<Night>, found: Vec<(Vec<Date>, Response<SleepRecord>)>| {
        nights.extend(found.into_iter().map(|(days, response)| Night { days, response }));
        Ok(nights.len())
    };
    gather(Vec::new(), add, running, state).await
}

/// As a table.
pub(super) async fn table(id: TableId, running: Running<Response<Table>>, state: RunState) -> Result<Gathered<Table>, NightsError<Table>> {
    let add = |table: &mut Table, found: Vec<(Vec<Date>, Response<Table>)>| {
        // A day is in it whole or not at all.
        let mut day = Table::empty(table.spec());
        found.into_iter().try_for_each(|(_, rows)| day.append(rows.into_inner()))?;
        table.append(day)?;
        Ok(table.len())
    };
    gather(Table::empty(id), add, running, state).await
}

/// Reads every day. `add` gives how many items there are then.
async fn gather<T, U>(
    value: T,
    add: impl Fn(&mut T, Vec<(Vec<Date>, U)>) -> Result<usize, Error>,
    mut running: Running<U>,
    mut state: RunState,
) -> Result<Gathered<T>, NightsError<T>> {
    let mut gathered = Gathered { value, days: Vec::new(), skipped: 0, duplicates: 0, failures: Vec::new(), resume: None };
    let mut items = 0;
    while let Some((days, found)) = running.next().await {
        let read = found.and_then(|found| {
            gathered.skipped += found.skipped;
            gathered.duplicates += found.duplicates;
            add(&mut gathered.value, found.nights)
        });
        match read {
            Ok(end) => {
                state.advance(end - items);
                let index = days.first().copied().unwrap_or_default();
                gathered.days.push(MergedPart::new(index, state.plan.part(index), items..end));
                items = end;
            }
            Err(error) => gathered.failures.push(state.fail_all(&days, error)),
        }
        if !gathered.failures.is_empty() && state.on_error == OnError::Stop {
            break;
        }
    }
    gathered.resume = state.resume_token();
    let stopped = state.on_error == OnError::Stop && !gathered.failures.is_empty();
    if !stopped && !gathered.days.is_empty() {
        return Ok(gathered);
    }
    let (failures, resume) = (std::mem::take(&mut gathered.failures), gathered.resume.clone());
    let so_far = (!gathered.days.is_empty()).then_some(gathered);
    Err(SplitError::new(failures, so_far, resume))
}

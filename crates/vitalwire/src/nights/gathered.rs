//! Collects nights, or a table of them.

use std::fmt;
use std::ops::Deref;

use futures_util::stream::StreamExt;

use super::join::{join_nights, join_tables};
use super::reading::{PartFailure, RunState, Running};
use super::stream::Night;
use crate::client::Response;
use crate::error::Error;
use crate::models::SleepRecord;
use crate::operations::StatisticsDailyParams;
use crate::range::{DateRange, Makeup, MergedPart, OnError, RangeError, ResumeToken};
use crate::table::{Table, TableId};
use crate::value::Date;

/// The error of a search, with what was read before it.
pub type NightSearchError<T> = RangeError<StatisticsDailyParams, Gathered<T>>;

/// Every night of a search: a list of [`Night`]s, or a [`Table`] over all of them. It dereferences to that.
pub struct Gathered<T> {
    value: T,
    failures: Vec<PartFailure>,
    makeup: Makeup<DateRange>,
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
        &self.makeup.parts
    }

    /// Number of ids left out because no sleep has them.
    #[must_use]
    pub fn skipped(&self) -> usize {
        self.makeup.skipped
    }

    /// Number of ids left out because their day or an earlier one has them too.
    #[must_use]
    pub fn duplicates(&self) -> usize {
        self.makeup.duplicates
    }

    /// The days that failed; empty except with [`OnError::Collect`].
    #[must_use]
    pub fn failures(&self) -> &[PartFailure] {
        &self.failures
    }

    /// Returns a token for the days that are missing; `None` if nothing is missing.
    #[must_use]
    pub fn resume_token(&self) -> Option<&ResumeToken> {
        self.makeup.resume.as_ref()
    }

    /// The nights or the table, what it is made of, and the days that failed.
    pub(super) fn take(self) -> (T, Makeup<DateRange>, Vec<PartFailure>) {
        (self.value, self.makeup, self.failures)
    }

    fn joined(
        self,
        later: Self,
        join: impl FnOnce((T, Makeup<DateRange>), (T, Makeup<DateRange>)) -> Result<(T, Makeup<DateRange>), Error>,
    ) -> Result<Self, Error> {
        let (value, makeup) = join((self.value, self.makeup), (later.value, later.makeup))?;
        let failures = self.failures.into_iter().chain(later.failures).filter(|failure| !makeup.has(failure.index())).collect();
        Ok(Self { value, failures, makeup })
    }
}

impl Gathered<Vec<Night>> {
    /// Joins the nights that a later run of the same search found, in the order of the days. A day that both have is taken from this one.
    ///
    /// # Errors
    /// `invalid_argument` if the other is of another search.
    pub fn join(self, later: Self) -> Result<Self, Error> {
        self.joined(later, join_nights)
    }
}

impl Gathered<Table> {
    /// Joins the table of a later run of the same search, in the order of the days. A day that both have is taken from this one.
    ///
    /// # Errors
    /// `invalid_argument` if the other is of another search or another table; `decode` if the texts of a column would be larger than 2 GiB.
    pub fn join(self, later: Self) -> Result<Self, Error> {
        self.joined(later, join_tables)
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
            .field("days", &self.makeup.parts.len())
            .field("items", &self.makeup.parts.last().map_or(0, |day| day.rows.end))
            .field("skipped", &self.makeup.skipped)
            .field("failures", &self.failures)
            .finish_non_exhaustive()
    }
}

/// As a list.
pub(super) async fn nights(
    running: Running<Response<SleepRecord>>,
    state: RunState,
) -> Result<Gathered<Vec<Night>>, NightSearchError<Vec<Night>>> {
    let add = |nights: &mut Vec<Night>, found: Vec<(Vec<Date>, Response<SleepRecord>)>| {
        nights.extend(found.into_iter().map(|(days, response)| Night { days, response }));
        Ok(nights.len())
    };
    gather(Vec::new(), add, running, state).await
}

/// As a table.
pub(super) async fn table(
    id: TableId,
    running: Running<Response<Table>>,
    state: RunState,
) -> Result<Gathered<Table>, NightSearchError<Table>> {
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
) -> Result<Gathered<T>, NightSearchError<T>> {
    let makeup = Makeup::new(state.origin.clone(), state.plan.count);
    let mut gathered = Gathered { value, failures: Vec::new(), makeup };
    let mut items = 0;
    while let Some((days, found)) = running.next().await {
        let read = found.and_then(|found| {
            gathered.makeup.skipped += found.skipped;
            gathered.makeup.duplicates += found.duplicates;
            add(&mut gathered.value, found.nights)
        });
        match read {
            Ok(end) => {
                state.advance(end - items);
                let index = days.first().copied().unwrap_or_default();
                gathered.makeup.parts.push(MergedPart::new(index, state.plan.part(index), items..end));
                items = end;
            }
            Err(error) => gathered.failures.push(state.fail_all(&days, error)),
        }
        if !gathered.failures.is_empty() && state.on_error == OnError::Stop {
            break;
        }
    }
    gathered.makeup.resume = state.resume_token();
    let stopped = state.on_error == OnError::Stop && !gathered.failures.is_empty();
    if !stopped && !gathered.makeup.parts.is_empty() {
        return Ok(gathered);
    }
    let (failures, resume) = (std::mem::take(&mut gathered.failures), gathered.makeup.resume.clone());
    let so_far = (!gathered.makeup.parts.is_empty()).then_some(gathered);
    Err(RangeError::new(failures, so_far, resume))
}

//! Synchronization states of users and tables.

mod binary;
pub(crate) mod compare;
pub(crate) mod digester;
mod due;
pub(crate) mod history;
pub(crate) mod last_response;
mod packed;
mod response;
pub(crate) mod rows;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use vitalwire::range::DateRange;
use vitalwire::table::Table;
use vitalwire::value::{Date, Timestamp};

pub use self::compare::Changes;
use self::compare::{KnownRecord, compare};
use self::last_response::LastResponse;
use self::rows::RecordColumns;
pub use self::rows::RecordKey;
use crate::day_set::{DaySet, day_number};
use crate::generated::RecordKind;

/// Version of the serialized form.
const VERSION: u32 = 2;

/// Synchronization state of a user and a table: the requested days, the days with data, and the service's clock at the last request.
///
/// Because providers deliver late, later runs request the last days again. A state that is updated with [`update`](Self::update) also has
/// digests of recent records, to find removed records. It contains no values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SyncState {
    #[serde(deserialize_with = "supported_version")]
    version: u32,
    requested: DaySet,
    received: DaySet,
    failed: DaySet,
    /// Days that are due even outside the span: their rows were lost, an event named them, or an interrupted run has planned them.
    #[serde(default, skip_serializing_if = "DaySet::is_empty")]
    pending: DaySet,
    /// The service's clock at the last successful request, in seconds since 1970-01-01T00:00:00Z.
    as_of: Option<i64>,
    /// Service time of the last complete check for newly connected providers. All days of earlier providers have been read.
    providers_as_of: Option<i64>,
    #[serde(default, with = "packed", skip_serializing_if = "Vec::is_empty")]
    records: Vec<KnownRecord<RecordKey>>,
    /// Digests of older days whose records are not in `records`. Only [`history`] uses them.
    #[serde(skip)]
    folded: BTreeMap<i32, u64>,
    /// Digests of the ids of the records in `folded`, by day, for kinds whose records can move to another day. Only [`history`] uses them.
    #[serde(skip)]
    folded_ids: BTreeMap<i32, Vec<u16>>,
    /// Older days that may have a record that was removed from another day. The run reads them again. Only [`history`] uses them.
    #[serde(skip)]
    suspects: DaySet,
    /// Records that were reported without a day, because it is not certain by which of their days the service selects them. They are never
    /// replaced with a digest of a day. Only [`history`] uses them.
    #[serde(skip)]
    undated: BTreeSet<RecordKey>,
    /// Day columns by which the service does not select records, one bit for each. Only [`history`] uses them.
    #[serde(skip)]
    refuted: u8,
    #[serde(skip)]
    fresh: DaySet,
    #[serde(skip)]
    last_response: LastResponse,
}

/// Changes of an update, and the records that it removed.
#[derive(Clone, Debug)]
pub struct Update {
    /// Numbers of changed rows.
    pub changes: Changes,
    /// Keys of the records that the service no longer returns.
    pub removed: Vec<RecordKey>,
}

impl Default for SyncState {
    fn default() -> Self {
        let none = DaySet::new;
        Self {
            version: VERSION,
            requested: none(),
            received: none(),
            failed: none(),
            pending: none(),
            as_of: None,
            providers_as_of: None,
            records: Vec::new(),
            folded: BTreeMap::new(),
            folded_ids: BTreeMap::new(),
            suspects: none(),
            undated: BTreeSet::new(),
            refuted: 0,
            fresh: none(),
            last_response: LastResponse::default(),
        }
    }
}

impl SyncState {
    /// Creates the state before the first request.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a state with the days of successful requests only, for callers that store nothing else.
    #[must_use]
    pub fn with_requested(days: DaySet) -> Self {
        Self { requested: days, ..Self::default() }
    }

    /// Returns the days of successful requests. Days that were not over at the time of the request are not included.
    #[must_use]
    pub fn requested(&self) -> &DaySet {
        &self.requested
    }

    /// Returns the days with at least one row.
    #[must_use]
    pub fn received(&self) -> &DaySet {
        &self.received
    }

    /// Returns the days whose last request failed.
    #[must_use]
    pub fn failed(&self) -> &DaySet {
        &self.failed
    }

    /// Returns the days that are due even outside the span. In datasets, these are the days whose rows were lost.
    #[doc(hidden)]
    #[must_use]
    pub fn pending(&self) -> &DaySet {
        &self.pending
    }

    /// Returns the service's clock at the last successful request.
    #[must_use]
    pub fn as_of(&self) -> Option<Timestamp> {
        Timestamp::from_unix(self.as_of?, 0)
    }

    /// Returns the service's time up to which newly connected providers were taken into account. A provider that was connected later can
    /// add data to days that were already requested.
    #[must_use]
    pub fn providers_as_of(&self) -> Option<Timestamp> {
        Timestamp::from_unix(self.providers_as_of?, 0)
    }

    /// Marks newly connected providers as handled: all days to which they may have added data were read.
    #[doc(hidden)]
    pub fn record_providers(&mut self, as_of: Timestamp) {
        self.providers_as_of = Some(as_of.unix_seconds());
    }

    /// Returns the days of a span that must be requested: days without a successful request, days whose last request failed, the last
    /// `lookback_days` requested days, and pending days, even outside the span.
    #[must_use]
    pub fn due(&self, span: DateRange, lookback_days: u32) -> DaySet {
        let mut due = self.requested.missing_from(span);
        let lookback = i32::try_from(lookback_days).ok().filter(|days| *days > 0).zip(self.requested.last());
        if let Some((days, last)) = lookback
            && let Some(first) = last.plus_days(1 - days)
        {
            let (first, last) = (first.max(span.first()), last.min(span.last()));
            due.insert(DateRange::from((first, last)));
        }
        due.insert_all(&self.failed.within(span));
        due.insert_all(&self.pending);
        due.remove_all(&self.fresh);
        due
    }

    /// Returns whether the state has a digest of the record with this id.
    #[doc(hidden)]
    #[must_use]
    pub fn has_record(&self, id: &str) -> bool {
        self.records.iter().any(|record| record.key.is_id(id))
    }

    /// Returns the days that an interrupted run has read. Completing that run does not request them again.
    #[doc(hidden)]
    pub fn fresh(&self) -> &DaySet {
        &self.fresh
    }

    /// Records the days of a successful request, and which of them have data. `last_complete` is the last day that was over at the service's
    /// time; later days count as not requested.
    #[doc(hidden)]
    pub fn record(&mut self, days: &DaySet, with_data: impl IntoIterator<Item = i32>, last_complete: Date, as_of: Timestamp) {
        self.received.remove_all(days);
        let mut before = None;
        for day in with_data {
            if before.replace(day) != Some(day) {
                self.received.insert_numbers(day, day);
            }
        }
        for range in days.ranges() {
            self.requested.insert(DateRange::from((range.first(), range.last().min(last_complete))));
        }
        self.failed.remove_all(days);
        self.pending.remove_all(days);
        self.as_of = Some(as_of.unix_seconds());
        self.providers_as_of.get_or_insert(as_of.unix_seconds());
    }

    /// Records that a request for these days failed. Data of earlier successful requests stays.
    pub fn record_failure(&mut self, days: DateRange) {
        self.failed.insert(days);
    }

    /// Records that the rows of these days were lost, so that the next run requests them again. Days that were never requested stay so.
    #[doc(hidden)]
    pub fn record_loss(&mut self, days: Option<DateRange>) {
        let lost = days.map_or_else(|| self.requested.clone(), |days| self.requested.within(days));
        self.requested.remove_all(&lost);
        self.received.remove_all(&lost);
        self.pending.insert_all(&lost);
    }

    /// Marks the days read by an interrupted run as due again.
    #[doc(hidden)]
    pub fn forget_fresh(&mut self) {
        self.fresh = DaySet::new();
    }

    /// Sets the days that an interrupted run has read.
    #[doc(hidden)]
    #[must_use]
    pub fn with_fresh(mut self, days: DaySet) -> Self {
        self.fresh = days;
        self
    }

    /// Updates the state with the rows of a successful request for `days` at the service's time. Compares the records with those of earlier
    /// responses.
    ///
    /// The state keeps digests only of records on the last `lookback_days` days. Older records that are requested again replace earlier
    /// rows, but removed ones are not found.
    pub fn update(&mut self, table: RecordKind, days: DateRange, rows: &Table, lookback_days: u32, service_time: Timestamp) -> Update {
        let columns = RecordColumns::new(table, rows);
        let (first, last) = (day_number(days.first()), day_number(days.last()));
        let horizon = |state: &Self| {
            let last = state.requested.last().map_or(i32::MIN, day_number);
            // Of sleeps, one more day is requested again.
            last.saturating_sub(i32::try_from(lookback_days).unwrap_or(i32::MAX)).saturating_sub(i32::from(table.requests_sleeps()))
        };
        let horizon_before = horizon(self);
        let oldest_known = self.records.iter().map(|record| record.last_day).min();
        let mut requested = DaySet::new();
        requested.insert(days);
        let response = columns.records(0..rows.len());
        let last_response = std::mem::replace(&mut self.last_response, LastResponse::new(&requested, &response));
        let response = response.into_iter().map(|record| {
            let (first_day, last_day) = record.days.unwrap_or((last, last));
            KnownRecord { content: columns.content_digest(&record), key: record.key, first_day, last_day, rows: record.rows.len() as u64 }
        });
        let was_requested = self.requested.clone();
        let comparison = compare(
            std::mem::take(&mut self.records),
            response,
            |record| {
                let is_requested = first <= record.first_day && record.last_day <= last;
                is_requested && last_response.can_remove(table, &record.key, record.first_day, &requested, &was_requested)
            },
            // An older record on a requested day has no digest any more.
            |record| {
                let day = record.last_day;
                !was_requested.contains_number(day) || day > horizon_before || oldest_known.is_some_and(|oldest| oldest <= day)
            },
        );
        let last_complete = table.last_complete_day(service_time).unwrap_or(days.last());
        let with_data = (0..rows.len()).filter_map(|row| columns.day(row));
        self.record(&requested, with_data, last_complete, service_time);
        let horizon = horizon(self);
        self.records = comparison.records.into_iter().filter(|record| record.last_day > horizon).collect();
        self.records.sort_unstable_by(|one, other| (one.first_day, &one.key).cmp(&(other.first_day, &other.key)));
        Update { changes: comparison.changes, removed: comparison.removed }
    }
}

fn supported_version<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    match u32::deserialize(deserializer)? {
        VERSION => Ok(VERSION),
        _ => Err(D::Error::custom("the state has the layout of another version; start again without it")),
    }
}

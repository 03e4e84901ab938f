//! Synchronisation state of a user and a table.

use std::collections::HashMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::day_set::{DaySet, day_number};
use super::rows::{content_digest, day_columns, records, row_day};
use super::table::CohortTable;
use crate::range::DateRange;
use crate::table::Table;
use crate::value::Date;

/// Version of the serialized form.
const VERSION: u32 = 1;

/// Size of a serialized record.
const RECORD_BYTES: usize = 28;

/// Synchronisation state of a user and a table: the requested days, the days with data, and digests of recent records.
///
/// Because providers deliver late, later runs request the last days again. [`update`](Self::update) compares their records with these
/// digests. The state contains no health data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SyncState {
    #[serde(deserialize_with = "supported_version")]
    version: u32,
    requested: DaySet,
    received: DaySet,
    failed: DaySet,
    #[serde(with = "packed")]
    records: Vec<KnownRecord>,
}

/// Digest of a record in an earlier response, with its days since 1970-01-01.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct KnownRecord {
    key: u64,
    content: u64,
    first_day: i32,
    last_day: i32,
    rows: u32,
}

/// Numbers of rows that an update added, changed or removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Changes {
    /// Rows of new records.
    pub added: u64,
    /// Rows of records whose content has changed.
    pub changed: u64,
    /// Removed rows of records that the service no longer returns.
    pub gone: u64,
}

impl Changes {
    /// Adds the numbers of another update.
    pub fn add(&mut self, other: Self) {
        self.added += other.added;
        self.changed += other.changed;
        self.gone += other.gone;
    }

    /// Whether nothing has changed.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self == Self::default()
    }
}

/// Result of [`SyncState::compare`].
#[derive(Clone, Debug, Default)]
pub(super) struct Update {
    pub(super) changes: Changes,
    /// Digests of the keys of removed records.
    pub(super) gone: Vec<u64>,
}

impl Default for SyncState {
    fn default() -> Self {
        Self { version: VERSION, requested: DaySet::new(), received: DaySet::new(), failed: DaySet::new(), records: Vec::new() }
    }
}

impl SyncState {
    /// Creates the state before the first request.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the days of successful requests.
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

    /// Returns the days of a span that must be requested: days without a successful request, and the last `late_days` requested days.
    #[must_use]
    pub fn due(&self, span: DateRange, late_days: u32) -> DaySet {
        let mut due = self.requested.missing_from(span);
        let late = i32::try_from(late_days).ok().filter(|days| *days > 0).zip(self.requested.last());
        if let Some((days, last)) = late
            && let Some(first) = last.plus_days(1 - days)
        {
            let (first, last) = (first.max(span.first()), last.min(span.last()));
            due.insert(DateRange::from((first, last)));
        }
        due
    }

    /// Updates the state with the rows of a successful request for `days`. Compares the records with those of earlier responses.
    ///
    /// The state keeps digests only of records on the last `late_days` days. Older records are not compared.
    pub fn update(&mut self, table: CohortTable, days: DateRange, rows: &Table, late_days: u32) -> Changes {
        self.compare(table, days, rows, late_days).changes
    }

    /// Records that a request for these days failed. Data of earlier successful requests stays.
    pub fn record_failure(&mut self, days: DateRange) {
        self.failed.insert(days);
    }

    pub(super) fn compare(&mut self, table: CohortTable, days: DateRange, rows: &Table, late_days: u32) -> Update {
        let (first, last) = (day_number(days.first()), day_number(days.last()));
        let mut update = Update::default();
        let mut known: HashMap<u64, KnownRecord> = self.records.drain(..).map(|record| (record.key, record)).collect();
        // A record on a day that was never requested is new. On other days, only recent records can be compared.
        let oldest_known = known.values().map(|record| record.last_day).min();
        self.received.remove(days);
        let horizon = self.horizon(days, late_days);
        let day_columns = day_columns(table, rows);
        let mut recent = Vec::new();
        let mut last_received = None;
        for record in records(table, rows) {
            let (first_day, last_day) = record.days.unwrap_or((last, last));
            for day in record.rows().filter_map(|row| row_day(&day_columns, row)) {
                if last_received.replace(day) != Some(day) {
                    self.received.insert_numbers(day, day);
                }
            }
            let count = record.rows().count() as u64;
            let before = known.remove(&record.key);
            let was_requested = before.is_some() || self.requested.contains_number(last_day);
            if !was_requested {
                update.changes.added += count;
            }
            if last_day < horizon && before.is_none() && (!was_requested || oldest_known.is_none_or(|oldest| last_day < oldest)) {
                continue;
            }
            let content = content_digest(rows, &record);
            match before {
                Some(before) if before.content != content => update.changes.changed += count,
                None if was_requested => update.changes.added += count,
                _ => {}
            }
            if last_day >= horizon {
                let rows = u32::try_from(count).unwrap_or(u32::MAX);
                recent.push(KnownRecord { key: record.key, content, first_day, last_day, rows });
            }
        }
        for (_, record) in known {
            if first <= record.first_day && record.last_day <= last {
                update.changes.gone += u64::from(record.rows);
                update.gone.push(record.key);
            } else if record.last_day >= horizon {
                recent.push(record);
            }
        }
        recent.sort_unstable_by_key(|record| (record.first_day, record.key));
        self.records = recent;
        self.requested.insert(days);
        self.failed.remove(days);
        update
    }

    /// Returns the first day whose records keep a digest.
    fn horizon(&self, days: DateRange, late_days: u32) -> i32 {
        let last: Date = self.requested.last().map_or(days.last(), |last| last.max(days.last()));
        day_number(last).saturating_sub(i32::try_from(late_days).unwrap_or(i32::MAX)).saturating_add(1)
    }
}

fn supported_version<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    match u32::deserialize(deserializer)? {
        VERSION => Ok(VERSION),
        _ => Err(D::Error::custom("the state was written by a newer version; update vitalwire")),
    }
}

/// Serialization of records as base64 text of 28 bytes per record.
mod packed {
    use super::*;

    pub(super) fn serialize<S: Serializer>(records: &[KnownRecord], serializer: S) -> Result<S::Ok, S::Error> {
        let mut bytes = Vec::with_capacity(records.len() * RECORD_BYTES);
        for record in records {
            bytes.extend(record.key.to_le_bytes());
            bytes.extend(record.content.to_le_bytes());
            bytes.extend(record.first_day.to_le_bytes());
            bytes.extend(record.last_day.to_le_bytes());
            bytes.extend(record.rows.to_le_bytes());
        }
        serializer.serialize_str(&STANDARD_NO_PAD.encode(bytes))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<KnownRecord>, D::Error> {
        let bytes = STANDARD_NO_PAD.decode(String::deserialize(deserializer)?).map_err(|_| D::Error::custom("must be base64"))?;
        let (records, rest) = bytes.as_chunks::<RECORD_BYTES>();
        if !rest.is_empty() {
            return Err(D::Error::custom("the decoded length must be a multiple of 28 bytes"));
        }
        Ok(records.iter().map(unpack).collect())
    }

    fn unpack(bytes: &[u8; RECORD_BYTES]) -> KnownRecord {
        let (words, _) = bytes.as_chunks::<4>();
        let word = |at: usize| words.get(at).copied().unwrap_or_default();
        let long = |at: usize| u64::from(u32::from_le_bytes(word(at))) | u64::from(u32::from_le_bytes(word(at + 1))) << 32;
        KnownRecord {
            key: long(0),
            content: long(2),
            first_day: i32::from_le_bytes(word(4)),
            last_day: i32::from_le_bytes(word(5)),
            rows: u32::from_le_bytes(word(6)),
        }
    }
}

//! Changes of records, and the parts of a sync.

use std::fmt;

use serde_json::{Map, Value};
use vitalwire::range::DateRange;
use vitalwire::table::{ColumnData, Table, Times};
use vitalwire::value::{Date, Timestamp};

use crate::day_set::date_of;
use crate::generated::RecordKind;
use crate::state::RecordKey;
use crate::state::compare::KnownRecord;
use crate::state::history::Difference;

/// Type of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ChangeType {
    /// The record is new.
    Added,
    /// The content or the day of the record differs.
    Changed,
    /// The service no longer returns the record.
    Removed,
    /// A day before the look-back has changed. Remove all records of this kind whose day is [`Change::day`]. The records that still exist
    /// follow in the same part, as added or changed.
    DayRemoved,
}

impl ChangeType {
    /// Returns the name: `added`, `changed`, `removed` or `day_removed`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Changed => "changed",
            Self::Removed => "removed",
            Self::DayRemoved => "day_removed",
        }
    }
}

/// Keyed digest of the content of a record. Records with equal content have the same key if user, kind and secret are equal, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ContentKey(pub(crate) u64);

/// Writes 12 lower-case hexadecimal digits.
impl fmt::Display for ContentKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:012x}", self.0)
    }
}

/// A change of a record. Apply changes in their order: insert or replace added and changed records by [`id`](Self::id).
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change {
    /// Kind of the record.
    pub kind: RecordKind,
    /// Type of the change.
    pub change_type: ChangeType,
    /// Id of the record: the value of the column [`RecordKind::key`], such as `2025-11-20` or a UUID. `None` for
    /// [`ChangeType::DayRemoved`].
    pub id: Option<String>,
    /// Day of the record. Store it with the record, because [`ChangeType::DayRemoved`] names a day. `None` if it is not certain by which
    /// day the service selects the record. Such a record is always removed by its id.
    pub day: Option<Date>,
    /// Content key before the change. `None` for a new record, and for a record of a day before the look-back. Also `None` if it is not
    /// certain whether the copy has the last change.
    pub before: Option<ContentKey>,
    /// Content key after the change. `None` for a removed record.
    pub after: Option<ContentKey>,
    /// Indexes of the record's rows in the table of its kind, [`SyncPart::table`](crate::SyncPart::table). Empty for a removed record.
    pub rows: Vec<usize>,
}

/// Redacted: shows neither id nor day.
impl fmt::Debug for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Change").field("kind", &self.kind).field("change_type", &self.change_type).finish_non_exhaustive()
    }
}

impl Change {
    pub(crate) fn new(kind: RecordKind, difference: Difference, records: &[KnownRecord<RecordKey>], rows: &[Vec<usize>]) -> Option<Self> {
        let empty = |change_type, day: Option<i32>| Self {
            kind,
            change_type,
            id: None,
            day: day.and_then(date_of),
            before: None,
            after: None,
            rows: Vec::new(),
        };
        let present = |change_type, index: usize, day, before: Option<u64>| {
            let record = records.get(index)?;
            Some(Self {
                id: Some(id_text(kind, &record.key)?),
                before: before.map(ContentKey),
                after: Some(ContentKey(record.content)),
                rows: rows.get(index)?.clone(),
                ..empty(change_type, day)
            })
        };
        match difference {
            Difference::DayRemoved(day) => Some(empty(ChangeType::DayRemoved, Some(day))),
            Difference::Removed { key, day, before } => {
                Some(Self { id: Some(id_text(kind, &key)?), before: before.map(ContentKey), ..empty(ChangeType::Removed, day) })
            }
            Difference::Added { index, day } => present(ChangeType::Added, index, day, None),
            Difference::Changed { index, day, before } => present(ChangeType::Changed, index, day, before),
        }
    }
}

/// Returns the id as it is in the key column of the kind.
fn id_text(kind: RecordKind, key: &RecordKey) -> Option<String> {
    match key {
        RecordKey::Id(id) => Some(id.clone()),
        // The key of a day is a date, and the key of an hour is an instant.
        RecordKey::Time(time) if kind.has_local_days() => Some(date_of(i32::try_from(*time).ok()?)?.to_string()),
        RecordKey::Time(microseconds) => Some(instant(*microseconds, 0)?.to_string()),
        RecordKey::Content(_) => None,
    }
}

fn instant(microseconds: i64, nanoseconds: u16) -> Option<Timestamp> {
    let below = u32::try_from(microseconds.rem_euclid(1_000_000)).ok()? * 1_000 + u32::from(nanoseconds);
    Timestamp::from_unix(microseconds.div_euclid(1_000_000), below)
}

/// Progress of a run, in days.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SyncProgress {
    /// Days whose requests were sent, with or without success. Kinds that do not share requests count separately.
    pub done_days: u64,
    /// Days of the whole run.
    pub total_days: u64,
}

/// The changes of a span of days, and the state after them.
///
/// Apply the changes and store [`state`](Self::state) in one transaction. Without transactions, store
/// [`state_before`](Self::state_before), apply the changes, then store [`state`](Self::state). If the program ends in between, the next
/// sync returns the changes again, or their opposite.
#[derive(Clone)]
pub struct SyncPart {
    pub(crate) days: DateRange,
    pub(crate) tables: Vec<(RecordKind, Table)>,
    pub(crate) changes: Vec<Change>,
    pub(crate) state_before: Vec<u8>,
    pub(crate) state: Vec<u8>,
    pub(crate) generation: u64,
    pub(crate) progress: SyncProgress,
    pub(crate) left_out: u64,
}

impl SyncPart {
    /// Returns the days that were read.
    #[must_use]
    pub fn days(&self) -> DateRange {
        self.days
    }

    /// Returns the kinds that were read.
    pub fn kinds(&self) -> impl Iterator<Item = RecordKind> {
        self.tables.iter().map(|(kind, _)| *kind)
    }

    /// Returns the changes, in the order in which they must be applied.
    #[must_use]
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// Returns the rows of all records of a kind that were read, including unchanged records.
    #[must_use]
    pub fn table(&self, kind: RecordKind) -> Option<&Table> {
        self.tables.iter().find(|(other, _)| *other == kind).map(|(_, table)| table)
    }

    /// Returns the rows of a changed record as JSON objects, by column. Columns without a value are left out.
    #[must_use]
    pub fn json_rows(&self, change: &Change) -> Vec<Map<String, Value>> {
        let Some(table) = self.table(change.kind) else { return Vec::new() };
        change.rows.iter().map(|row| json_row(table, *row)).collect()
    }

    /// Returns the state to store before the changes are applied, if changes and state are not stored in one transaction. It marks the
    /// changes as uncertain: the copy may or may not have them.
    ///
    /// Without this state, a record that was added before a crash and is removed before the next sync would stay in the copy.
    #[must_use]
    pub fn state_before(&self) -> &[u8] {
        &self.state_before
    }

    /// Returns the state to store after the changes. The next sync needs nothing else.
    #[must_use]
    pub fn state(&self) -> &[u8] {
        &self.state
    }

    /// Returns the number of the state after the changes; see [`generation`](crate::generation).
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Returns the progress of the run, this part included.
    #[must_use]
    pub fn progress(&self) -> SyncProgress {
        self.progress
    }

    /// Returns whether the run has more parts.
    #[must_use]
    pub fn has_more(&self) -> bool {
        self.progress.done_days < self.progress.total_days
    }

    /// Returns the number of items and values of the responses that are left out. They cannot be decoded, or an item has no id or is
    /// outside the requested days. A list that is null counts as one item if the copy has records of these days, and so does a sleep of the
    /// copy that statistics list, but that is not found. Their days stay due, and no record is removed because of them.
    #[must_use]
    pub fn left_out(&self) -> u64 {
        self.left_out
    }
}

/// Redacted: shows numbers only.
impl fmt::Debug for SyncPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SyncPart")
            .field("changes", &self.changes.len())
            .field("generation", &self.generation)
            .field("progress", &self.progress)
            .field("left_out", &self.left_out)
            .finish_non_exhaustive()
    }
}

fn json_row(table: &Table, row: usize) -> Map<String, Value> {
    let cell = |column: &vitalwire::table::Column| {
        let value = if column.is_missing(row) { None } else { json_cell(column.data(), row) };
        value.map(|value| (column.field().name.to_string(), value))
    };
    table.columns().filter_map(cell).collect()
}

fn json_cell(data: &ColumnData, row: usize) -> Option<Value> {
    let time = |times: &Times| instant(*times.microseconds().get(row)?, times.beyond(row)).map(|time| time.to_string());
    Some(match data {
        ColumnData::Number(values) => (*values.get(row)?).into(),
        ColumnData::Integer(values) => (*values.get(row)?).into(),
        ColumnData::Boolean(values) => (*values.get(row)?).into(),
        ColumnData::Text(texts) => texts.get(row).into(),
        ColumnData::Date(days) => date_of(*days.get(row)?)?.to_string().into(),
        ColumnData::Instant(times) => time(times)?.into(),
        ColumnData::LocalTime(times) => time(times)?.trim_end_matches('Z').into(),
        ColumnData::TextList(lists) => lists.get(row).map(Value::from).collect::<Vec<_>>().into(),
        _ => return None,
    })
}

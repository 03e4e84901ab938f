//! Parts of a sync: changes, and the state after them.

use std::fmt;
use std::sync::Arc;

use super::plan::DayRange;
use crate::generated::RecordKind;
use crate::table::TableColumns;
use crate::value::CalendarDate;

/// How a record has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, uniffi::Enum)]
pub enum ChangeType {
    /// The record is new.
    Added,
    /// The record has other content, or belongs to another day.
    Changed,
    /// The service no longer returns the record.
    Removed,
    /// A day before the look-back has changed.
    DayRemoved,
}

impl From<vitalwire_sync::ChangeType> for ChangeType {
    fn from(core: vitalwire_sync::ChangeType) -> Self {
        match core {
            vitalwire_sync::ChangeType::Added => Self::Added,
            vitalwire_sync::ChangeType::Removed => Self::Removed,
            vitalwire_sync::ChangeType::DayRemoved => Self::DayRemoved,
            _ => Self::Changed,
        }
    }
}

/// A change of a record.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct SyncChange {
    /// Kind of the record.
    pub kind: RecordKind,
    /// How the record has changed.
    pub change_type: ChangeType,
    /// Id of the record; absent if a day was removed.
    pub id: Option<String>,
    /// Day of the record; absent if it is not certain.
    pub day: Option<CalendarDate>,
    /// Content key before the change; absent for a new record, and if it is unknown.
    pub before: Option<String>,
    /// Content key after the change; absent for a removed record.
    pub after: Option<String>,
    /// The rows of the record as JSON objects.
    pub json_rows: Vec<String>,
}

/// Omits the id, the day and the values from debug output.
impl fmt::Debug for SyncChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SyncChange({:?} {:?})", self.kind, self.change_type)
    }
}

impl SyncChange {
    fn new(part: &vitalwire_sync::SyncPart, change: &vitalwire_sync::Change) -> Self {
        let json = |row| serde_json::Value::Object(row).to_string();
        Self {
            kind: change.kind.into(),
            change_type: change.change_type.into(),
            id: change.id.clone(),
            day: change.day.map(Into::into),
            before: change.before.map(|key| key.to_string()),
            after: change.after.map(|key| key.to_string()),
            json_rows: part.json_rows(change).into_iter().map(json).collect(),
        }
    }
}

/// The changes of a span of days, and the state after them.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct SyncPart {
    /// The days that were read.
    pub days: DayRange,
    /// The kinds that were read.
    pub kinds: Vec<RecordKind>,
    /// The changes, in the order in which they must be applied.
    pub changes: Vec<SyncChange>,
    /// State to store before the changes.
    pub state_before: Vec<u8>,
    /// State to store after the changes.
    pub state: Vec<u8>,
    /// Number of the state after the changes.
    pub generation: u64,
    /// Number of days that were read.
    pub done_days: u64,
    /// Number of days of the whole sync.
    pub total_days: u64,
    /// Whether the sync has more parts.
    pub has_more: bool,
    /// Number of items and values that are left out.
    pub left_out: u64,
    /// The rows of all records that were read.
    pub tables: Arc<SyncTables>,
}

/// Shows counts, but no values, in debug output.
impl fmt::Debug for SyncPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SyncPart({} changes, {} of {} days)", self.changes.len(), self.done_days, self.total_days)
    }
}

impl From<vitalwire_sync::SyncPart> for SyncPart {
    fn from(part: vitalwire_sync::SyncPart) -> Self {
        let progress = part.progress();
        Self {
            days: part.days().into(),
            kinds: part.kinds().map(Into::into).collect(),
            changes: part.changes().iter().map(|change| SyncChange::new(&part, change)).collect(),
            state_before: part.state_before().to_vec(),
            state: part.state().to_vec(),
            generation: part.generation(),
            done_days: progress.done_days,
            total_days: progress.total_days,
            has_more: part.has_more(),
            left_out: part.left_out(),
            tables: Arc::new(SyncTables(part)),
        }
    }
}

/// The rows of all records of a part. They are converted when they are read.
#[derive(uniffi::Object)]
pub struct SyncTables(vitalwire_sync::SyncPart);

#[uniffi::export]
impl SyncTables {
    /// Returns the rows of a kind; absent if the part does not have the kind.
    #[must_use]
    pub fn table(&self, kind: RecordKind) -> Option<TableColumns> {
        self.0.table(kind.into()).map(TableColumns::from)
    }
}

//! A part of a sync, and its changes.

#![allow(unsafe_code, reason = "exported functions need no_mangle")]

use std::mem::MaybeUninit;
use std::sync::Arc;

use vitalwire_sync::{Change, ChangeType, SyncPart};

use crate::guard::catch;
use crate::handles::{self, owned};
use crate::range::part::write_bounds;
use crate::value::{vitalwire_bytes, vitalwire_date, vitalwire_json, vitalwire_str};
use crate::view;

/// The changes of a span of days, and the state after them.
///
/// Apply the changes and store vitalwire_sync_part_state in one transaction. Without transactions, store vitalwire_sync_part_state_before,
/// apply the changes, then store vitalwire_sync_part_state. If the program ends in between, the next sync returns the changes again, or
/// their opposite.
pub struct vitalwire_sync_part {
    pub(crate) part: Arc<SyncPart>,
    changes: Vec<vitalwire_sync_change>,
}

/// A change of a record. Apply changes in their order. Insert or replace added and changed records by kind and id.
pub struct vitalwire_sync_change {
    part: Arc<SyncPart>,
    index: usize,
    before: Option<String>,
    after: Option<String>,
}

/// Type of a change.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum vitalwire_change_type {
    /// No change: the argument is NULL.
    VITALWIRE_CHANGE_NONE = 0,
    /// The record is new.
    VITALWIRE_CHANGE_ADDED = 1,
    /// The content or the day of the record differs.
    VITALWIRE_CHANGE_CHANGED = 2,
    /// The service no longer returns the record.
    VITALWIRE_CHANGE_REMOVED = 3,
    /// A day before the look-back has changed. Remove all records of this kind and day. Those that still exist follow in the same part, as
    /// added or changed.
    VITALWIRE_CHANGE_DAY_REMOVED = 4,
}

/// Progress of a sync, in days. Kinds that do not share requests count separately.
#[repr(C)]
pub struct vitalwire_sync_progress {
    /// Days that are done, including those that could not be read.
    pub done_days: u64,
    /// Days of the whole sync.
    pub total_days: u64,
}

impl From<SyncPart> for vitalwire_sync_part {
    fn from(core: SyncPart) -> Self {
        let part = Arc::new(core);
        let change = |(index, change): (usize, &Change)| vitalwire_sync_change {
            part: Arc::clone(&part),
            index,
            before: change.before.map(|key| key.to_string()),
            after: change.after.map(|key| key.to_string()),
        };
        let changes = part.changes().iter().enumerate().map(change).collect();
        Self { changes, part }
    }
}

impl vitalwire_sync_change {
    fn change(&self) -> Option<&Change> {
        self.part.changes().get(self.index)
    }
}

impl From<ChangeType> for vitalwire_change_type {
    fn from(core: ChangeType) -> Self {
        match core {
            ChangeType::Added => Self::VITALWIRE_CHANGE_ADDED,
            ChangeType::Removed => Self::VITALWIRE_CHANGE_REMOVED,
            ChangeType::DayRemoved => Self::VITALWIRE_CHANGE_DAY_REMOVED,
            _ => Self::VITALWIRE_CHANGE_CHANGED,
        }
    }
}

/// Writes the first and the last day that was read. Returns false for NULL. Either pointer may be NULL.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_part_dates(
    of: Option<&vitalwire_sync_part>,
    first: Option<&mut MaybeUninit<vitalwire_date>>,
    last: Option<&mut MaybeUninit<vitalwire_date>>,
) -> bool {
    let days = handles::valid(of).and_then(|of| catch(|| of.part.days()));
    write_bounds(days.map(|days| (days.first(), days.last())), first, last)
}

/// Returns the number of kinds that were read; 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_part_kinds_count(of: Option<&vitalwire_sync_part>) -> usize {
    view::count(of, |of| of.part.kinds().count())
}

/// Returns a kind that was read, by index from 0. `data` is NULL beyond the end.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_part_kinds_at(of: Option<&vitalwire_sync_part>, index: usize) -> vitalwire_str {
    view::text(of, |of| of.part.kinds().nth(index).map(|kind| kind.as_str()))
}

/// Returns the number of changes; 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_part_changes_count(of: Option<&vitalwire_sync_part>) -> usize {
    view::count(of, |of| of.changes.len())
}

/// Returns a change by index from 0, in the order in which changes must be applied; NULL beyond the end. It is valid as long as the part.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_part_changes_at(of: Option<&vitalwire_sync_part>, index: usize) -> Option<&vitalwire_sync_change> {
    view::child(of, |of| of.changes.get(index))
}

/// Returns the state to store after the changes. The next sync needs nothing else. The bytes are valid as long as the part.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_part_state(of: Option<&vitalwire_sync_part>) -> vitalwire_bytes {
    view::plain(of, vitalwire_bytes::NONE, |of| of.part.state().into())
}

/// Returns the state to store before the changes, if changes and state are not stored in one transaction. The bytes are valid as long as
/// the part.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_part_state_before(of: Option<&vitalwire_sync_part>) -> vitalwire_bytes {
    view::plain(of, vitalwire_bytes::NONE, |of| of.part.state_before().into())
}

/// Returns the number of the state after the changes, like vitalwire_sync_state_generation.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_part_generation(of: Option<&vitalwire_sync_part>) -> u64 {
    view::plain(of, 0, |of| of.part.generation())
}

/// Writes the progress of the sync, this part included. Returns false for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_part_progress(
    of: Option<&vitalwire_sync_part>,
    value: Option<&mut MaybeUninit<vitalwire_sync_progress>>,
) -> bool {
    view::scalar(of, value, |of| {
        let progress = of.part.progress();
        Some(vitalwire_sync_progress { done_days: progress.done_days, total_days: progress.total_days })
    })
}

/// Returns whether the sync has more parts.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_part_has_more(of: Option<&vitalwire_sync_part>) -> bool {
    view::plain(of, false, |of| of.part.has_more())
}

/// Returns the number of items and values of the responses that are left out: they cannot be decoded, or are listed sleeps that are not
/// found. Their days stay due, and no record is removed because of them.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_part_left_out(of: Option<&vitalwire_sync_part>) -> u64 {
    view::plain(of, 0, |of| of.part.left_out())
}

/// Frees a part that was read. NULL is allowed. Do not free the part of a vitalwire_sync_callback.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_part_free(of: Option<Box<vitalwire_sync_part>>) {
    view::free(of);
}

/// Returns the kind of the record, one of VITALWIRE_RECORD_KIND_*.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_change_kind(of: Option<&vitalwire_sync_change>) -> vitalwire_str {
    view::text(of, |of| Some(of.change()?.kind.as_str()))
}

/// Returns the type of the change; VITALWIRE_CHANGE_NONE for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_change_type(of: Option<&vitalwire_sync_change>) -> vitalwire_change_type {
    let none = vitalwire_change_type::VITALWIRE_CHANGE_NONE;
    view::plain(of, none, |of| of.change().map_or(none, |change| change.change_type.into()))
}

/// Returns the id of the record: a date, the start of an hour, or the id that the service gave it. `data` is NULL for
/// VITALWIRE_CHANGE_DAY_REMOVED.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_change_id(of: Option<&vitalwire_sync_change>) -> vitalwire_str {
    view::text(of, |of| of.change()?.id.as_deref())
}

/// Writes the day of the record. Store it with the record, because VITALWIRE_CHANGE_DAY_REMOVED names days. Returns false if it is not
/// certain by which day the service selects the record. Such a record is always removed by its id.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_change_day(of: Option<&vitalwire_sync_change>, value: Option<&mut MaybeUninit<vitalwire_date>>) -> bool {
    view::scalar(of, value, |of| of.change()?.day.map(Into::into))
}

/// Returns the content key before the change: a keyed digest of the content. `data` is NULL for a new record, and if the key is unknown.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_change_before(of: Option<&vitalwire_sync_change>) -> vitalwire_str {
    view::text(of, |of| of.before.as_deref())
}

/// Returns the content key after the change. `data` is NULL for a removed record.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_change_after(of: Option<&vitalwire_sync_change>) -> vitalwire_str {
    view::text(of, |of| of.after.as_deref())
}

/// Returns the rows of the record as a JSON list of objects, by column. Columns without a value are left out. Most records have one row; a
/// removed record has none. Free the text with vitalwire_json_free. Returns NULL for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_change_json_rows(of: Option<&vitalwire_sync_change>) -> Option<Box<vitalwire_json>> {
    let of = handles::valid(of)?;
    catch(|| {
        let rows = of.change().map(|change| of.part.json_rows(change)).unwrap_or_default();
        owned(vitalwire_json(serde_json::Value::from_iter(rows).to_string()))
    })
}

/// Returns the number of rows of the record; 0 for a removed record and for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_change_rows_count(of: Option<&vitalwire_sync_change>) -> usize {
    view::count(of, |of| of.change().map_or(0, |change| change.rows.len()))
}

/// Writes the index of a row of the record in the table of its kind, by index from 0. Returns false beyond the end.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_sync_change_rows_at(
    of: Option<&vitalwire_sync_change>,
    index: usize,
    value: Option<&mut MaybeUninit<usize>>,
) -> bool {
    view::scalar(of, value, |of| of.change()?.rows.get(index).copied())
}

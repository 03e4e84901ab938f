//! Days that a sync requests.

use vitalwire::range::DateRange;
use vitalwire::value::{Date, Timestamp};

use super::SyncState;
use super::response::is_list;
use crate::day_set::{DaySet, day_number, day_of};
use crate::generated::RecordKind;
use crate::mistakes::{Mistake, is_planted};

const SECONDS_OF_A_DAY: i64 = 86_400;

impl SyncState {
    /// Returns the days that are due, without `before`, which the run requests first.
    pub(crate) fn due_after(&self, kind: RecordKind, span: DateRange, look_back: u32, before: &DaySet) -> DaySet {
        let look_back = look_back_of(kind, look_back);
        let look_back = if is_planted(Mistake::ShortLookBack) { look_back.saturating_sub(3) } else { look_back };
        let mut due = self.due(span, look_back);
        due.remove_all(before);
        self.with_possible_days(due, span)
    }

    /// Returns the days that an interrupted run has planned, but not requested.
    pub(crate) fn left(&self, span: DateRange) -> DaySet {
        let mut left = self.pending.within(span);
        left.remove_all(&self.failed);
        self.with_possible_days(left, span)
    }

    /// Returns whether an interrupted run has planned days, but not requested them.
    pub(crate) fn has_left(&self) -> bool {
        let mut left = self.pending.clone();
        left.remove_all(&self.failed);
        !left.is_empty()
    }

    /// Adds the days of records with several possible days. Such a record is removed only if a response for all of them lacks it, so request
    /// them together. A list is one request, however many days it has. Days outside of the span wait for a run with a longer span.
    fn with_possible_days(&self, mut days: DaySet, span: DateRange) -> DaySet {
        for record in self.records.iter().filter(|record| record.day().is_none()) {
            let is_due =
                days.ranges().any(|days| day_number(days.first()) <= record.last_day && record.first_day <= day_number(days.last()));
            if is_due {
                days.insert_numbers(record.first_day, record.last_day);
            }
        }
        days.within(span)
    }

    /// Stores the days of a run as pending. An interrupted run therefore forgets no day, in any order of reading. From now on, only requests of
    /// this run count as failed.
    pub(crate) fn plan(&mut self, days: &DaySet) {
        if !is_planted(Mistake::ForgetsPlan) {
            self.pending.insert_all(days);
            self.failed.remove_all(days);
        }
    }

    /// Marks days as due that have been requested before.
    pub(crate) fn request_again(&mut self, days: DateRange) {
        self.pending.insert_all(&self.requested.within(days));
    }

    /// Corrects the state if the clock of an earlier sync was ahead. Days that are not over now count as not requested, and days after tomorrow
    /// as not planned, so that the look-back begins early enough. If the clock was ahead by more than a day, all days are due: days may have
    /// counted as over before they had begun. `last_complete` is the last day that is over now.
    pub(crate) fn correct_clock(&mut self, now: Timestamp, last_complete: Date) {
        if is_planted(Mistake::TrustsFuture) {
            return;
        }
        remove_after(&mut self.requested, Some(last_complete));
        remove_after(&mut self.pending, day_of(now.unix_seconds()).and_then(|today| today.plus_days(1)));
        if self.as_of.is_some_and(|time| time - SECONDS_OF_A_DAY > now.unix_seconds()) {
            self.pending.insert_all(&self.requested);
            self.as_of = Some(now.unix_seconds());
            self.providers_as_of = self.providers_as_of.map(|time| time.min(now.unix_seconds()));
        }
    }

    /// Sets the time of the last check for newly connected providers. The days to which providers before this time may have added data are
    /// already pending.
    pub(crate) fn set_providers_as_of(&mut self, time: Timestamp) {
        self.providers_as_of = Some(time.unix_seconds());
    }
}

/// Removes the days after a day.
fn remove_after(days: &mut DaySet, day: Option<Date>) {
    let next = day.and_then(|day| day.plus_days(1));
    if let Some(later) = next.zip(days.last()).filter(|(next, last)| next <= last) {
        days.remove(DateRange::from(later));
    }
}

/// Returns the look-back of a kind. Records of lists can have dates whose time zone is unknown, so one more day is needed to find removed
/// records.
pub(super) fn look_back_of(kind: RecordKind, look_back: u32) -> u32 {
    look_back.saturating_add(is_list(kind).into())
}

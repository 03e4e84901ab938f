//! Plan of a sync: days, parts and requests.

use vitalwire::error::Error;
use vitalwire::range::DateRange;
use vitalwire::value::{Date, Timestamp};

use crate::copy_state::CopyState;
use crate::day_set::{DaySet, day_of};
use crate::defaults::FIRST_SYNC_DAYS;
use crate::generated::RecordKind;

/// Days of kinds that share requests.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlannedDays {
    /// The kinds.
    pub kinds: Vec<RecordKind>,
    /// The days that are due.
    pub days: DaySet,
    /// Estimated number of requests. One sleep per day is assumed.
    pub requests: u64,
}

/// Days and requests of a sync.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SyncPlan {
    /// Days, for each group of kinds that share requests.
    pub days: Vec<PlannedDays>,
    /// Estimated number of requests, without retries. Includes the request for the user's information, if it is sent.
    pub requests: u64,
}

/// Checks that the first day of a copy is not later than tomorrow in UTC. A sync from a later day would have no day.
///
/// # Errors
/// `invalid_argument` if the first day is later.
pub(crate) fn check_first(first: Date, latest: Timestamp) -> Result<(), Error> {
    let tomorrow = day_of(latest.unix_seconds()).and_then(|today| today.plus_days(1));
    match tomorrow {
        Some(tomorrow) if tomorrow < first => {
            Err(Error::invalid_argument("from", "the first day of the copy must not be after tomorrow in UTC; use an earlier first day"))
        }
        _ => Ok(()),
    }
}

/// Returns the default of the first day of a copy.
pub(crate) fn default_first(latest: Timestamp) -> Date {
    let today = day_of(latest.unix_seconds()).unwrap_or_default();
    today.plus_days(1 - FIRST_SYNC_DAYS).unwrap_or(today)
}

/// Groups the kinds that share requests.
pub(crate) fn groups(kinds: &[RecordKind]) -> Vec<Vec<RecordKind>> {
    let mut groups: Vec<Vec<RecordKind>> = Vec::new();
    for kind in kinds {
        match groups.iter_mut().find(|group| kind.requests_sleeps() && group.iter().all(|other| other.requests_sleeps())) {
            Some(group) => group.push(*kind),
            None => groups.push(vec![*kind]),
        }
    }
    groups
}

/// Days that a run requests of kinds that share requests.
#[derive(Default)]
pub(crate) struct DueDays {
    /// Days that an interrupted run has planned, but not requested. They come first, so that all days are read even if every run is
    /// interrupted after one part.
    pub(crate) left: DaySet,
    /// All other days that are due.
    pub(crate) others: DaySet,
}

impl DueDays {
    /// Finds the days that are due for kinds that share requests.
    pub(crate) fn new(kinds: &[RecordKind], state: &CopyState, latest: Timestamp, look_back: u32) -> Self {
        let mut due = Self::default();
        let Some(today) = day_of(latest.unix_seconds()) else { return due };
        // The next day has begun in some time zones. Hours are instants, so no later day has any.
        let last = |kind: &RecordKind| if *kind == RecordKind::Hourly { today } else { today.plus_days(1).unwrap_or(today) };
        let spans = kinds.iter().map(|kind| (*kind, last(kind))).filter(|(_, last)| state.first <= *last);
        let spans: Vec<_> = spans.map(|(kind, last)| (kind, DateRange::from((state.first, last)))).collect();
        for (kind, span) in spans.iter().filter(|_| state.is_interrupted) {
            due.left.insert_all(&state.kinds.get(kind).map(|known| known.left(*span)).unwrap_or_default());
        }
        for (kind, span) in spans {
            let others = match state.kinds.get(&kind) {
                Some(known) => known.due_after(kind, span, look_back, &due.left),
                None => due.left.missing_from(span),
            };
            due.others.insert_all(&others);
        }
        due
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.left.is_empty() && self.others.is_empty()
    }
}

/// Splits days into parts, the newest first.
pub(crate) fn newest_first(kinds: &[RecordKind], days: DateRange) -> Vec<DateRange> {
    // Months have up to 31 days.
    let length = kinds.iter().map(|kind| kind.months_per_item() * 31).min().and_then(|days| i32::try_from(days).ok()).unwrap_or(31);
    let mut parts = Vec::new();
    let mut last = days.last();
    while days.first() <= last {
        let first = last.plus_days(1 - length).map_or(days.first(), |first| first.max(days.first()));
        parts.push(DateRange::from((first, last)));
        let Some(before) = first.plus_days(-1) else { break };
        last = before;
    }
    parts
}

/// Returns the part with the newest days that are due.
pub(crate) fn newest_part(kinds: &[RecordKind], due: &DaySet) -> Option<DateRange> {
    let newest = due.ranges().last()?;
    newest_first(kinds, newest).into_iter().next()
}

/// Returns the last day of a range as the number of days since 1970-01-01, to order parts.
pub(crate) fn last_day(days: DateRange) -> i32 {
    crate::day_set::day_number(days.last())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::day_set::date_of;

    #[test]
    fn parts_are_split_from_the_end() {
        let days = |first, last| DateRange::from((date_of(first).unwrap(), date_of(last).unwrap()));
        assert_eq!(newest_first(&[RecordKind::Sleeps], days(0, 61)), [days(31, 61), days(0, 30)]);
        assert_eq!(newest_first(&[RecordKind::Sleeps], days(0, 31)), [days(1, 31), days(0, 0)]);
        assert_eq!(newest_first(&[RecordKind::Daily], days(0, 31)), [days(0, 31)]);
    }
}

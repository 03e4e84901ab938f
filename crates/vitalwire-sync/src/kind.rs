//! Rules for kinds of records that do not follow from the specification.

use vitalwire::error::Error;
use vitalwire::nights;
use vitalwire::range::DateRange;
use vitalwire::table::Table;
use vitalwire::value::{Date, Timestamp};

use crate::USER;
use crate::day_set::day_of;
use crate::generated::RecordKind;

/// Seconds between midnight in UTC and midnight in the last time zone, UTC-12.
const LAST_TIME_ZONE: i64 = 12 * 3600;

impl RecordKind {
    /// Returns a table without rows, with all columns: `user` and those of the specification.
    ///
    /// # Errors
    /// `decode` if the table exceeds memory limits.
    pub fn empty(self) -> Result<Table, Error> {
        self.without_rows()?.with_key(USER, "")
    }

    /// Returns a table without rows, with the columns of a response.
    pub fn without_rows(self) -> Result<Table, Error> {
        let empty = if self.requests_sleeps() { nights::empty_table(self.id())? } else { Table::empty(self.id()) };
        Ok(empty.with_empty_columns())
    }

    /// Returns the column with the days by which a request selects records, so that a filter on it can reduce the requests. `None` if it is
    /// not certain by which column the service selects records.
    #[must_use]
    pub fn filter_column(self) -> Option<&'static str> {
        self.day_columns().first().copied().filter(|_| self.requests_sleeps() || !self.has_movable_records())
    }

    /// Returns the number of days before and after a filter on [`filter_column`](Self::filter_column) that must be requested, too. An
    /// instant can be on another day in another time zone, and a neighbouring day can list a sleep.
    #[must_use]
    pub fn filter_margin_days(self) -> u32 {
        match self {
            _ if self.requests_sleeps() => 2,
            _ if self.has_local_days() => 0,
            _ => 1,
        }
    }

    /// Returns whether the day of a record can change. The day of a statistic cannot change, because it identifies the record.
    #[must_use]
    pub fn has_movable_records(self) -> bool {
        self.statistics().is_empty()
    }

    /// Returns the last day that is over at a time. A local day is over when it has ended in every time zone, which is 12 hours after its
    /// end in UTC.
    #[must_use]
    pub fn last_complete_day(self, service_time: Timestamp) -> Option<Date> {
        let delay = if self.has_local_days() { LAST_TIME_ZONE } else { 0 };
        day_of(service_time.unix_seconds() - delay)?.plus_days(-1)
    }

    /// Returns the maximum number of calendar months in a work item. A user's rows of an item are lost if a run is interrupted during it.
    pub fn months_per_item(self) -> u32 {
        match self {
            Self::Daily | Self::Labs => 12,
            Self::Hourly | Self::Nutrition => 3,
            Self::Sleeps | Self::SleepStages => 1,
        }
    }

    /// Returns the estimated number of requests for one user. Each sleep needs its own request; one sleep per day is assumed.
    pub fn requests(self, days: DateRange) -> u64 {
        if self.requests_sleeps() { 1 + u64::from(days.days()) } else { 1 }
    }

    /// Splits days at the ends of calendar months, into parts of up to `months` months.
    pub fn split(self, days: DateRange, months: u32) -> Vec<DateRange> {
        let mut parts = Vec::new();
        let mut first = days.first();
        while first <= days.last() {
            let (year, month, _) = first.ymd();
            let next = i64::from(year) * 12 + i64::from(month) - 1 + i64::from(months);
            let end = first_of_month(next).and_then(|next| next.plus_days(-1)).unwrap_or(days.last()).min(days.last());
            parts.push(DateRange::from((first, end)));
            let Some(next) = end.plus_days(1) else { break };
            first = next;
        }
        parts
    }
}

/// Returns the first day of a month. Months are counted from January of year 0.
fn first_of_month(month: i64) -> Option<Date> {
    Date::new(i16::try_from(month.div_euclid(12)).ok()?, i8::try_from(month.rem_euclid(12) + 1).ok()?, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_local_day_is_over_12_hours_after_its_end_in_utc() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        for (time, local, utc) in [
            ("2026-11-28T00:00:00Z", "2026-11-26", "2026-11-27"),
            ("2026-11-28T11:59:59Z", "2026-11-26", "2026-11-27"),
            ("2026-11-28T12:00:00Z", "2026-11-27", "2026-11-27"),
        ] {
            assert_eq!(RecordKind::Daily.last_complete_day(at(time)).unwrap().to_string(), local, "{time}");
            assert_eq!(RecordKind::Hourly.last_complete_day(at(time)).unwrap().to_string(), utc, "{time}");
        }
    }

    /// Each declared column exists, so that a renamed column cannot go unnoticed.
    #[test]
    fn every_declared_column_is_in_its_table() {
        for table in RecordKind::ALL {
            let empty = table.empty().unwrap();
            for name in table.day_columns().iter().chain(table.sort_columns()).chain(table.statistics()).chain([&table.key()]) {
                assert!(empty.column(name).is_some(), "{table} has no column {name}");
            }
        }
    }
}

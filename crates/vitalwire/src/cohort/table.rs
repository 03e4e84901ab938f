//! Tables of cohorts.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::nights::with_sleep_date;
use crate::range::DateRange;
use crate::table::{Table, TableId, TableSpec};
use crate::value::Date;

/// A table of a cohort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum CohortTable {
    /// Statistics per day. Days are local dates of the user.
    Daily,
    /// Statistics per hour. Days are in UTC.
    Hourly,
    /// Sleeps. Days are the dates to which the service attributes them.
    Sleeps,
    /// Stages of sleeps. Days are the dates of the sleeps, in the column `sleep_date`.
    SleepStages,
    /// Results of lab reports. Days are in UTC.
    Labs,
    /// Nutrition records. Days are in UTC.
    Nutrition,
}

/// Statistics that exist only per day, so hourly requests omit them.
const DAILY_ONLY: [&str; 5] = ["activity_score", "recovery_score", "sleep_duration_total", "sleep_score", "stress_score"];

impl CohortTable {
    /// All tables.
    pub const ALL: [Self; 6] = [Self::Daily, Self::Hourly, Self::Sleeps, Self::SleepStages, Self::Labs, Self::Nutrition];

    /// Returns the name, such as `sleep_stages`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Daily => "daily",
            Self::Hourly => "hourly",
            Self::Sleeps => "sleeps",
            Self::SleepStages => "sleep_stages",
            Self::Labs => "labs",
            Self::Nutrition => "nutrition",
        }
    }

    /// Returns the id of the response table that contains the rows.
    #[must_use]
    pub fn id(self) -> TableId {
        match self {
            Self::Daily => TableId::DailyStatistics,
            Self::Hourly => TableId::IntervalStatistics,
            Self::Sleeps => TableId::Sleeps,
            Self::SleepStages => TableId::SleepStages,
            Self::Labs => TableId::LabResults,
            Self::Nutrition => TableId::NutritionRecords,
        }
    }

    /// Returns the specification of the table, without the column `user`.
    #[must_use]
    pub fn spec(self) -> &'static TableSpec {
        self.id().spec()
    }

    /// Returns the column that identifies a record. Rows with the same user and the same value belong to one record.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::Daily => "date",
            Self::Hourly => "from_timestamp",
            Self::Sleeps | Self::SleepStages => "sleep_id",
            Self::Labs | Self::Nutrition => "record_id",
        }
    }

    /// Returns the columns that can contain the day of a row. The first one with a value is used.
    #[must_use]
    pub fn day_columns(self) -> &'static [&'static str] {
        match self {
            Self::Daily => &["date"],
            Self::Hourly => &["from_timestamp"],
            Self::Sleeps => &["sleep_date", "start_at_timestamp"],
            Self::SleepStages => &["sleep_date", "start_at"],
            Self::Labs => &["collection_day", "uploaded_at"],
            Self::Nutrition => &["consumed_at", "uploaded_at"],
        }
    }

    /// Whether the day of a record can change. The day of a statistic cannot change, because it identifies the record.
    #[must_use]
    pub fn has_movable_records(self) -> bool {
        !matches!(self, Self::Daily | Self::Hourly)
    }

    /// Returns the names of the statistics of the table. Empty for tables other than `daily` and `hourly`.
    #[must_use]
    pub fn statistics(self) -> Vec<&'static str> {
        let names = self.spec().numbers().map(|field| &*field.name);
        match self {
            Self::Daily => names.collect(),
            Self::Hourly => names.filter(|name| !DAILY_ONLY.contains(name)).collect(),
            _ => Vec::new(),
        }
    }

    /// Returns a table without rows, with all columns except `user`. Exports include its empty columns.
    ///
    /// # Errors
    /// `decode` if the table exceeds memory limits.
    pub fn empty(self) -> Result<Table, Error> {
        let empty = Table::empty(self.id()).with_empty_columns();
        match self {
            Self::Sleeps | Self::SleepStages => with_sleep_date(empty, Date::default()),
            _ => Ok(empty),
        }
    }

    /// Default maximum number of calendar months in a work item.
    pub(super) fn months_per_item(self) -> u32 {
        match self {
            Self::Daily | Self::Labs => 12,
            Self::Hourly | Self::Sleeps | Self::Nutrition => 3,
            Self::SleepStages => 1,
        }
    }

    /// Returns the estimated number of requests for one user. Each sleep needs its own request; the estimate assumes one per day.
    pub(super) fn requests(self, days: DateRange) -> u64 {
        match self {
            Self::Sleeps | Self::SleepStages => 1 + u64::from(days.days()),
            _ => 1,
        }
    }

    /// Splits days at the ends of calendar months, into parts of up to `months` months.
    pub(super) fn split(self, days: DateRange, months: u32) -> Vec<DateRange> {
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

impl fmt::Display for CohortTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for CohortTable {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let unknown = || Error::invalid_argument("tables", "must be daily, hourly, sleeps, sleep_stages, labs or nutrition");
        Self::ALL.into_iter().find(|table| table.as_str() == text).ok_or_else(unknown)
    }
}

//! Range of days that may have data, from the first one to the present.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};

use super::profile::Profile;
use crate::values::calendar::{FIRST_DAY, day_number, from_number};

/// Returns the date from which the days of a person are counted: the local date for data that arrives late, otherwise the UTC date.
pub(crate) fn today(person: &Profile, now: Timestamp) -> Date {
    if person.late_days == 0 { now.to_zoned(TimeZone::UTC).date() } else { person.date_at(now) }
}

/// Returns the last day that may have begun in any time zone while it is `today` in UTC. If data arrives late, returns the last day whose
/// data has arrived.
fn last_day(today: Date, late_days: i64) -> Date {
    if late_days == 0 { today.tomorrow().unwrap_or(Date::MAX) } else { today.saturating_sub(late_days.days()) }
}

/// Whether a day may have data.
pub(crate) fn has_day(today: Date, late_days: i64, day: Date) -> bool {
    (FIRST_DAY..=last_day(today, late_days)).contains(&day)
}

/// Returns the days from `from` to `to`, both inclusive, that may have data.
pub(crate) fn days(today: Date, late_days: i64, from: Date, to: Date) -> impl Iterator<Item = Date> + Send + use<> {
    let (first, last) = (from.max(FIRST_DAY), to.min(last_day(today, late_days)));
    (day_number(first)..=day_number(last)).filter_map(|day| from_number(i32::try_from(day).ok()?))
}

//! Dates as numbers, and the rules of the time zones of synthetic people.

use jiff::civil::{Date, DateTime, date};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

/// First day that has data.
pub(crate) const FIRST_DAY: Date = date(2020, 1, 1);

const EPOCH: Date = date(1970, 1, 1);

/// Returns the days since 1970-01-01.
pub(crate) fn day_number(day: Date) -> i64 {
    EPOCH.duration_until(day).as_secs().div_euclid(86_400)
}

/// Returns the date with this number of days since 1970-01-01, if the calendar has it.
pub(crate) fn from_number(number: i32) -> Option<Date> {
    EPOCH.checked_add(SignedDuration::from_hours(i64::from(number) * 24)).ok()
}

/// A time zone with its IANA name and its current rule, so that no time zone database is needed.
#[derive(Debug)]
pub(crate) struct Zone {
    pub(crate) name: &'static str,
    /// Whether summer is around the turn of the year.
    pub(crate) is_southern: bool,
    rule: &'static str,
}

/// Includes half-hour offsets, both hemispheres and a zone without summer time.
pub(crate) const ZONES: [Zone; 6] = [
    Zone { name: "Europe/Berlin", is_southern: false, rule: "CET-1CEST,M3.5.0,M10.5.0/3" },
    Zone { name: "America/New_York", is_southern: false, rule: "EST5EDT,M3.2.0,M11.1.0" },
    Zone { name: "Asia/Kolkata", is_southern: false, rule: "IST-5:30" },
    Zone { name: "Australia/Sydney", is_southern: true, rule: "AEST-10AEDT,M10.1.0,M4.1.0/3" },
    Zone { name: "America/Sao_Paulo", is_southern: true, rule: "<-03>3" },
    Zone { name: "America/Los_Angeles", is_southern: false, rule: "PST8PDT,M3.2.0,M11.1.0" },
];

impl Zone {
    pub(crate) fn rules(&self) -> TimeZone {
        TimeZone::posix(self.rule).unwrap_or(TimeZone::UTC)
    }
}

/// Converts local time to seconds since 1970. A time that a clock change skips or repeats is resolved by jiff's "compatible" rule.
/// A time outside the range of instants becomes its limit.
pub(crate) fn unix_seconds(zone: &TimeZone, local: DateTime) -> i64 {
    let end = if local.year() < 0 { Timestamp::MIN } else { Timestamp::MAX };
    zone.to_timestamp(local).unwrap_or(end).as_second()
}

/// Returns the start of a local day in seconds since 1970.
pub(crate) fn midnight(zone: &TimeZone, day: Date) -> i64 {
    unix_seconds(zone, day.at(0, 0, 0, 0))
}

/// Returns the next day. The last day of the calendar is returned unchanged.
pub(crate) fn next_day(day: Date) -> Date {
    day.tomorrow().unwrap_or(day)
}

/// Converts seconds since 1970 to an instant, clamped to the calendar.
pub(crate) fn instant(seconds: i64) -> Timestamp {
    Timestamp::from_second(seconds).unwrap_or(if seconds < 0 { Timestamp::MIN } else { Timestamp::MAX })
}

/// Adds a duration, clamped to the calendar.
pub(crate) fn plus(at: Timestamp, by: SignedDuration) -> Timestamp {
    at.checked_add(by).unwrap_or(if by.is_negative() { Timestamp::MIN } else { Timestamp::MAX })
}

/// Returns noon UTC of a date.
pub(crate) fn noon(date: Date) -> Timestamp {
    TimeZone::UTC.to_timestamp(date.at(12, 0, 0, 0)).unwrap_or_default()
}

/// Returns the UTC offset at an instant, in minutes.
pub(crate) fn offset_minutes(zone: &TimeZone, seconds: i64) -> i64 {
    i64::from(zone.to_offset(instant(seconds)).seconds() / 60)
}

#[cfg(test)]
mod tests;

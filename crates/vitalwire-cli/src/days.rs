//! The user's days: the instants of a date.

use std::fmt;

use jiff::fmt::temporal::DateTimeParser;
use jiff::tz::{TimeZone, TimeZoneDatabase};
use vitalwire::value::{Date, Timestamp};

use crate::render::style::clean;

const SECONDS_PER_DAY: i32 = 86_400;

/// The time zone in which a user's days begin and end.
#[derive(Clone, Debug)]
pub(crate) struct Days {
    zone: TimeZone,
    name: String,
}

impl Days {
    pub(crate) fn utc() -> Self {
        Self { zone: TimeZone::UTC, name: "UTC".to_owned() }
    }

    /// Returns days in a time zone: an IANA name such as `Europe/Berlin`, or an offset such as `+02:00`.
    pub(crate) fn in_zone(name: &str) -> Option<Self> {
        let zone = DateTimeParser::new().parse_time_zone_with(&TimeZoneDatabase::bundled(), name).ok()?;
        // Reject offsets of a day or more, which no clock has.
        if zone.to_fixed_offset().is_ok_and(|offset| offset.seconds().abs() >= SECONDS_PER_DAY) {
            return None;
        }
        Some(Self { zone, name: clean(name).into_owned() })
    }

    /// Returns the first instant of a day. It is later than midnight if the clocks go forward at midnight.
    pub(crate) fn start(&self, date: Date) -> Timestamp {
        date.jiff().to_zoned(self.zone.clone()).map(|zoned| zoned.timestamp().into()).unwrap_or_default()
    }

    /// Returns the first instant after a day.
    pub(crate) fn end(&self, date: Date) -> Timestamp {
        date.plus_days(1).map_or_else(|| self.start(date), |next| self.start(next))
    }

    pub(crate) fn date(&self, at: Timestamp) -> Date {
        at.jiff().to_zoned(self.zone.clone()).date().into()
    }

    /// Returns the offset of the local time from UTC at an instant, in minutes.
    pub(crate) fn offset_minutes(&self, at: Timestamp) -> i64 {
        i64::from(self.zone.to_offset(at.jiff()).seconds() / 60)
    }
}

/// Writes the name of the time zone.
impl fmt::Display for Days {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn days(name: &str) -> Days {
        Days::in_zone(name).expect("a zone")
    }

    /// Computed by hand from the rules of the zones: summer time began in Sydney on 5 October 2025 and ended in New York on 2 November.
    #[test]
    fn a_day_begins_and_ends_on_the_users_clock() {
        for (zone, date, start, end) in [
            ("UTC", "2025-11-25", "2025-11-25T00:00:00Z", "2025-11-26T00:00:00Z"),
            ("Australia/Sydney", "2025-11-25", "2025-11-24T13:00:00Z", "2025-11-25T13:00:00Z"),
            ("Australia/Sydney", "2025-10-05", "2025-10-04T14:00:00Z", "2025-10-05T13:00:00Z"),
            ("America/New_York", "2025-11-02", "2025-11-02T04:00:00Z", "2025-11-03T05:00:00Z"),
            ("America/Los_Angeles", "2025-07-04", "2025-07-04T07:00:00Z", "2025-07-05T07:00:00Z"),
            ("Asia/Kolkata", "2025-11-25", "2025-11-24T18:30:00Z", "2025-11-25T18:30:00Z"),
            // No midnight: the clocks went from 00:00 to 01:00.
            ("America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00Z", "2018-11-05T02:00:00Z"),
            ("+02:00", "2025-11-25", "2025-11-24T22:00:00Z", "2025-11-25T22:00:00Z"),
        ] {
            let (days, date) = (days(zone), date.parse::<Date>().expect("a date"));
            assert_eq!((days.start(date).to_string(), days.end(date).to_string()), (start.to_owned(), end.to_owned()), "{zone} {date}");
            let last = Timestamp::from_unix(days.end(date).unix_seconds() - 1, 0).expect("an instant");
            assert_eq!((days.date(days.start(date)), days.date(last)), (date, date), "{zone}");
            assert_ne!(days.date(days.end(date)), date, "{zone}");
        }
        assert_eq!(days("Australia/Sydney").offset_minutes("2025-11-25T00:00:00Z".parse().expect("an instant")), 660);
    }

    #[test]
    fn an_unknown_zone_is_none() {
        for name in ["", "Nowhere", "Europe/", "+24:00", "+25:00", "CANARY"] {
            assert!(Days::in_zone(name).is_none(), "{name}");
        }
    }
}

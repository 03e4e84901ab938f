//! Dates and instants as callers write them.

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::calendar::plus;

/// `YYYY-MM-DD` and nothing else.
pub(crate) fn date(text: &str) -> Option<Date> {
    let shaped = text.len() == 10
        && text.bytes().enumerate().all(|(at, byte)| if at == 4 || at == 7 { byte == b'-' } else { byte.is_ascii_digit() });
    if shaped { text.parse().ok() } else { None }
}

/// A date-time with `Z`, with an offset, or with neither: then it is UTC.
pub(crate) fn instant(text: &str) -> Option<Timestamp> {
    date(text.get(..10)?)?;
    if !matches!(text.as_bytes().get(10), Some(b'T' | b't')) || text.contains('[') {
        return None;
    }
    if let Ok(instant) = text.parse::<Timestamp>() {
        // An offset can lead out of the years that the format has.
        return (instant >= earliest()).then_some(instant);
    }
    let local: DateTime = text.parse().ok()?;
    // A text with an offset never gets here unless its offset is bad; the civil parser would quietly skip one.
    let zoneless = text.get(11..)?.bytes().all(|byte| byte.is_ascii_digit() || byte == b':' || byte == b'.');
    if zoneless { TimeZone::UTC.to_timestamp(local).ok() } else { None }
}

/// The start of a range whose start was not given.
pub(crate) fn before(to: Timestamp, hours: i64) -> Timestamp {
    plus(to, SignedDuration::from_hours(-hours)).max(earliest())
}

/// The first instant that can be written as a date-time: 0000-01-01T00:00:00Z.
fn earliest() -> Timestamp {
    Timestamp::from_second(-62_167_219_200).unwrap_or(Timestamp::MIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_with_and_without_zone() {
        let eight = instant("2025-01-31T08:00:00Z").unwrap();
        assert_eq!(eight.as_second(), 1_738_310_400);
        assert_eq!(instant("2025-01-31T08:00:00"), Some(eight));
        assert_eq!(instant("2025-01-31T09:00:00+01:00"), Some(eight));
        assert_eq!(instant("2025-01-31T08:00:00.000000000"), Some(eight));
        for bad in [
            "",
            "2025-01-31",
            "2025-02-30T00:00:00Z",
            "2025-01-31 08:00:00Z",
            "2025-01-31T08:00:00+99:00",
            "2025-01-31T08:00:00 01:00",
            "20250131T080000Z",
            "2025-01-31T08:00:00Z[UTC]",
            "now",
            "0000-01-01T00:00:00+01:00",
            "ääääääääää",
        ] {
            assert_eq!(instant(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_start_that_was_not_given_stays_a_date_time() {
        let first = instant("0000-01-01T00:00:00Z").unwrap();
        assert_eq!(before(first, 24), first);
        assert_eq!(before(instant("2025-01-31T08:00:00Z").unwrap(), 24).to_string(), "2025-01-30T08:00:00Z");
    }

    #[test]
    fn dates_are_strict() {
        assert_eq!(date("2024-02-29"), Some(jiff::civil::date(2024, 2, 29)));
        for bad in ["2025-02-29", "20250101", "2025-1-1", "2025-01-01T00:00", "25-01-01", "+2025-1-01"] {
            assert_eq!(date(bad), None, "{bad}");
        }
    }
}

//! Instants.

use std::fmt;
use std::str::FromStr;
use std::time::SystemTime;

use jiff::civil;
use jiff::fmt::temporal::DateTimeParser;
use jiff::tz::Offset;
use serde::{Serialize, Serializer};

use super::decode::{Decode, deserialize_by_decode};
use super::{fixed_layout, time_forms};

/// Range of valid instants: 0001-01-01T00:00:00Z to 9999-12-31T23:59:59Z, in seconds from 1970. The types of all languages can represent
/// it.
const EARLIEST: i64 = -62_135_596_800;
const LATEST: i64 = 253_402_300_799;

const DAY: jiff::SignedDuration = jiff::SignedDuration::from_hours(24);

static PARSER: DateTimeParser = DateTimeParser::new();

/// An instant in UTC, with nanosecond precision.
///
/// `Display` and JSON use `YYYY-MM-DDTHH:MM:SS[.fraction]Z` without trailing zeros. Parsing and decoding accept the following forms, in any
/// combination:
///
/// | part | accepted | meaning |
/// |---|---|---|
/// | separator of date and time | `T`, `t`, a space | |
/// | seconds | `06:30:15`, `06:30` | 0 if omitted |
/// | decimals of a second, after `.` or `,` | one or more digits | nanoseconds; digits after the ninth are cut off |
/// | offset | `Z`, `z`, `+01:00`, `+0100`, `+01`, none | UTC if omitted |
/// | `24:00`, `24:00:00`, with decimals of zero | | the first instant of the next day |
///
/// Rejected are a date without time, hours without minutes, a bracketed time zone, and instants outside of the years 1 to 9999. The file
/// `tests/forms/instants.json` lists examples, which the client, the sandbox and the command line are tested with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Timestamp(jiff::Timestamp);

impl Timestamp {
    /// Creates an instant from seconds since 1970-01-01T00:00:00Z and nanoseconds (0 to 999,999,999). Returns `None` outside of the years
    /// -9999 to 9999.
    #[must_use]
    pub fn from_unix(seconds: i64, nanoseconds: u32) -> Option<Self> {
        if nanoseconds > 999_999_999 {
            return None;
        }
        let whole = jiff::Timestamp::from_second(seconds).ok()?;
        if nanoseconds == 0 {
            return Some(Self(whole));
        }
        whole.checked_add(jiff::SignedDuration::from_nanos(i64::from(nanoseconds))).ok().map(Self)
    }

    /// Returns the whole seconds since 1970-01-01T00:00:00Z, rounded down, also before 1970.
    #[must_use]
    pub fn unix_seconds(self) -> i64 {
        self.0.as_second() - i64::from(self.0.subsec_nanosecond() < 0)
    }

    /// Returns the nanoseconds after [`Timestamp::unix_seconds`], 0 to 999,999,999.
    #[must_use]
    pub fn subsec_nanoseconds(self) -> u32 {
        self.0.subsec_nanosecond().rem_euclid(1_000_000_000).unsigned_abs()
    }

    /// Returns the local date and time at an offset from UTC in minutes, such as a record's `user_time_offset_minutes`. Returns `None` if
    /// the offset exceeds ±25 hours.
    #[must_use]
    pub fn local(self, offset_minutes: i64) -> Option<civil::DateTime> {
        let seconds = i32::try_from(offset_minutes.checked_mul(60)?).ok()?;
        Some(Offset::from_seconds(seconds).ok()?.to_datetime(self.0))
    }

    /// Converts the instant to jiff's type.
    #[must_use]
    pub fn jiff(self) -> jiff::Timestamp {
        self.0
    }

    /// Parses the documented forms. Rejects other forms that jiff accepts: a date without time, a bracketed time zone, hours without
    /// minutes.
    fn parse(text: &str) -> Option<Self> {
        if let Some((seconds, nanoseconds)) = fixed_layout::parse_instant(text.as_bytes()) {
            return if (EARLIEST..=LATEST).contains(&seconds) { Self::from_unix(seconds, nanoseconds) } else { None };
        }
        Self::parse_other(text)
    }

    /// Parses the documented forms. Returns the seconds since 1970-01-01T00:00:00Z, rounded down, and the nanoseconds.
    #[inline]
    pub(crate) fn parse_unix(text: &str) -> Option<(i64, u32)> {
        // The last second of jiff's range: 9999-12-30T22:00:00Z.
        const LAST: i64 = 253_402_207_200;
        match fixed_layout::parse_instant(text.as_bytes()) {
            Some(unix) => (EARLIEST..=LAST).contains(&unix.0).then_some(unix),
            None => Self::parse_other(text).map(|instant| (instant.unix_seconds(), instant.subsec_nanoseconds())),
        }
    }

    /// Parses the documented forms, except for the usual layout.
    fn parse_other(text: &str) -> Option<Self> {
        let form = time_forms::rewrite(text)?;
        let text = form.text.as_str();
        if text.contains('[') {
            return None;
        }
        let has_offset = text.bytes().skip(19).any(|byte| matches!(byte, b'Z' | b'z' | b'+' | b'-'));
        let instant = if has_offset {
            PARSER.parse_timestamp(text).ok()?
        } else {
            Offset::UTC.to_timestamp(PARSER.parse_datetime(text).ok()?).ok()?
        };
        let instant = if form.next_day { instant.checked_add(DAY).ok()? } else { instant };
        let instant = Self(instant);
        (EARLIEST..=LATEST).contains(&instant.unix_seconds()).then_some(instant)
    }
}

/// The error of a text that is not a date-time in one of the forms of [`Timestamp`]. It does not contain the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidTimestamp;

impl InvalidTimestamp {
    pub(crate) const TEXT: &'static str = "must be a date-time such as 2025-01-31T06:30:00Z";
}

impl fmt::Display for InvalidTimestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Self::TEXT)
    }
}

impl std::error::Error for InvalidTimestamp {}

impl FromStr for Timestamp {
    type Err = InvalidTimestamp;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text).ok_or(InvalidTimestamp)
    }
}

impl From<jiff::Timestamp> for Timestamp {
    fn from(instant: jiff::Timestamp) -> Self {
        Self(instant)
    }
}

impl From<Timestamp> for SystemTime {
    fn from(instant: Timestamp) -> Self {
        instant.0.into()
    }
}

impl TryFrom<SystemTime> for Timestamp {
    type Error = InvalidTimestamp;

    fn try_from(time: SystemTime) -> Result<Self, Self::Error> {
        jiff::Timestamp::try_from(time).map(Self).map_err(|_| InvalidTimestamp)
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// Redacted: the time of a sleep is health data.
impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Timestamp(..)")
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Decode for Timestamp {
    const EXPECTED: &'static str = "expected a date-time";

    fn text(text: &str) -> Option<Self> {
        Self::parse(text)
    }
}

deserialize_by_decode!(Timestamp);

#[cfg(test)]
mod tests {
    use super::*;

    fn normal(text: &str) -> Option<String> {
        text.parse::<Timestamp>().ok().map(|instant| instant.to_string())
    }

    #[test]
    fn every_form_of_the_service_is_parsed() {
        for (text, expected) in [
            ("2025-01-31T06:30:00Z", "2025-01-31T06:30:00Z"),
            ("2025-01-31T06:30:00", "2025-01-31T06:30:00Z"),
            ("2025-01-31 06:30:00", "2025-01-31T06:30:00Z"),
            ("2025-01-31T06:30:00+02:00", "2025-01-31T04:30:00Z"),
            ("2025-01-31T06:30:00-1400", "2025-01-31T20:30:00Z"),
            ("2025-01-31T06:30:00.123456789Z", "2025-01-31T06:30:00.123456789Z"),
            ("2025-01-31T06:30:00.500", "2025-01-31T06:30:00.5Z"),
            ("2024-02-29T23:59:59.9", "2024-02-29T23:59:59.9Z"),
            ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"),
        ] {
            assert_eq!(normal(text).as_deref(), Some(expected), "{text}");
        }
    }

    /// Reads the table that is shared with the sandbox and the command line.
    #[test]
    fn every_form_of_the_shared_table_is_parsed() {
        // Read at run time, because the table is not part of the published crate.
        const FORMS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/forms/instants.json");
        let table: serde_json::Value = serde_json::from_slice(&std::fs::read(FORMS).unwrap()).unwrap();
        let forms = table["forms"].as_array().unwrap();
        assert!(forms.len() > 50);
        for form in forms {
            let text = form["text"].as_str().unwrap();
            assert_eq!(normal(text).as_deref(), form["instant"].as_str(), "{text}");
        }
    }

    #[test]
    fn other_texts_are_rejected() {
        for text in [
            "",
            "2025-01-31",
            "2025-02-30T00:00:00Z",
            "2025-01-31T06",
            "2025-01-31T06:30:00[Europe/Paris]",
            "yesterday at about noon",
            "2025-13-01T00:00:00Z",
            // Half a second before the year 1. Rounding towards 1970 would make it valid.
            "0000-12-31T23:59:59.5Z",
            "0001-01-01T00:00:00.5+00:01",
        ] {
            assert_eq!(normal(text), None, "{text}");
        }
    }

    #[test]
    fn instants_before_1970_are_split_into_seconds_and_nanoseconds() {
        let before: Timestamp = "1969-12-31T23:59:59.25Z".parse().unwrap();
        assert_eq!((before.unix_seconds(), before.subsec_nanoseconds()), (-1, 250_000_000));
        assert_eq!(Timestamp::from_unix(-1, 250_000_000), Some(before));
        assert_eq!(Timestamp::from_unix(0, 1_000_000_000), None);
    }

    #[test]
    fn the_offset_is_applied_once_to_local_time() {
        let instant: Timestamp = "2025-01-31T23:30:00Z".parse().unwrap();
        assert_eq!(instant.local(60).unwrap().to_string(), "2025-02-01T00:30:00");
        assert_eq!(instant.local(-14 * 60).unwrap().to_string(), "2025-01-31T09:30:00");
        assert_eq!(instant.local(i64::MAX), None);
    }
}

//! Instants.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, SystemTime};

use jiff::fmt::temporal::DateTimeParser;
use jiff::tz::Offset;
use jiff::{SignedDuration, civil};
use serde::{Serialize, Serializer};

use super::decode::{Decode, deserialize_by_decode};
use super::{fixed_layout, time_forms};

/// Range of parsed instants: 0001-01-01T00:00:00Z to 9999-12-31T23:59:59Z, in seconds from 1970. The types of all languages can represent
/// it.
const EARLIEST: i64 = -62_135_596_800;
const LATEST: i64 = 253_402_300_799;

/// -9999-01-01T00:00:00Z, in seconds from 1970.
const FIRST_OF_ALL: i64 = -377_705_116_800;

const DAY: SignedDuration = SignedDuration::from_hours(24);

const NANOSECONDS: i32 = 1_000_000_000;

const EPOCH: civil::DateTime = civil::DateTime::constant(1970, 1, 1, 0, 0, 0, 0);

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
pub struct Timestamp {
    /// Seconds since 1970-01-01T00:00:00Z, rounded down.
    seconds: i64,
    nanoseconds: u32,
}

impl Timestamp {
    /// Creates an instant from seconds since 1970-01-01T00:00:00Z and nanoseconds (0 to 999,999,999). Returns `None` outside of the years
    /// -9999 to 9999.
    #[must_use]
    pub fn from_unix(seconds: i64, nanoseconds: u32) -> Option<Self> {
        ((FIRST_OF_ALL..=LATEST).contains(&seconds) && nanoseconds <= 999_999_999).then_some(Self { seconds, nanoseconds })
    }

    /// Returns the whole seconds since 1970-01-01T00:00:00Z, rounded down, also before 1970.
    #[must_use]
    pub fn unix_seconds(self) -> i64 {
        self.seconds
    }

    /// Returns the nanoseconds after [`Timestamp::unix_seconds`], 0 to 999,999,999.
    #[must_use]
    pub fn subsec_nanoseconds(self) -> u32 {
        self.nanoseconds
    }

    /// Returns the local date and time at an offset from UTC in minutes, such as a record's `user_time_offset_minutes`. Returns `None` if
    /// the offset exceeds ±25 hours, or outside of the years -9999 to 9999.
    #[must_use]
    pub fn local(self, offset_minutes: i64) -> Option<civil::DateTime> {
        let offset = Offset::from_seconds(i32::try_from(offset_minutes.checked_mul(60)?).ok()?).ok()?;
        EPOCH.checked_add(self.since_1970().checked_add(SignedDuration::from_secs(offset.seconds().into()))?).ok()
    }

    /// Converts the instant to jiff's type. It ends at 9999-12-30T22:00:00.999999999Z, which replaces later instants.
    #[must_use]
    pub fn jiff(self) -> jiff::Timestamp {
        jiff::Timestamp::from_duration(self.since_1970()).unwrap_or(match self.seconds {
            ..0 => jiff::Timestamp::MIN,
            _ => jiff::Timestamp::MAX,
        })
    }

    fn since_1970(self) -> SignedDuration {
        SignedDuration::from_secs(self.seconds) + SignedDuration::from_nanos(self.nanoseconds.into())
    }

    fn from_duration(since_1970: SignedDuration) -> Option<Self> {
        let (seconds, nanoseconds) = (since_1970.as_secs(), since_1970.subsec_nanos());
        Self::from_unix(seconds - i64::from(nanoseconds < 0), nanoseconds.rem_euclid(NANOSECONDS).unsigned_abs())
    }

    /// Parses the documented forms. Rejects other forms that jiff accepts: a date without time, a bracketed time zone, hours without
    /// minutes.
    fn parse(text: &str) -> Option<Self> {
        Self::parse_unix(text).map(|(seconds, nanoseconds)| Self { seconds, nanoseconds })
    }

    /// Parses the documented forms. Returns the seconds since 1970-01-01T00:00:00Z, rounded down, and the nanoseconds.
    #[inline]
    pub(crate) fn parse_unix(text: &str) -> Option<(i64, u32)> {
        let unix = match fixed_layout::parse_instant(text.as_bytes()) {
            Some(unix) => unix,
            None => Self::parse_other(text).map(|instant| (instant.seconds, instant.nanoseconds))?,
        };
        (EARLIEST..=LATEST).contains(&unix.0).then_some(unix)
    }

    /// Parses the documented forms, except for the usual layout.
    fn parse_other(text: &str) -> Option<Self> {
        let form = time_forms::rewrite(text)?;
        let text = form.text.as_str();
        if text.contains('[') {
            return None;
        }
        let has_offset = text.bytes().skip(19).any(|byte| matches!(byte, b'Z' | b'z' | b'+' | b'-'));
        let since_1970 = if has_offset {
            let pieces = PARSER.parse_pieces(text).ok()?;
            let offset = SignedDuration::from_secs(pieces.to_numeric_offset()?.seconds().into());
            pieces.date().to_datetime(pieces.time()?).duration_since(EPOCH).checked_sub(offset)?
        } else {
            PARSER.parse_datetime(text).ok()?.duration_since(EPOCH)
        };
        Self::from_duration(if form.next_day { since_1970.checked_add(DAY)? } else { since_1970 })
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
        Self::from_duration(instant.as_duration()).unwrap_or_default()
    }
}

impl From<Timestamp> for SystemTime {
    fn from(instant: Timestamp) -> Self {
        let seconds = Duration::from_secs(instant.seconds.unsigned_abs());
        let whole = if instant.seconds < 0 { Self::UNIX_EPOCH - seconds } else { Self::UNIX_EPOCH + seconds };
        whole + Duration::from_nanos(instant.nanoseconds.into())
    }
}

impl TryFrom<SystemTime> for Timestamp {
    type Error = InvalidTimestamp;

    fn try_from(time: SystemTime) -> Result<Self, Self::Error> {
        let since_1970 = match time.duration_since(SystemTime::UNIX_EPOCH) {
            Ok(after) => SignedDuration::try_from(after),
            Err(before) => SignedDuration::try_from(before.duration()).map(|before| -before),
        };
        since_1970.ok().and_then(Self::from_duration).ok_or(InvalidTimestamp)
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}Z", self.local(0).unwrap_or_default())
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
mod tests;

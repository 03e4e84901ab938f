//! Calendar dates.

use std::fmt;
use std::str::FromStr;

use jiff::civil;
use serde::{Serialize, Serializer};

use super::decode::{Decode, deserialize_by_decode};

/// A calendar date without time and time zone, such as the `sleep_date` of a night. It is not an instant; see
/// [`Timestamp`](super::Timestamp).
///
/// `Display`, `FromStr` and JSON use `YYYY-MM-DD`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Date(civil::Date);

impl Date {
    /// Creates a date from a year (-9999 to 9999), a month (1 to 12) and a day of the month. Returns `None` if there is no such day.
    #[must_use]
    pub fn new(year: i16, month: i8, day: i8) -> Option<Self> {
        civil::Date::new(year, month, day).ok().map(Self)
    }

    /// Returns the year, the month (1 to 12) and the day of the month.
    #[must_use]
    pub fn ymd(self) -> (i16, i8, i8) {
        (self.0.year(), self.0.month(), self.0.day())
    }

    /// Adds a number of days, or subtracts them if it is negative. Returns `None` outside of the years -9999 to 9999.
    #[must_use]
    pub fn plus_days(self, days: i32) -> Option<Self> {
        self.0.checked_add(jiff::Span::new().try_days(days).ok()?).ok().map(Self)
    }

    /// Returns the number of days from this date to `other`. Negative if `other` is earlier.
    #[must_use]
    pub fn days_until(self, other: Self) -> i32 {
        self.0.until(other.0).map_or(0, |span| span.get_days())
    }

    /// Converts the date to jiff's type.
    #[must_use]
    pub fn jiff(self) -> civil::Date {
        self.0
    }

    /// Returns the date with which a text begins, as in `2025-01-31` or `2025-01-31T08:00:00Z`.
    #[doc(hidden)]
    #[must_use]
    pub fn leading(text: &str) -> Option<Self> {
        const LENGTH: usize = 10;
        let (date, rest) = text.trim().split_at_checked(LENGTH)?;
        let ends = !rest.starts_with(char::is_alphanumeric) || rest.starts_with(['T', 't']);
        ends.then(|| Self::parse(date)).flatten()
    }

    /// Parses `YYYY-MM-DD` only. jiff alone would also accept a date-time and drop its time.
    fn parse(text: &str) -> Option<Self> {
        let shape = text.len() == 10
            && text.bytes().enumerate().all(|(at, byte)| if at == 4 || at == 7 { byte == b'-' } else { byte.is_ascii_digit() });
        // Date types of other languages have no year 0.
        shape.then(|| text.parse::<civil::Date>().ok().filter(|date| date.year() > 0).map(Self)).flatten()
    }
}

/// The error of a text that is not a date. It does not contain the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidDate;

impl InvalidDate {
    pub(crate) const TEXT: &'static str = "must be a date such as 2025-01-31";
}

impl fmt::Display for InvalidDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Self::TEXT)
    }
}

impl std::error::Error for InvalidDate {}

impl FromStr for Date {
    type Err = InvalidDate;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text).ok_or(InvalidDate)
    }
}

impl From<civil::Date> for Date {
    fn from(date: civil::Date) -> Self {
        Self(date)
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// Redacted, like all values of records.
impl fmt::Debug for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Date(..)")
    }
}

impl Serialize for Date {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Decode for Date {
    const EXPECTED: &'static str = "expected a date";

    fn text(text: &str) -> Option<Self> {
        Self::parse(text)
    }
}

deserialize_by_decode!(Date);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_complete_dates_are_parsed() {
        assert_eq!("2024-02-29".parse::<Date>().unwrap().to_string(), "2024-02-29");
        for text in ["2025-02-29", "2025-1-1", "2025-01-31T00:00:00Z", "20250131", "0000-01-01", "2025-01-31 ", ""] {
            assert_eq!(text.parse::<Date>(), Err(InvalidDate), "{text}");
        }
    }

    #[test]
    fn days_are_counted_across_a_leap_day() {
        let start = Date::new(2024, 2, 28).unwrap();
        let end = start.plus_days(2).unwrap();
        assert_eq!(end, Date::new(2024, 3, 1).unwrap());
        assert_eq!((start.days_until(end), end.days_until(start)), (2, -2));
    }
}

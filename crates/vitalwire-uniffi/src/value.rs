//! Values with their own representation in the ABI.

use std::collections::HashMap;
use std::fmt;

/// An instant in UTC with nanosecond precision. The Swift and Kotlin packages convert it to their own types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct Timestamp {
    /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
    pub seconds: i64,
    /// Nanoseconds after these seconds, from 0 to 999,999,999.
    pub nanoseconds: u32,
}

impl From<vitalwire::value::Timestamp> for Timestamp {
    fn from(core: vitalwire::value::Timestamp) -> Self {
        Self { seconds: core.unix_seconds(), nanoseconds: core.subsec_nanoseconds() }
    }
}

impl Timestamp {
    pub(crate) fn into_core(self, argument: &'static str) -> Result<vitalwire::value::Timestamp, vitalwire::Error> {
        vitalwire::value::Timestamp::from_unix(self.seconds, self.nanoseconds).ok_or_else(|| invalid_date_or_time(argument))
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Timestamp(..)")
    }
}

/// A calendar date without a time or time zone.
#[derive(Clone, Copy, PartialEq, Eq, Hash, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct CalendarDate {
    /// Year, from -9999 to 9999.
    pub year: i16,
    /// Month, from 1 to 12.
    pub month: i8,
    /// Day of the month, from 1.
    pub day: i8,
}

impl From<vitalwire::value::Date> for CalendarDate {
    fn from(core: vitalwire::value::Date) -> Self {
        let (year, month, day) = core.ymd();
        Self { year, month, day }
    }
}

impl CalendarDate {
    pub(crate) fn into_core(self, argument: &'static str) -> Result<vitalwire::value::Date, vitalwire::Error> {
        vitalwire::value::Date::new(self.year, self.month, self.day).ok_or_else(|| invalid_date_or_time(argument))
    }
}

/// Creates the error for an argument that does not exist, such as the 31st of February.
fn invalid_date_or_time(argument: &'static str) -> vitalwire::Error {
    vitalwire::Error::invalid_argument(argument, "must be an existing date or time from the years -9999 to 9999")
}

impl fmt::Debug for CalendarDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CalendarDate(..)")
    }
}

/// Converts unknown fields to JSON text by name.
pub(crate) fn extra(extra: &vitalwire::value::Extra) -> HashMap<String, String> {
    extra.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// Formats an instant as `2025-03-02T07:30:00.25Z`. Returns nothing outside the years -9999 to 9999.
#[uniffi::export]
#[must_use]
pub fn timestamp_text(timestamp: Timestamp) -> Option<String> {
    timestamp.into_core("timestamp").ok().map(|core| core.to_string())
}

/// Parses an instant in any format that the service sends.
#[uniffi::export]
#[must_use]
pub fn parse_timestamp(text: &str) -> Option<Timestamp> {
    text.parse::<vitalwire::value::Timestamp>().ok().map(Into::into)
}

/// Whether a date exists in the calendar.
#[uniffi::export]
#[must_use]
pub fn date_is_valid(date: CalendarDate) -> bool {
    date.into_core("date").is_ok()
}

//! The length of a part of a range.

use std::fmt;
use std::str::FromStr;

use crate::error::Error;

/// Maximum number of parts of a range. A larger number indicates a mistake in the part length, and would flood the service with requests.
pub const MAX_PARTS: u32 = 100_000;

/// The length of a part of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PartLength {
    /// Days. Calendar days in a range of dates, 24 hours each in a range of instants.
    Days(u32),
    /// Hours. For ranges of instants only.
    Hours(u32),
}

/// Writes a whole number followed by `d` or `h`, such as `30d` or `6h`.
impl fmt::Display for PartLength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Days(days) => write!(f, "{days}d"),
            Self::Hours(hours) => write!(f, "{hours}h"),
        }
    }
}

impl FromStr for PartLength {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let number =
            |digits: &str| -> Option<u32> { digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten() };
        let weeks = || text.strip_suffix('w').and_then(number)?.checked_mul(7).map(Self::Days);
        let days = || text.strip_suffix('d').and_then(number).map(Self::Days);
        let hours = || text.strip_suffix('h').and_then(number).map(Self::Hours);
        let rule = "must be a number of weeks, days or hours, such as 4w, 30d or 6h";
        weeks().or_else(days).or_else(hours).ok_or_else(|| Error::invalid_argument("part_length", rule))
    }
}

pub(super) fn count_parts(length: u128, step: u128) -> Result<u32, Error> {
    if step == 0 {
        return Err(Error::invalid_argument("part_length", "must be greater than zero"));
    }
    let count = u32::try_from(length.div_ceil(step)).ok().filter(|count| *count <= MAX_PARTS);
    count.ok_or_else(|| Error::invalid_argument("part_length", "the range has more than 100,000 parts of this length"))
}

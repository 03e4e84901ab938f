//! How a range is split into parts.

use std::fmt;
use std::str::FromStr;

use super::bounds::Range;
use crate::error::Error;

/// Maximum number of parts of a range: more is a mistake in the part_length, and would flood the service with requests.
pub const MAX_PARTS: u32 = 100_000;

/// The length of a part of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PartLength {
    /// Days: calendar days in a range of dates, 24 hours each in a range of instants.
    Days(u32),
    /// Hours; for ranges of instants only.
    Hours(u32),
}

/// A whole number and `d` or `h`, such as `30d` or `6h`.
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
        let number = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten();
        let days = || text.strip_suffix('d').and_then(number).map(Self::Days);
        let hours = || text.strip_suffix('h').and_then(number).map(Self::Hours);
        days().or_else(hours).ok_or_else(|| Error::invalid_argument("part_length", "not a number of days or hours, such as 30d or 6h"))
    }
}

/// Number of parts of length `step` in `length`.
pub(super) fn parts(length: u128, step: u128) -> Result<u32, Error> {
    if step == 0 {
        return Err(Error::invalid_argument("part_length", "must be greater than zero"));
    }
    let count = u32::try_from(length.div_ceil(step)).ok().filter(|count| *count <= MAX_PARTS);
    count.ok_or_else(|| Error::invalid_argument("part_length", "the range has more than 100,000 parts of this length"))
}

/// The parts of one call's range.
#[derive(Clone, Copy)]
pub struct Plan<R> {
    /// The whole range; unknown if it is open and not split.
    whole: Option<R>,
    /// The length of a part; `None` if one part is the whole range.
    pub part_length: Option<PartLength>,
    /// Number of parts; at least 1.
    pub count: u32,
}

impl<R: Range> Plan<R> {
    /// Without a part_length there is one part, whatever the bounds are: the service judges them.
    pub fn new(bounds: [Option<R::Bound>; 2], names: [&'static str; 2], part_length: Option<PartLength>) -> Result<Self, Error> {
        let missing = |name| Error::invalid_argument(name, "a range without this bound cannot be split");
        let (whole, count) = match (bounds, part_length) {
            ([Some(from), Some(to)], Some(part_length)) => {
                // Named as the parameter: the type's own word for it is none of the caller's.
                let whole = R::between(from, to).map_err(|error| error.of_argument(names[1]))?;
                (Some(whole), whole.count(part_length)?)
            }
            ([None, _], Some(_)) => return Err(missing(names[0])),
            ([_, None], Some(_)) => return Err(missing(names[1])),
            ([Some(from), Some(to)], None) => (R::between(from, to).ok(), 1),
            (_, None) => (None, 1),
        };
        Ok(Self { whole, part_length, count })
    }

    /// The range of one part; unknown if the whole range is.
    pub fn part(&self, index: u32) -> Option<R> {
        match self.part_length {
            Some(part_length) => self.whole?.part(part_length, index),
            None => self.whole,
        }
    }

    /// The range from one part to another.
    pub fn parts(&self, first: u32, last: u32) -> Option<R> {
        let ([from, _], [_, to]) = (self.part(first)?.bounds(), self.part(last)?.bounds());
        R::between(from, to).ok()
    }
}

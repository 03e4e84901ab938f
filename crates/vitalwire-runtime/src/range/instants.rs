//! Ranges of instants.

use std::time::Duration;

use super::part_length::{PartLength, count_parts};
use crate::error::Error;
use crate::value::Timestamp;

const NANOSECONDS_PER_HOUR: i128 = 3_600_000_000_000;

/// Instants from the first, inclusive, to the last, exclusive.
///
/// Calls accept anything that converts to a range: `from..to`, `(from, to)`, or a range created with [`new`](Self::new) or
/// [`ending`](Self::ending). If the instants are in the wrong order, `new` returns an error. `..` and the pair create an empty range,
/// which is rejected when the call is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct InstantRange {
    from: Timestamp,
    to: Timestamp,
}

impl InstantRange {
    /// Creates the range from `from`, inclusive, to `to`, exclusive.
    ///
    /// # Errors
    /// `invalid_argument` if `to` is not after `from`.
    pub fn new(from: Timestamp, to: Timestamp) -> Result<Self, Error> {
        if to <= from {
            return Err(Error::invalid_argument("to", "must be after the start of the range"));
        }
        Ok(Self { from, to })
    }

    /// Creates the range of this `duration` that ends at `to`.
    ///
    /// # Errors
    /// `invalid_argument` for a zero duration, or if the range begins before the first supported instant.
    pub fn ending(to: Timestamp, duration: Duration) -> Result<Self, Error> {
        match to.jiff().checked_sub(duration) {
            Ok(from) => Self::new(from.into(), to),
            Err(_) => Err(Error::invalid_argument("duration", "must not start the range before the first supported instant")),
        }
    }

    /// The first instant.
    #[must_use]
    pub fn start(self) -> Timestamp {
        self.from
    }

    /// The first instant after the range.
    #[must_use]
    pub fn end(self) -> Timestamp {
        self.to
    }

    /// Duration from the first bound to the second; zero if they are in the wrong order.
    #[must_use]
    pub fn duration(self) -> Duration {
        self.to.jiff().duration_since(self.from.jiff()).try_into().unwrap_or_default()
    }

    /// Whether the range contains an instant.
    #[must_use]
    pub fn contains(self, instant: Timestamp) -> bool {
        (self.from..self.to).contains(&instant)
    }
}

impl From<std::ops::Range<Timestamp>> for InstantRange {
    fn from(instants: std::ops::Range<Timestamp>) -> Self {
        Self { from: instants.start, to: instants.end }
    }
}

impl From<(Timestamp, Timestamp)> for InstantRange {
    fn from((from, to): (Timestamp, Timestamp)) -> Self {
        Self { from, to }
    }
}

/// Returns the length of a part. A day has 24 hours, because instants have no calendar.
fn nanoseconds(part_length: PartLength) -> i128 {
    NANOSECONDS_PER_HOUR
        * match part_length {
            PartLength::Days(days) => i128::from(days) * 24,
            PartLength::Hours(hours) => i128::from(hours),
        }
}

impl InstantRange {
    pub(super) fn count(self, part_length: PartLength) -> Result<u32, Error> {
        let length = self.to.jiff().as_nanosecond() - self.from.jiff().as_nanosecond();
        count_parts(length.unsigned_abs(), nanoseconds(part_length).unsigned_abs())
    }

    /// Returns one part. Returns `None` after the last.
    pub(super) fn part(self, part_length: PartLength, index: u32) -> Option<Self> {
        let (start, end) = (self.from.jiff().as_nanosecond(), self.to.jiff().as_nanosecond());
        let from = start + i128::from(index) * nanoseconds(part_length);
        let to = (from + nanoseconds(part_length)).min(end);
        let instant = |at| jiff::Timestamp::from_nanosecond(at).ok().map(Timestamp::from);
        Self::new(instant(from)?, instant(to)?).ok()
    }
}

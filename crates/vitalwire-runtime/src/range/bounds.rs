//! Ranges of calendar dates and of instants.

use std::ops::RangeInclusive;
use std::time::Duration;

use super::plan::{PartLength, parts};
use super::token::Bounds;
use crate::error::Error;
use crate::value::{Date, Timestamp};

const NANOSECONDS_PER_HOUR: i128 = 3_600_000_000_000;

/// A range of time between two bounds: a [`DateRange`] or an [`InstantRange`].
pub trait Range: sealed::Parts + Copy + Eq + Send + Sync + Unpin + 'static {
    /// The type of a bound.
    type Bound: Copy + Eq + Send + Sync + Unpin + 'static;

    /// The range between two bounds.
    ///
    /// # Errors
    /// `invalid_argument` if the bounds form no range.
    fn between(from: Self::Bound, to: Self::Bound) -> Result<Self, Error>;

    /// The two bounds.
    fn bounds(self) -> [Self::Bound; 2];

    /// The range, whatever the type of its bounds.
    #[doc(hidden)]
    fn any(self) -> AnyBounds;

    /// The bounds as a resume token stores them.
    #[doc(hidden)]
    fn keep(bounds: [Option<Self::Bound>; 2]) -> Bounds;
}

/// A range of dates or of instants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AnyBounds {
    /// Calendar dates.
    Dates(DateRange),
    /// Instants.
    Instants(InstantRange),
}

pub(super) mod sealed {
    use super::{Error, PartLength};

    /// How a range is split.
    pub trait Parts: Sized {
        /// Number of parts.
        fn count(self, part_length: PartLength) -> Result<u32, Error>;

        /// One part; `None` beyond the last.
        fn part(self, part_length: PartLength, index: u32) -> Option<Self>;
    }
}

/// Calendar dates from the first to the last, both inclusive.
///
/// Calls take whatever becomes one: `first..=last`, `(first, last)`, or a range made by [`new`](Self::new) or [`ending`](Self::ending).
/// Of dates in the wrong order `new` makes an error at once; `..=` and the pair make a range of no days, which is refused when the call is
/// made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DateRange {
    first: Date,
    last: Date,
}

impl DateRange {
    /// The days from `first` to `last`; both may be the same day.
    ///
    /// # Errors
    /// `invalid_argument` if the last day is before the first.
    pub fn new(first: Date, last: Date) -> Result<Self, Error> {
        if last < first {
            return Err(Error::invalid_argument("last", "the last day is before the first"));
        }
        Ok(Self { first, last })
    }

    /// The `days` days that end with `last`.
    ///
    /// # Errors
    /// `invalid_argument` for 0 days, or if the range begins before the calendar does.
    pub fn ending(last: Date, days: u32) -> Result<Self, Error> {
        let back = days.checked_sub(1).and_then(|days| i32::try_from(days).ok());
        let first = back.and_then(|days| last.plus_days(-days));
        first.map(|first| Self { first, last }).ok_or_else(|| Error::invalid_argument("days", "not a number of days in the calendar"))
    }

    /// The first day.
    #[must_use]
    pub fn first(self) -> Date {
        self.first
    }

    /// The last day.
    #[must_use]
    pub fn last(self) -> Date {
        self.last
    }

    /// Number of days; 0 if the last day is before the first.
    #[must_use]
    pub fn days(self) -> u32 {
        u32::try_from(self.first.days_until(self.last)).map_or(0, |days| days + 1)
    }

    /// Whether the range contains a day.
    #[must_use]
    pub fn contains(self, day: Date) -> bool {
        (self.first..=self.last).contains(&day)
    }
}

impl From<RangeInclusive<Date>> for DateRange {
    fn from(dates: RangeInclusive<Date>) -> Self {
        dates.into_inner().into()
    }
}

impl From<(Date, Date)> for DateRange {
    fn from((first, last): (Date, Date)) -> Self {
        Self { first, last }
    }
}

impl Range for DateRange {
    type Bound = Date;

    fn between(from: Date, to: Date) -> Result<Self, Error> {
        Self::new(from, to)
    }

    fn bounds(self) -> [Date; 2] {
        [self.first, self.last]
    }

    fn any(self) -> AnyBounds {
        AnyBounds::Dates(self)
    }

    fn keep([from, to]: [Option<Date>; 2]) -> Bounds {
        Bounds::Dates(from, to)
    }
}

impl sealed::Parts for DateRange {
    fn count(self, part_length: PartLength) -> Result<u32, Error> {
        match part_length {
            PartLength::Days(days) => parts(self.days().into(), days.into()),
            PartLength::Hours(_) => Err(Error::invalid_argument("part_length", "a range of dates is split by days")),
        }
    }

    fn part(self, part_length: PartLength, index: u32) -> Option<Self> {
        let PartLength::Days(days) = part_length else { return None };
        let before = i32::try_from(index.checked_mul(days)?).ok()?;
        let first = self.first.plus_days(before).filter(|first| *first <= self.last)?;
        let end = i32::try_from(days.checked_sub(1)?).ok().and_then(|days| first.plus_days(days));
        Some(Self { first, last: end.unwrap_or(self.last).min(self.last) })
    }
}

/// Instants from the first, inclusive, to the last, exclusive.
///
/// Calls take whatever becomes one: `from..to`, `(from, to)`, or a range made by [`new`](Self::new) or [`ending`](Self::ending). Of
/// instants in the wrong order `new` makes an error at once; `..` and the pair make a range of no time, which is refused when the call is
/// made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct InstantRange {
    from: Timestamp,
    to: Timestamp,
}

impl InstantRange {
    /// The instants from `from`, inclusive, to `to`, exclusive.
    ///
    /// # Errors
    /// `invalid_argument` if `to` is not after `from`.
    pub fn new(from: Timestamp, to: Timestamp) -> Result<Self, Error> {
        if to <= from {
            return Err(Error::invalid_argument("to", "the end is not after the start"));
        }
        Ok(Self { from, to })
    }

    /// The `duration` that ends at `to`.
    ///
    /// # Errors
    /// `invalid_argument` for a zero duration, or if the range begins before the calendar does.
    pub fn ending(to: Timestamp, duration: Duration) -> Result<Self, Error> {
        match to.jiff().checked_sub(duration) {
            Ok(from) => Self::new(from.into(), to),
            Err(_) => Err(Error::invalid_argument("duration", "not a time in the calendar")),
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

    /// The duration from the first bound to the second; zero if the second is before the first.
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

impl Range for InstantRange {
    type Bound = Timestamp;

    fn between(from: Timestamp, to: Timestamp) -> Result<Self, Error> {
        Self::new(from, to)
    }

    fn bounds(self) -> [Timestamp; 2] {
        [self.from, self.to]
    }

    fn any(self) -> AnyBounds {
        AnyBounds::Instants(self)
    }

    fn keep([from, to]: [Option<Timestamp>; 2]) -> Bounds {
        Bounds::Instants(from, to)
    }
}

/// A day has 24 hours here: instants have no calendar.
fn nanoseconds(part_length: PartLength) -> i128 {
    NANOSECONDS_PER_HOUR
        * match part_length {
            PartLength::Days(days) => i128::from(days) * 24,
            PartLength::Hours(hours) => i128::from(hours),
        }
}

impl sealed::Parts for InstantRange {
    fn count(self, part_length: PartLength) -> Result<u32, Error> {
        let length = self.to.jiff().as_nanosecond() - self.from.jiff().as_nanosecond();
        parts(length.unsigned_abs(), nanoseconds(part_length).unsigned_abs())
    }

    fn part(self, part_length: PartLength, index: u32) -> Option<Self> {
        let (start, end) = (self.from.jiff().as_nanosecond(), self.to.jiff().as_nanosecond());
        let from = start + i128::from(index) * nanoseconds(part_length);
        let to = (from + nanoseconds(part_length)).min(end);
        let instant = |at| jiff::Timestamp::from_nanosecond(at).ok().map(Timestamp::from);
        Self::new(instant(from)?, instant(to)?).ok()
    }
}

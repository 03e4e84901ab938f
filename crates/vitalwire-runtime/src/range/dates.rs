//! Ranges of calendar dates.

use std::ops::RangeInclusive;

use super::part_length::{PartLength, count_parts};
use crate::error::Error;
use crate::value::Date;

/// Calendar dates from the first to the last, both inclusive.
///
/// Calls accept anything that converts to a range: `first..=last`, `(first, last)`, or a range created with [`new`](Self::new) or
/// [`ending`](Self::ending). If the dates are in the wrong order, `new` returns an error. `..=` and the pair create an empty range, which
/// is rejected when the call is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DateRange {
    first: Date,
    last: Date,
}

impl DateRange {
    /// Creates the range from `first` to `last`, which may be the same day.
    ///
    /// # Errors
    /// `invalid_argument` if the last day is before the first.
    pub fn new(first: Date, last: Date) -> Result<Self, Error> {
        if last < first {
            return Err(Error::invalid_argument("last", "must not be before the first day"));
        }
        Ok(Self { first, last })
    }

    /// Creates the range of `days` days that ends with `last`.
    ///
    /// # Errors
    /// `invalid_argument` for 0 days, or if the range begins before the first supported date.
    pub fn ending(last: Date, days: u32) -> Result<Self, Error> {
        let back = days.checked_sub(1).and_then(|days| i32::try_from(days).ok());
        let first = back.and_then(|days| last.plus_days(-days));
        first
            .map(|first| Self { first, last })
            .ok_or_else(|| Error::invalid_argument("days", "must be at least 1 and not start the range before the first supported date"))
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

impl DateRange {
    pub(super) fn count(self, part_length: PartLength) -> Result<u32, Error> {
        match part_length {
            PartLength::Days(days) => count_parts(self.days().into(), days.into()),
            PartLength::Hours(_) => Err(Error::invalid_argument("part_length", "must be in days for a range of dates")),
        }
    }

    /// Returns one part. Returns `None` after the last.
    pub(super) fn part(self, part_length: PartLength, index: u32) -> Option<Self> {
        let PartLength::Days(days) = part_length else { return None };
        let before = i32::try_from(index.checked_mul(days)?).ok()?;
        let first = self.first.plus_days(before).filter(|first| *first <= self.last)?;
        let end = i32::try_from(days.checked_sub(1)?).ok().and_then(|days| first.plus_days(days));
        Some(Self { first, last: end.unwrap_or(self.last).min(self.last) })
    }
}

//! Instants and local times of a column: microseconds, with nanoseconds stored separately where present.

use std::ops::Range;

use serde::de::Error;

use super::growth::{extend, push_reserving, replace_from};
use crate::value::decode::charge;

/// Microseconds in a second.
const SECOND: i64 = 1_000_000;
/// Range of a [`Timestamp`](crate::value::Timestamp): 0001-01-01T00:00:00 to 9999-12-31T23:59:59.999999, in microseconds since 1970.
const EARLIEST: i64 = -62_135_596_800_000_000;
const LATEST: i64 = 253_402_300_799_999_999;
/// Nanoseconds in a microsecond.
const NANOSECONDS: i64 = 1000;

/// A unit of time in exports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TimeUnit {
    /// Microseconds. The default of Python, pandas, polars and `DuckDB`, whose tables can then be joined with exports.
    #[default]
    Microsecond,
    /// Nanoseconds. They keep all digits that the interface allows, for the years 1677 to 2262.
    Nanosecond,
}

/// A time in the years 1 to 9999: microseconds since 1970-01-01T00:00:00, rounded down, plus 0 to 999 nanoseconds.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Time {
    pub(super) microseconds: i64,
    pub(super) beyond: u16,
}

impl Time {
    /// Creates a time from the seconds since 1970 and the nanoseconds of a [`Timestamp`](crate::value::Timestamp).
    #[inline]
    pub(super) fn from_unix(seconds: i64, nanoseconds: u32) -> Self {
        Self { microseconds: seconds * SECOND + i64::from(nanoseconds / 1000), beyond: (nanoseconds % 1000) as u16 }
    }

    /// Creates a time from microseconds. Returns `None` outside of these years.
    #[inline]
    pub(super) fn from_microseconds(microseconds: i64) -> Option<Self> {
        (EARLIEST..=LATEST).contains(&microseconds).then_some(Self { microseconds, beyond: 0 })
    }

    /// Adds nanoseconds. Returns `None` if the result is outside of these years.
    #[inline]
    pub(super) fn plus_nanoseconds(self, nanoseconds: i64) -> Option<Self> {
        let sum = nanoseconds.checked_add(self.beyond.into())?;
        let later = Self::from_microseconds(self.microseconds.checked_add(sum.div_euclid(NANOSECONDS))?)?;
        Some(Self { beyond: u16::try_from(sum.rem_euclid(NANOSECONDS)).ok()?, ..later })
    }

    /// Adds seconds. Returns `None` if the result is outside of these years.
    #[inline]
    pub(super) fn plus_seconds(self, seconds: i64) -> Option<Self> {
        let later = Self::from_microseconds(self.microseconds.checked_add(seconds.checked_mul(SECOND)?)?)?;
        Some(Self { beyond: self.beyond, ..later })
    }

    /// Returns the nanoseconds since 1970-01-01T00:00:00, if they fit 64 bits.
    pub(super) fn nanoseconds(self) -> Option<i64> {
        let all = i128::from(self.microseconds) * i128::from(NANOSECONDS) + i128::from(self.beyond);
        i64::try_from(all).ok()
    }

    #[cfg(feature = "arrow")]
    pub(super) fn from_nanoseconds(nanoseconds: i64) -> Option<Self> {
        Self { microseconds: 0, beyond: 0 }.plus_nanoseconds(nanoseconds)
    }
}

/// A vector of times.
#[derive(Clone, Default)]
pub struct Times {
    pub(super) microseconds: Vec<i64>,
    /// Index and extra nanoseconds of the times that are not whole microseconds, sorted by index. Usually empty.
    beyond: Vec<(usize, u16)>,
}

impl Times {
    /// Number of times.
    #[must_use]
    pub fn len(&self) -> usize {
        self.microseconds.len()
    }

    /// Whether there are no times.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Microseconds since 1970-01-01T00:00:00, rounded down.
    #[must_use]
    pub fn microseconds(&self) -> &[i64] {
        &self.microseconds
    }

    /// Returns the nanoseconds of a time beyond its microseconds, 0 to 999.
    #[must_use]
    pub fn beyond(&self, at: usize) -> u16 {
        if self.beyond.is_empty() {
            return 0;
        }
        let found = self.beyond.binary_search_by_key(&at, |(index, _)| *index);
        found.ok().and_then(|found| self.beyond.get(found)).map_or(0, |(_, nanoseconds)| *nanoseconds)
    }

    /// Returns the nanoseconds of a time since 1970-01-01T00:00:00, if they fit 64 bits (years 1677 to 2262).
    #[must_use]
    pub fn nanoseconds(&self, at: usize) -> Option<i64> {
        self.get(at).and_then(Time::nanoseconds)
    }

    /// Number of times that are not whole microseconds.
    #[must_use]
    pub fn finer(&self) -> usize {
        self.beyond.len()
    }

    #[inline]
    pub(super) fn get(&self, at: usize) -> Option<Time> {
        self.microseconds.get(at).map(|microseconds| Time { microseconds: *microseconds, beyond: self.beyond(at) })
    }

    /// Whether a time can be added without allocating.
    #[inline]
    pub(super) fn has_room(&self, time: Time) -> bool {
        time.beyond == 0 && self.microseconds.len() < self.microseconds.capacity()
    }

    /// Adds a time. `expected` is the expected number of times.
    #[inline]
    pub(super) fn push<E: Error>(&mut self, time: Time, expected: usize) -> Result<(), E> {
        if time.beyond != 0 {
            charge(2 * size_of::<(usize, u16)>())?;
            self.beyond.push((self.len(), time.beyond));
        }
        push_reserving::<_, E>(&mut self.microseconds, time.microseconds, expected);
        Ok(())
    }

    /// Replaces all times after the first `at` ones with whole microseconds.
    pub(super) fn replace_from(&mut self, at: usize, microseconds: Vec<i64>) {
        self.truncate(at);
        replace_from(&mut self.microseconds, at, microseconds);
    }

    /// Adds times of another vector.
    pub(super) fn extend_from<E: Error>(&mut self, other: &Self, from: Range<usize>) -> Result<(), E> {
        let len = self.len();
        for (at, nanoseconds) in other.beyond.iter().filter(|(at, _)| from.contains(at)) {
            charge(2 * size_of::<(usize, u16)>())?;
            self.beyond.push((len + at - from.start, *nanoseconds));
        }
        extend(&mut self.microseconds, other.microseconds.get(from).unwrap_or_default())
    }

    pub(super) fn truncate(&mut self, len: usize) {
        self.microseconds.truncate(len);
        self.beyond.truncate(self.beyond.partition_point(|(index, _)| *index < len));
    }
}

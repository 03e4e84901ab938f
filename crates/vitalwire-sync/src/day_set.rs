//! Sets of days.

use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use vitalwire::range::DateRange;
use vitalwire::value::{Date, Timestamp};

use crate::bytes::{Reader, put_number, put_signed};

/// Maximum number of ranges of a set that is read from text, so that hostile text cannot take long. Every other day of 54 years needs as
/// many.
const MAX_RANGES: usize = 10_000;

/// A set of days, stored as ranges.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct DaySet {
    /// Ordered ranges that neither overlap nor touch, as days since 1970-01-01, both bounds inclusive.
    ranges: Vec<(i32, i32)>,
}

/// Returns 1970-01-01.
fn epoch() -> Option<Date> {
    Date::new(1970, 1, 1)
}

/// Returns the number of days since 1970-01-01.
pub fn day_number(date: Date) -> i32 {
    epoch().map_or(0, |epoch| epoch.days_until(date))
}

/// Returns the date of a number of days since 1970-01-01, within the supported dates.
pub fn date_of(day: i32) -> Option<Date> {
    epoch()?.plus_days(day)
}

/// Returns the date in UTC of a time in seconds since 1970-01-01T00:00:00Z.
pub fn day_of(seconds: i64) -> Option<Date> {
    date_of(i32::try_from(seconds.div_euclid(86_400)).ok()?)
}

/// Returns the start of a day in UTC.
pub(crate) fn midnight(day: i32) -> Option<Timestamp> {
    Timestamp::from_unix(i64::from(day) * 86_400, 0)
}

impl DaySet {
    /// Creates an empty set.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns whether the set has no days.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Returns the first day.
    #[must_use]
    pub fn first(&self) -> Option<Date> {
        self.ranges.first().and_then(|(first, _)| date_of(*first))
    }

    /// Returns the number of days.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ranges.iter().map(|(first, last)| usize::try_from(last - first).unwrap_or_default() + 1).sum()
    }

    /// Returns whether the set contains a day.
    #[must_use]
    pub fn contains(&self, day: Date) -> bool {
        self.contains_number(day_number(day))
    }

    /// Returns whether one range of the set contains all days from one number to another, since 1970-01-01.
    pub fn contains_numbers(&self, first: i32, last: i32) -> bool {
        self.ranges.iter().any(|(from, to)| *from <= first && last <= *to)
    }

    /// Returns whether the set contains a day, as the number of days since 1970-01-01.
    pub fn contains_number(&self, day: i32) -> bool {
        self.ranges.iter().any(|(first, last)| (*first..=*last).contains(&day))
    }

    /// Returns the last day.
    #[must_use]
    pub fn last(&self) -> Option<Date> {
        self.ranges.last().and_then(|(_, last)| date_of(*last))
    }

    /// Returns the ranges of days, in order.
    pub fn ranges(&self) -> impl Iterator<Item = DateRange> {
        self.ranges.iter().filter_map(|(first, last)| Some(DateRange::from((date_of(*first)?, date_of(*last)?))))
    }

    /// Adds the days of a range.
    pub fn insert(&mut self, days: DateRange) {
        self.insert_numbers(day_number(days.first()), day_number(days.last()));
    }

    /// Adds days, from the first number to the last.
    pub fn insert_numbers(&mut self, first: i32, last: i32) {
        if last < first {
            return;
        }
        // Fast path: most days are inserted in order.
        match self.ranges.last_mut() {
            Some(end) if (end.0..=end.1.saturating_add(1)).contains(&first) => {
                end.1 = end.1.max(last);
                return;
            }
            Some(end) if end.0 < first => return self.ranges.push((first, last)),
            _ => {}
        }
        let (mut first, mut last) = (first, last);
        self.ranges.retain(|(from, to)| {
            let touches = *from <= last.saturating_add(1) && first <= to.saturating_add(1);
            if touches {
                (first, last) = (first.min(*from), last.max(*to));
            }
            !touches
        });
        let at = self.ranges.partition_point(|(from, _)| *from < first);
        self.ranges.insert(at, (first, last));
    }

    /// Removes the days of a range.
    pub fn remove(&mut self, days: DateRange) {
        let (first, last) = (day_number(days.first()), day_number(days.last()));
        if last < first {
            return;
        }
        let rest = self.ranges.iter().flat_map(|(from, to)| [(*from, (*to).min(first - 1)), ((*from).max(last + 1), *to)]);
        self.ranges = rest.filter(|(from, to)| from <= to).collect();
    }

    /// Adds the days of another set.
    pub fn insert_all(&mut self, other: &Self) {
        other.ranges.iter().for_each(|(first, last)| self.insert_numbers(*first, *last));
    }

    /// Removes the days of another set.
    pub fn remove_all(&mut self, other: &Self) {
        other.ranges().for_each(|days| self.remove(days));
    }

    /// Returns the days of the set that are in a range.
    #[must_use]
    pub fn within(&self, days: DateRange) -> Self {
        let (first, last) = (day_number(days.first()), day_number(days.last()));
        let clipped = self.ranges.iter().map(|(from, to)| ((*from).max(first), (*to).min(last)));
        Self { ranges: clipped.filter(|(from, to)| from <= to).collect() }
    }

    /// Returns the days of a range that are not in the set.
    #[must_use]
    pub fn missing_from(&self, days: DateRange) -> Self {
        let mut missing = Self::new();
        missing.insert(days);
        self.ranges().for_each(|range| missing.remove(range));
        missing
    }
}

impl From<DateRange> for DaySet {
    fn from(days: DateRange) -> Self {
        let mut set = Self::new();
        set.insert(days);
        set
    }
}

/// Writes ranges such as `2025-01-01/2025-01-31`, separated by commas.
impl fmt::Display for DaySet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, range) in self.ranges().enumerate() {
            write!(f, "{}{}/{}", if at == 0 { "" } else { "," }, range.first(), range.last())?;
        }
        Ok(())
    }
}

impl fmt::Debug for DaySet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DaySet({self})")
    }
}

impl FromStr for DaySet {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut days = Self::new();
        for (at, range) in text.split(',').filter(|range| !range.is_empty()).enumerate() {
            if at == MAX_RANGES {
                return Err("must be at most 10,000 ranges of days");
            }
            let bounds = range.split_once('/').and_then(|(first, last)| Some((first.parse::<Date>().ok()?, last.parse::<Date>().ok()?)));
            let bounds = bounds.filter(|(first, last)| first <= last);
            days.insert(DateRange::from(bounds.ok_or("must be ranges of days, such as 2025-01-01/2025-01-31")?));
        }
        Ok(days)
    }
}

impl Serialize for DaySet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for DaySet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// Binary form: the number of ranges. Each range has the days since the end of the range before it, and the days from its first to its
/// last.
impl DaySet {
    pub(crate) fn write(&self, bytes: &mut Vec<u8>) {
        put_number(bytes, self.ranges.len() as u64);
        let mut before = 0;
        for (first, last) in &self.ranges {
            put_signed(bytes, i64::from(*first) - before);
            put_number(bytes, last.abs_diff(*first).into());
            before = (*last).into();
        }
    }

    pub(crate) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let mut days = Self::new();
        let mut before = 0_i64;
        for _ in 0..reader.count()? {
            let first = before.checked_add(reader.signed()?)?;
            let last = first.checked_add_unsigned(reader.number()?)?;
            days.insert_numbers(i32::try_from(first).ok()?, i32::try_from(last).ok()?);
            before = last;
        }
        Some(days)
    }
}

//! Bounds of date ranges and instant ranges.

use std::str::FromStr;

use super::dates::DateRange;
use super::instants::InstantRange;
use super::part_length::PartLength;
use crate::error::Error;
use crate::value::{Date, Timestamp};

/// A range between two bounds: a [`DateRange`] or an [`InstantRange`].
pub trait Range: sealed::Sealed + Into<RangeBounds> + Copy + Eq + Send + Sync + Unpin + 'static {
    /// Type of a bound.
    type Bound: Copy + Eq + Send + Sync + Unpin + 'static;

    /// Creates the range between two bounds.
    ///
    /// # Errors
    /// `invalid_argument` if the bounds do not form a range.
    fn between(from: Self::Bound, to: Self::Bound) -> Result<Self, Error>;

    /// The two bounds.
    fn bounds(self) -> [Self::Bound; 2];

    /// Converts bounds of this type to a range.
    #[doc(hidden)]
    fn from_bounds(bounds: RangeBounds) -> Option<Self>;

    /// Converts bounds that may be open to the form stored in a resume token.
    #[doc(hidden)]
    fn open_bounds(bounds: [Option<Self::Bound>; 2]) -> OpenBounds;
}

/// The bounds of a range of dates or of instants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RangeBounds {
    /// Calendar dates.
    Dates(DateRange),
    /// Instants.
    Instants(InstantRange),
}

impl RangeBounds {
    pub(super) fn count(self, length: PartLength) -> Result<u32, Error> {
        match self {
            Self::Dates(range) => range.count(length),
            Self::Instants(range) => range.count(length),
        }
    }

    pub(super) fn part(self, length: PartLength, index: u32) -> Option<Self> {
        match self {
            Self::Dates(range) => range.part(length, index).map(Self::Dates),
            Self::Instants(range) => range.part(length, index).map(Self::Instants),
        }
    }

    /// Returns the range if it is a range of dates.
    #[must_use]
    pub fn dates(self) -> Option<DateRange> {
        if let Self::Dates(range) = self { Some(range) } else { None }
    }

    /// Returns the range if it is a range of instants.
    #[must_use]
    pub fn instants(self) -> Option<InstantRange> {
        if let Self::Instants(range) = self { Some(range) } else { None }
    }

    /// Returns the range from the start of this one to the end of another of the same type.
    pub(super) fn to_end_of(self, last: Self) -> Option<Self> {
        match (self, last) {
            (Self::Dates(first), Self::Dates(last)) => DateRange::new(first.first(), last.last()).ok().map(Self::Dates),
            (Self::Instants(first), Self::Instants(last)) => InstantRange::new(first.start(), last.end()).ok().map(Self::Instants),
            _ => None,
        }
    }
}

impl From<DateRange> for RangeBounds {
    fn from(range: DateRange) -> Self {
        Self::Dates(range)
    }
}

impl From<InstantRange> for RangeBounds {
    fn from(range: InstantRange) -> Self {
        Self::Instants(range)
    }
}

impl Range for DateRange {
    type Bound = Date;

    fn between(from: Date, to: Date) -> Result<Self, Error> {
        Self::new(from, to)
    }

    fn bounds(self) -> [Date; 2] {
        [self.first(), self.last()]
    }

    fn from_bounds(bounds: RangeBounds) -> Option<Self> {
        bounds.dates()
    }

    fn open_bounds([from, to]: [Option<Date>; 2]) -> OpenBounds {
        OpenBounds::Dates(from, to)
    }
}

impl Range for InstantRange {
    type Bound = Timestamp;

    fn between(from: Timestamp, to: Timestamp) -> Result<Self, Error> {
        Self::new(from, to)
    }

    fn bounds(self) -> [Timestamp; 2] {
        [self.start(), self.end()]
    }

    fn from_bounds(bounds: RangeBounds) -> Option<Self> {
        bounds.instants()
    }

    fn open_bounds([from, to]: [Option<Timestamp>; 2]) -> OpenBounds {
        OpenBounds::Instants(from, to)
    }
}

/// Two bounds of one type, each of which may be open.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum OpenBounds {
    /// Calendar dates.
    Dates(Option<Date>, Option<Date>),
    /// Instants.
    Instants(Option<Timestamp>, Option<Timestamp>),
}

impl OpenBounds {
    pub(super) fn parse(from: &str, to: &str) -> Option<Self> {
        fn bound<T: FromStr>(text: &str) -> Option<Option<T>> {
            if text.is_empty() { Some(None) } else { text.parse().ok().map(Some) }
        }
        if let (Some(from), Some(to)) = (bound(from), bound(to)) {
            // Two open bounds have no type; only instants may be open.
            return Some(if from.is_none() && to.is_none() { Self::Instants(None, None) } else { Self::Dates(from, to) });
        }
        Some(Self::Instants(bound(from)?, bound(to)?))
    }

    /// Returns the range between two bounds. Returns `None` if one is open.
    pub(super) fn closed(self) -> Option<Result<RangeBounds, Error>> {
        Some(match self {
            Self::Dates(from, to) => DateRange::new(from?, to?).map(RangeBounds::Dates),
            Self::Instants(from, to) => InstantRange::new(from?, to?).map(RangeBounds::Instants),
        })
    }

    pub(super) fn has_start(self) -> bool {
        matches!(self, Self::Dates(Some(_), _) | Self::Instants(Some(_), _))
    }
}

mod sealed {
    /// Seals the trait.
    pub trait Sealed {}

    impl Sealed for super::DateRange {}
    impl Sealed for super::InstantRange {}
}

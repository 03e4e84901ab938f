//! A part of a range, as it crosses.

use std::fmt;

use vitalwire::Error;
use vitalwire::range::{AnyPart, Progress, RangeBounds as CoreBounds, RangeError, ResumeToken};

use super::Answered;
use crate::generated::{ErrorInfo, RangeAnswer};
use crate::value::{CalendarDate, Timestamp};

/// The two bounds of a range.
#[derive(Clone, Copy, PartialEq, Eq, uniffi::Enum)]
#[uniffi::export(Debug)]
pub enum RangeBounds {
    /// Calendar dates, both inclusive.
    Dates {
        /// The first day.
        first: CalendarDate,
        /// The last.
        last: CalendarDate,
    },
    /// Instants, the second exclusive.
    Instants {
        /// The first instant.
        start: Timestamp,
        /// The first instant after the range.
        end: Timestamp,
    },
}

/// Shows no bounds.
impl fmt::Debug for RangeBounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RangeBounds(..)")
    }
}

impl From<CoreBounds> for RangeBounds {
    fn from(bounds: CoreBounds) -> Self {
        match bounds {
            CoreBounds::Dates(days) => Self::Dates { first: days.first().into(), last: days.last().into() },
            CoreBounds::Instants(range) => Self::Instants { start: range.start().into(), end: range.end().into() },
        }
    }
}

/// How far a range is. Parts of an earlier run are not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct RangeProgress {
    /// Parts that are done, failures that were collected included.
    pub done: u32,
    /// Parts of this run.
    pub total: u32,
    /// Items so far; rows, where the answers are read as columns.
    pub items: u64,
}

impl From<Progress> for RangeProgress {
    fn from(core: Progress) -> Self {
        Self { done: core.done, total: core.total, items: core.items }
    }
}

/// The error of a part or of a range.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct RangeFailure {
    /// The error.
    pub error: ErrorInfo,
    /// The text of a token for what was not read; absent if nothing was left or nothing began.
    pub resume: Option<String>,
}

impl fmt::Debug for RangeFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.error.text)
    }
}

impl RangeFailure {
    pub(super) fn new(error: &Error, resume: Option<&ResumeToken>) -> Self {
        Self { error: error.into(), resume: resume.map(ToString::to_string) }
    }
}

impl From<RangeError> for RangeFailure {
    fn from(error: RangeError) -> Self {
        Self::new(error.error(), error.resume_token())
    }
}

/// The response to one part, or its failure.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct RangePart {
    /// Index among the parts of the whole range, from 0.
    pub index: u32,
    /// Range of the part; absent if the range is open.
    pub range: Option<RangeBounds>,
    /// Number of items that were left out because the previous part had them.
    pub duplicates: u64,
    /// The response; absent if the part failed.
    pub response: Option<RangeAnswer>,
    /// The failure; absent if there is a response.
    pub failure: Option<RangeFailure>,
}

/// Shows no bounds and no values.
impl fmt::Debug for RangePart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RangePart(index {}, duplicates {})", self.index, self.duplicates)
    }
}

impl TryFrom<AnyPart<Answered>> for RangePart {
    type Error = Error;

    fn try_from(part: AnyPart<Answered>) -> Result<Self, Error> {
        let (response, failure) = match part.response {
            Ok(Answered::Operation(response)) => (Some(response), None),
            Ok(_) => return Err(Error::internal("a night as a part of a range")),
            Err(failure) => (None, Some(failure.into())),
        };
        let (index, range) = (part.index.unwrap_or_default(), part.range.map(Into::into));
        Ok(Self { index, range, duplicates: part.duplicates as u64, response, failure })
    }
}

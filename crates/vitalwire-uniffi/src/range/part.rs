//! A part of a range, as it crosses.

use std::fmt;

use vitalwire::Error;
use vitalwire::range::{AnyBounds, AnyFailure, AnyPart, Place, Progress, ResumeToken};

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

impl From<AnyBounds> for RangeBounds {
    fn from(bounds: AnyBounds) -> Self {
        match bounds {
            AnyBounds::Dates(days) => Self::Dates { first: days.first().into(), last: days.last().into() },
            AnyBounds::Instants(range) => Self::Instants { start: range.start().into(), end: range.end().into() },
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

/// Why a part has no answer, or a range not all of them.
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
    pub(super) fn of(error: &Error, resume: Option<&ResumeToken>) -> Self {
        Self { error: error.into(), resume: resume.map(ToString::to_string) }
    }
}

impl From<AnyFailure> for RangeFailure {
    fn from(failure: AnyFailure) -> Self {
        Self::of(failure.error(), failure.resume_token())
    }
}

/// The answer to one part, or its failure.
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
    /// Why there is none.
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
        let Place::Part { index, range, duplicates } = part.place else {
            return Err(Error::internal("a part at a place of an unknown kind"));
        };
        let (response, failure) = match part.answer {
            Ok(Answered::Operation(answer)) => (Some(answer), None),
            Ok(_) => return Err(Error::internal("a night at the place of a part")),
            Err(failure) => (None, Some(failure.into())),
        };
        Ok(Self { index, range: range.map(Into::into), duplicates: duplicates as u64, response, failure })
    }
}

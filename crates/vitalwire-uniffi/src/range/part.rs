//! Parts of a range.

use std::fmt;

use vitalwire::Error;
use vitalwire::range::{AnyPart, Progress, RangeBounds as CoreBounds, RangeError, ResumeToken};

use super::RangeResponse;
use crate::generated::{ErrorInfo, OperationResponse};
use crate::value::{CalendarDate, Timestamp};

/// Bounds of a range or of a part.
#[derive(Clone, Copy, PartialEq, Eq, uniffi::Enum)]
#[uniffi::export(Debug)]
pub enum RangeBounds {
    /// Calendar dates, both inclusive.
    Dates {
        /// The first day.
        first: CalendarDate,
        /// The last day.
        last: CalendarDate,
    },
    /// Instants. The end is exclusive.
    Instants {
        /// The first instant.
        start: Timestamp,
        /// The first instant after the range.
        end: Timestamp,
    },
}

/// Omits the bounds from debug output.
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

/// Progress of a range call. Parts of an earlier run are not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct RangeProgress {
    /// Number of parts that are done, including failures that were collected.
    pub done: u32,
    /// Number of parts of this run.
    pub total: u32,
    /// Number of items so far, or of rows if responses are read as tables.
    pub items: u64,
}

impl From<Progress> for RangeProgress {
    fn from(core: Progress) -> Self {
        Self { done: core.done, total: core.total, items: core.items }
    }
}

/// Failure of a part or of a range call.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct RangeFailure {
    /// The error.
    pub error: ErrorInfo,
    /// Text of a resume token for the remaining parts; absent if there are none or the range call had not begun.
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
    /// Bounds of the part; absent if the range is open.
    pub range: Option<RangeBounds>,
    /// Number of items that were left out because the previous part had them.
    pub duplicates: u64,
    /// The response; absent if the part failed.
    pub response: Option<OperationResponse>,
    /// The failure; absent if there is a response.
    pub failure: Option<RangeFailure>,
}

/// Omits the bounds and values from debug output.
impl fmt::Debug for RangePart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RangePart(index {}, duplicates {})", self.index, self.duplicates)
    }
}

impl TryFrom<AnyPart<RangeResponse>> for RangePart {
    type Error = Error;

    fn try_from(part: AnyPart<RangeResponse>) -> Result<Self, Error> {
        let (response, failure) = match part.response {
            Ok(RangeResponse::Operation(response)) => (Some(response), None),
            Ok(_) => return Err(Error::internal("a part of an operation must not be a night")),
            Err(failure) => (None, Some(failure.into())),
        };
        let (index, range) = (part.index.unwrap_or_default(), part.range.map(Into::into));
        Ok(Self { index, range, duplicates: part.duplicates as u64, response, failure })
    }
}

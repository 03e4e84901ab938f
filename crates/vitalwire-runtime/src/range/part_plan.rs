//! Division of a range into parts.

use super::bounds::{OpenBounds, RangeBounds};
use super::part_length::PartLength;
use crate::error::Error;

/// The parts of a range.
#[derive(Clone, Copy)]
pub struct PartPlan {
    /// Whole range; `None` if it is open and not split.
    whole: Option<RangeBounds>,
    /// Length of a part; `None` if one part is the whole range.
    pub part_length: Option<PartLength>,
    /// Number of parts; at least 1.
    pub count: u32,
}

impl PartPlan {
    /// Splits a range whose bounds are the parameters with these names. Without a part length there is one part. Its bounds are not
    /// checked here, but by the service.
    pub fn new(bounds: OpenBounds, names: [&'static str; 2], part_length: Option<PartLength>) -> Result<Self, Error> {
        let missing = |name| Error::invalid_argument(name, "must be set, because the range is split into parts");
        let Some(length) = part_length else { return Ok(Self { whole: bounds.closed().and_then(Result::ok), part_length, count: 1 }) };
        match (bounds.closed(), bounds.has_start()) {
            // Name the parameter in the error: the caller does not know the name that the range type uses.
            (Some(whole), _) => {
                let whole = whole.map_err(|error| error.with_argument(names[1]))?;
                Ok(Self { whole: Some(whole), part_length, count: whole.count(length)? })
            }
            (None, false) => Err(missing(names[0])),
            (None, true) => Err(missing(names[1])),
        }
    }

    /// Returns the range of one part. Returns `None` if the whole range is open.
    pub fn part(&self, index: u32) -> Option<RangeBounds> {
        match self.part_length {
            Some(length) => self.whole?.part(length, index),
            None => self.whole,
        }
    }

    /// Returns the range from the start of one part to the end of another.
    pub fn parts(&self, first: u32, last: u32) -> Option<RangeBounds> {
        self.part(first)?.to_end_of(self.part(last)?)
    }
}

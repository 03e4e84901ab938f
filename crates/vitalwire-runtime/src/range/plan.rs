//! The parts of a range.

use super::bounds::{OpenBounds, RangeBounds};
use super::part_length::PartLength;
use crate::error::Error;

/// The parts of one call's range.
#[derive(Clone, Copy)]
pub struct Plan {
    /// The whole range; `None` if it is open and not split.
    whole: Option<RangeBounds>,
    /// The length of a part; `None` if one part is the whole range.
    pub part_length: Option<PartLength>,
    /// Number of parts; at least 1.
    pub count: u32,
}

impl Plan {
    /// Splits a range whose bounds are parameters of these names. Without a part length there is one part, whatever the bounds are: the
    /// service judges them.
    pub fn new(bounds: OpenBounds, names: [&'static str; 2], part_length: Option<PartLength>) -> Result<Self, Error> {
        let missing = |name| Error::invalid_argument(name, "a range without this bound cannot be split");
        let Some(length) = part_length else { return Ok(Self { whole: bounds.closed().and_then(Result::ok), part_length, count: 1 }) };
        match (bounds.closed(), bounds.has_start()) {
            // Named as the parameter: the caller does not know the name that the range type uses.
            (Some(whole), _) => {
                let whole = whole.map_err(|error| error.of_argument(names[1]))?;
                Ok(Self { whole: Some(whole), part_length, count: whole.count(length)? })
            }
            (None, false) => Err(missing(names[0])),
            (None, true) => Err(missing(names[1])),
        }
    }

    /// Returns the range of one part; `None` if the whole range is open.
    pub fn part(&self, index: u32) -> Option<RangeBounds> {
        match self.part_length {
            Some(length) => self.whole?.part(length, index),
            None => self.whole,
        }
    }

    /// Returns the range from one part to another.
    pub fn parts(&self, first: u32, last: u32) -> Option<RangeBounds> {
        self.part(first)?.until(self.part(last)?)
    }
}

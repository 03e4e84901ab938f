//! Ranges of time: the parameters that form them, and how the responses to the parts are merged.

use serde::{Deserialize, Serialize};

use super::types::Type;

/// Type of the two bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub enum RangeKind {
    /// Calendar dates, both inclusive.
    Dates,
    /// Instants, the second exclusive.
    Instants,
}

impl RangeKind {
    /// Returns the type of the two parameters.
    pub fn bound(self) -> Type {
        match self {
            Self::Dates => Type::Date,
            Self::Instants => Type::Timestamp,
        }
    }
}

/// Rules for setting the range of a call and for merging the responses to its parts. Names are wire names.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Range {
    /// Dates or instants.
    pub kind: RangeKind,
    /// Parameter of the first bound.
    pub from: String,
    /// Parameter of the second bound.
    pub to: String,
    /// Response field with the list of items. `None` if the response is the list itself.
    pub items: Option<String>,
    /// Field that identifies an item, to find duplicates.
    pub key: String,
}

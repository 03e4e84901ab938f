//! Which parameters of a call make a range of time, and how the answers to parts of it are put together.

use serde::{Deserialize, Serialize};

use super::types::Type;

/// What the two bounds are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub enum RangeKind {
    /// Calendar dates, both inclusive.
    Dates,
    /// Instants, the second exclusive.
    Instants,
}

impl RangeKind {
    /// The type of the parameters.
    pub fn bound(self) -> Type {
        match self {
            Self::Dates => Type::Date,
            Self::Instants => Type::Timestamp,
        }
    }
}

/// How a call's range of time is set, and its answers merged. Names are those on the wire.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Range {
    /// Dates or instants.
    pub kind: RangeKind,
    /// The parameter of the first bound.
    pub from: String,
    /// The parameter of the second bound.
    pub to: String,
    /// The member of the answer that is the list of items; `None` where the answer is the list.
    pub items: Option<String>,
    /// The member by which an item is known again.
    pub key: String,
}

//! Ranges of time: typed bounds, and long ranges requested in parts.
//!
//! Parts of a range of dates share no day. Parts of a range of instants share a bound, which belongs to the later part. The options of the
//! call apply to each part by itself: there is no timeout for all parts together.
//!
//! A [`RangeCall`] knows the types of its operation. Bindings put them away with [`RangeCall::erased`].

mod any;
mod bodies;
mod bounds;
mod error;
mod fingerprint;
mod makeup;
mod merge;
mod plan;
mod settings;
mod split;
mod state;
mod stream;
mod table;
mod token;

use std::hash::Hash;

pub use any::{AnyFailure, AnyMerged, AnyPart, AnyParts, AnyRange, Gathering, Half, Place, Step};
#[doc(hidden)]
pub use any::{AnyReading, AnySource};
pub use bodies::Bodies;
pub use bounds::{AnyBounds, DateRange, InstantRange, Range};
pub use error::RangeError;
pub use fingerprint::Fingerprint;
#[doc(hidden)]
pub use makeup::Makeup;
pub use makeup::MergedPart;
pub use merge::MergedRange;
#[doc(hidden)]
pub use plan::Plan;
pub use plan::{MAX_PARTS, PartLength};
#[doc(hidden)]
pub use settings::{Around, Settings, carry};
#[doc(hidden)]
pub use split::indexes;
pub use split::{OnError, RangeCall};
pub use state::Progress;
#[doc(hidden)]
pub use state::{Report, RunState, Running};
pub use stream::{PartFailure, PartResult, RangePart, RangeParts};
pub use table::MergedTable;
#[doc(hidden)]
pub use table::join_tables;
#[doc(hidden)]
pub use token::Origin;
pub use token::ResumeToken;

use crate::client::Operation;

/// A call over a range of time. Implemented by generated types only.
pub trait RangeOperation: Operation + Clone {
    /// The type of its range.
    type Range: Range;

    /// An item of its response.
    type Item: Send + 'static;

    /// The key that identifies an item across responses.
    #[doc(hidden)]
    type Key: Eq + Hash + Send + 'static;

    /// The names of its two parameters.
    const BOUNDS: [&'static str; 2];

    /// Returns the two bounds, if set.
    fn bounds(&self) -> [Option<<Self::Range as Range>::Bound>; 2];

    /// Sets both bounds.
    fn set_bounds(&mut self, from: <Self::Range as Range>::Bound, to: <Self::Range as Range>::Bound);

    /// Adds every parameter except the bounds to a fingerprint.
    #[doc(hidden)]
    fn others(&self, hash: &mut Fingerprint);

    /// Returns the items of a response.
    #[doc(hidden)]
    fn items(output: &mut Self::Output) -> &mut Vec<Self::Item>;

    /// Sets the bounds in the response, if it states them.
    #[doc(hidden)]
    fn set_answer_bounds(output: &mut Self::Output, from: <Self::Range as Range>::Bound, to: <Self::Range as Range>::Bound);

    /// Returns the key of an item; `None` if the service left it out.
    #[doc(hidden)]
    fn key(item: &Self::Item) -> Option<Self::Key>;
}

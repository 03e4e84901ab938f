//! Ranges of time: typed bounds, and long ranges requested in parts.
//!
//! Parts of a range of dates share no day. Parts of a range of instants share a bound, which belongs to the later part. The options of
//! the call apply to each part separately: there is no timeout for all parts together.
//!
//! Every range is a `RangeRun`: a stream of values and failures of parts, with the state for resume tokens. A stream of typed parts, a
//! merged response and a merged table are views of such a run. Searches and bindings use the same runs.

mod any;
mod bounds;
mod dates;
mod error;
mod fingerprint;
mod instants;
mod items;
mod merge;
mod merge_run;
mod merged;
mod part_length;
mod part_plan;
mod parts;
mod range_call;
mod range_run;
mod response_merge;
mod resume_token;
mod settings;
mod table_merge;

use std::hash::Hash;

pub use any::{AnyMerged, AnyPart, AnyParts, AnyRange, CollectStep, RangeCollect};
#[doc(hidden)]
pub use any::{AnySource, Delivery, RangeStream, UndeliveredPart};
pub use bounds::{Range, RangeBounds};
pub use dates::DateRange;
pub use error::{PartFailure, RangeError};
pub use fingerprint::Fingerprint;
pub use instants::InstantRange;
pub use merge::NotFoundRecord;
#[doc(hidden)]
pub use merge::{DuplicateScope, Merge, PartValue};
#[doc(hidden)]
pub use merge_run::MergeRun;
pub use merged::{MergedPart, MergedRange};
pub use part_length::{MAX_PARTS, PartLength};
#[doc(hidden)]
pub use part_plan::PartPlan;
pub use parts::{PartBodies, PartResult, RangePart, RangeParts};
pub use range_call::RangeCall;

pub use range_run::{OnError, Progress};
#[doc(hidden)]
pub use range_run::{PartStream, ProgressListener, RangeRun};
#[doc(hidden)]
pub use resume_token::RangeOrigin;
pub use resume_token::ResumeToken;
#[doc(hidden)]
pub use settings::{RangeSettings, TaskWrapper, buffer_parts, part_indexes, spawn_part};
#[doc(hidden)]
pub use table_merge::TableMerge;

use crate::client::Operation;

/// A call over a range of time. Implemented by generated types only.
pub trait RangeOperation: Operation + Clone {
    /// Type of the range.
    type Range: Range;

    /// Type of an item in the response.
    type Item: Send + 'static;

    /// Type of the key that identifies an item across responses.
    #[doc(hidden)]
    type Key: Eq + Hash + Send + 'static;

    /// Names of the two bound parameters.
    const BOUNDS: [&'static str; 2];

    /// Returns the two bounds, if set.
    fn bounds(&self) -> [Option<<Self::Range as Range>::Bound>; 2];

    /// Sets both bounds.
    fn set_bounds(&mut self, from: <Self::Range as Range>::Bound, to: <Self::Range as Range>::Bound);

    /// Adds every parameter except the bounds to a fingerprint.
    #[doc(hidden)]
    fn hash_parameters(&self, hash: &mut Fingerprint);

    /// Returns the items of a response.
    #[doc(hidden)]
    fn items(output: &mut Self::Output) -> &mut Vec<Self::Item>;

    /// Sets the bounds in the response, if it contains them.
    #[doc(hidden)]
    fn set_response_bounds(output: &mut Self::Output, from: <Self::Range as Range>::Bound, to: <Self::Range as Range>::Bound);

    /// Returns the key of an item. Returns `None` if the service omitted it.
    #[doc(hidden)]
    fn key(item: &Self::Item) -> Option<Self::Key>;
}

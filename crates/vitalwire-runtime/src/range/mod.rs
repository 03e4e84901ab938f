//! Ranges of time: typed bounds, and long ranges asked for in parts.
//!
//! The interface states no longest range, so nothing is split unless it is asked for:
//!
//! ```no_run
//! # async fn example(client: vitalwire::Client, today: vitalwire::value::Date) -> Result<(), vitalwire::Error> {
//! use vitalwire::range::{DateRange, Span};
//!
//! let year = DateRange::ending(today, 365)?;
//! let call = client.statistics().daily(year.first(), year.last(), ["steps"]);
//! let merged = call.split(Span::Days(30)).collect().await?;
//! println!("{} days in {} parts", merged.statistics.len(), merged.parts().len());
//! # Ok(())
//! # }
//! ```
//!
//! With [`Split::table`] the parts become one [table](crate::table) instead, read straight from the JSON.
//!
//! Parts of a range of dates follow one another without a shared day; parts of a range of instants share a bound, which belongs
//! to the later one. Options of the call hold for each part: a timeout is a part's own, and there is none for all parts together.

mod bounds;
mod course;
mod fingerprint;
mod incomplete;
mod merge;
mod plan;
mod settings;
mod split;
mod stream;
mod table;
mod token;

use std::hash::Hash;

pub use bounds::{DateRange, InstantRange, Range};
pub use course::Progress;
#[doc(hidden)]
pub use course::{Course, Report, Running};
pub use fingerprint::Fingerprint;
pub use incomplete::SplitError;
pub use merge::{Merged, MergedPart};
#[doc(hidden)]
pub use plan::Plan;
pub use plan::{MAX_PARTS, Span};
#[doc(hidden)]
pub use settings::{Around, Settings, carry};
#[doc(hidden)]
pub use split::indexes;
pub use split::{OnError, Split};
pub use stream::{Part, PartFailure, PartResult, Parts};
pub use table::MergedTable;
#[doc(hidden)]
pub use token::Origin;
pub use token::ResumeToken;

use crate::client::Operation;

/// A call over a range of time. Implemented by generated types only.
pub trait RangeOperation: Operation + Clone {
    /// What its range is made of.
    type Range: Range;

    /// An item of its answer.
    type Item: Send + 'static;

    /// What an item is known by in two answers.
    #[doc(hidden)]
    type Key: Eq + Hash + Send + 'static;

    /// The names of its two parameters.
    const BOUNDS: [&'static str; 2];

    /// The two bounds, where they are set.
    fn bounds(&self) -> [Option<<Self::Range as Range>::Bound>; 2];

    /// Sets both bounds.
    fn set_bounds(&mut self, from: <Self::Range as Range>::Bound, to: <Self::Range as Range>::Bound);

    /// Takes in every parameter but the bounds.
    #[doc(hidden)]
    fn others(&self, hash: &mut Fingerprint);

    /// The items of an answer.
    #[doc(hidden)]
    fn items(output: &mut Self::Output) -> &mut Vec<Self::Item>;

    /// Sets the bounds that the answer itself states, if it does.
    #[doc(hidden)]
    fn set_answer_bounds(output: &mut Self::Output, from: <Self::Range as Range>::Bound, to: <Self::Range as Range>::Bound);

    /// What an item is known by; `None` where the service left it out.
    #[doc(hidden)]
    fn key(item: &Self::Item) -> Option<Self::Key>;
}

//! Ranges of time: typed bounds, and long ranges asked for in parts.
//!
//! The interface states no longest range, so nothing is split unless it is asked for:
//!
//! ```no_run
//! # async fn example(client: vitalwire::Client, today: vitalwire::value::Date) -> Result<(), vitalwire::Error> {
//! use vitalwire::range::{DateRange, PartLength};
//!
//! let year = DateRange::ending(today, 365)?;
//! let call = client.statistics().daily(year, ["steps"]);
//! let merged = call.split(PartLength::Days(30)).collect().await?;
//! println!("{} days in {} parts", merged.statistics.len(), merged.parts().len());
//! # Ok(())
//! # }
//! ```
//!
//! With [`RangeCall::table`] the parts become one [table](crate::table) instead, read straight from the JSON.
//!
//! Parts of a range of dates follow one another without a shared day; parts of a range of instants share a bound, which belongs
//! to the later one. Options of the call hold for each part: a timeout is a part's own, and there is none for all parts together.

pub use vitalwire_runtime::range::*;

//! Time ranges: typed bounds, and range calls that are made in parts.
//!
//! The interface states no maximum range, so a call is split only if you ask for it:
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
//! [`RangeCall::table`] reads the parts into one [table](crate::table) instead, directly from the JSON.
//!
//! Parts of a date range share no day. Parts of an instant range share a bound, which belongs to the later part. Call options apply to each
//! part: a timeout limits one part, and nothing limits all parts together.

pub use vitalwire_runtime::range::*;

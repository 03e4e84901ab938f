//! Which nights there are: sleeps by the days they count to.
//!
//! No operation lists sleeps. They are found by two others: daily statistics, asked for `sleep_duration_total` with record ids, name
//! the records behind each day's sleep, naps too; then each is read.
//!
//! ```no_run
//! # async fn example(client: vitalwire::Client, today: vitalwire::value::Date) -> Result<(), vitalwire::Error> {
//! use vitalwire::range::DateRange;
//! use vitalwire::table::TableId;
//!
//! let month = DateRange::ending(today, 30)?;
//! let mut nights = client.sleeps().between(month).include_stages(true).stream()?;
//! while let Some(night) = nights.next().await {
//!     let night = night?;
//!     println!("{:?}: {} stages", night.days, night.stages.as_slice().len());
//! }
//! let stages = client.sleeps().between(month).table(TableId::SleepStages).await?;
//! println!("{} rows of {} days", stages.len(), stages.parts().len());
//! # Ok(())
//! # }
//! ```
//!
//! A record behind a day's sleep that is no sleep itself is answered 404, left out and counted. A sleep that stands in several days is given
//! once, at the first of them. What counts to a day, and which of several providers is believed, the service says.
//!
//! A day is a part as in [`range`](crate::range): it is read whole or it fails, and a token for later has the days that are left. Options hold
//! for each call: a timeout is a call's own.

mod any;
mod calls;
mod listing;
mod search;
mod stream;

pub use search::NightSearch;
pub use stream::{Night, NightResult, NightStream};

use crate::range::DateRange;
use crate::resources::Sleeps;

impl Sleeps {
    /// The sleeps of these days, naps among them: found by daily statistics, then read one by one. See [`nights`](crate::nights).
    ///
    /// Days in the wrong order are refused when the search starts.
    pub fn between(&self, days: impl Into<DateRange>) -> NightSearch {
        NightSearch::new(self.client.engine(), days.into())
    }
}

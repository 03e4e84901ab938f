//! Search for nights: sleep records by day.
//!
//! No operation lists sleeps, so a search makes two kinds of calls. Daily statistics of `sleep_duration_total` name the records behind each
//! day's sleep, naps included. Each record is then read.
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
//! A record that is not a sleep (the service responds with 404) is left out and counted. A sleep that several days share is returned once,
//! at the first of them. The service decides to which day a sleep belongs and which provider is preferred.
//!
//! Each day is a part, as in [`range`](crate::range): it is read completely or it fails. A [resume token](crate::range::ResumeToken) covers
//! the remaining days. Options apply to each call; a timeout limits one call, not the search.

mod any;
mod calls;
mod listing;
mod search;
mod stream;

pub use search::{NightSearch, empty_table, with_sleep_date};
pub use stream::{Night, NightResult, NightStream};

use crate::range::DateRange;
use crate::resources::Sleeps;

impl Sleeps {
    /// Creates a search for the sleeps of these days, naps included. See [`nights`](crate::nights).
    ///
    /// Days in the wrong order are an error when the search starts.
    pub fn between(&self, days: impl Into<DateRange>) -> NightSearch {
        NightSearch::new(self.client.engine(), days.into())
    }
}

//! Reads and exports the data of many users.
//!
//! A [`Plan`] divides the tables and days of many users into [work items](WorkItem). It contains no secret, so it can be stored or sent to
//! other machines. A [`CohortReader`] reads the items with the credentials in [`People`]. If a user cannot be read, it returns a
//! [`UserFailure`] and continues with the other users. A [`Budget`] limits all requests of a reader.
//!
//! ```no_run
//! use vitalwire::Client;
//! use vitalwire::cohort::{Budget, CohortReader, CohortTable, People, Plan};
//!
//! # async fn example(days: vitalwire::range::DateRange) -> Result<(), vitalwire::cohort::CohortError> {
//! let people = People::from_file("people.csv")?;
//! let plan = Plan::new(people.ids(), [CohortTable::Daily], days)?;
//! let budget = Budget::new().per_second(20.0)?;
//! let reader = CohortReader::new(Client::builder().base_url("https://health.example.org"), people, budget)?;
//! for item in plan.items() {
//!     let read = reader.read_all(item).await?;
//!     println!("{} rows, {} failures", read.table.len(), read.failures.len());
//! }
//! # Ok(())
//! # }
//! ```
//!
//! The first column of each table is `user`. The feature `cohort-dataset` adds [`dataset`], which writes Parquet files and extends them in
//! later runs.

mod budget;
mod credential;
#[cfg(feature = "cohort-dataset")]
pub mod dataset;
mod date_text;
mod day_set;
mod error;
mod failure;
mod people;
mod people_file;
mod plan;
mod pseudonym;
mod reader;
mod rows;
mod sync_state;
mod table;
mod user_calls;

pub use budget::Budget;
pub use credential::{Credential, KeySource};
pub use day_set::DaySet;
pub use error::CohortError;
pub use failure::UserFailure;
pub use people::People;
pub use plan::{Plan, WorkItem};
pub use pseudonym::PseudonymKey;
pub use reader::{CohortReader, ItemRows, UserRows};
pub use sync_state::{Changes, SyncState};
pub use table::CohortTable;

/// Name of the column with the user id or pseudonym.
pub const USER: &str = "user";

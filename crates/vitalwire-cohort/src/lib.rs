//! Data of many users of a health data service: plans, readers, and datasets of Parquet files that later runs extend.
//!
//! [`Plan::due`] makes a [`Plan`] of [work items](WorkItem) from users, tables, days and the states of earlier runs. It contains no secret,
//! so it can be stored or sent to other machines. A [`CohortReader`] reads the items with [`UserCredentials`]. If a user cannot be read, it
//! returns a [`Failure`] and continues with the other users. [`RateLimits`] apply to all requests of a reader.
//!
//! ```no_run
//! use vitalwire::Client;
//! use vitalwire_cohort::{CohortError, CohortReader, CohortTable, Plan, RateLimits, Selection, SyncStates, UserCredentials};
//!
//! # async fn example(days: vitalwire::range::DateRange) -> Result<(), CohortError> {
//! let credentials = UserCredentials::from_file("users.csv")?;
//! let selection = Selection::new(credentials.ids(), [CohortTable::Daily], days)?;
//! let limits = RateLimits::new().per_second(20.0)?;
//! let reader = CohortReader::new(Client::builder().base_url("https://health.example.org"), credentials, limits)?;
//! let plan = Plan::due(&selection, &SyncStates::new(), Some(reader.service_time().await?));
//! for item in plan.items() {
//!     for read in reader.read_all(std::slice::from_ref(item)).await? {
//!         println!("{} rows, {} failures", read.table.len(), read.failures.len());
//!     }
//! }
//! # Ok(())
//! # }
//! ```
//!
//! The first column of each table is `user`. The feature `dataset` adds the module `dataset`, and syncs of many users with `CohortSync`.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests"))]

#[cfg(feature = "dataset")]
mod cohort_sync;
mod credentials;
#[cfg(feature = "dataset")]
pub mod dataset;
mod date_text;
pub mod defaults;
mod error;
mod failure;
mod plan;
mod pseudonym;
mod rate_limits;
mod reader;
mod states;
#[cfg(feature = "dataset")]
mod storage;

#[cfg(feature = "dataset")]
pub use cohort_sync::{CohortSync, CohortSyncProgress, SyncSummary, UserFailure, UserPlan};
pub use credentials::{Credential, KeySource, UserCredentials};
pub use error::{CohortError, LostState};
pub use failure::{Failure, FailureReason};
pub use plan::{Plan, Selection, WorkItem};
pub use pseudonym::PseudonymKey;
pub use rate_limits::RateLimits;
pub use reader::{CohortReader, ItemChanges, ItemRows, UserRows};
pub use states::SyncStates;
/// A table of a cohort: the rows of one kind of records.
pub use vitalwire_sync::RecordKind as CohortTable;
pub use vitalwire_sync::{Changes, DaySet, RecordKey, SyncState, USER, Update, UserTable};

/// Items for fuzz targets, not part of the public interface.
#[cfg(feature = "dataset")]
#[doc(hidden)]
pub mod internal {
    pub use crate::cohort_sync::read_state_file;
}

/// Compiles the example of the crate's README.
#[cfg(all(doctest, feature = "dataset"))]
#[doc = include_str!("../README.md")]
struct Readme;

//! Changes since the last look.

#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests"))]

mod bytes;
mod call;
mod change;
mod clock;
mod copy_state;
mod day_set;
pub mod defaults;
mod error;
mod event;
mod generated;
#[cfg(test)]
mod histories;
mod key;
mod kind;
mod mistakes;
mod run;
mod state;
mod tables;

pub use call::{PlannedDays, SyncCall, SyncClient, SyncPlan};
pub use change::{Change, ChangeType, ContentKey, SyncPart, SyncProgress};
pub use copy_state::generation;
pub use day_set::DaySet;
pub use error::{StateError, SyncError};
pub use event::SyncEvent;
pub use generated::RecordKind;
pub use key::SyncKey;
pub use run::SyncStream;
pub use state::{Changes, RecordKey, SyncState, Update};
pub use tables::UserTable;

/// Name of the column with the user id or pseudonym.
pub const USER: &str = "user";

/// What `vitalwire-cohort` shares with this crate. Not part of the public interface.
#[doc(hidden)]
pub mod internal {
    pub use crate::clock::service_time;
    pub use crate::day_set::{date_of, day_number, day_of};
    pub use crate::state::compare::{KnownRecord, compare};
    pub use crate::state::last_response::LastResponse;
    pub use crate::state::rows::{Record, RecordColumns};
    pub use crate::tables::{SLEEPS_AT_A_TIME, TableRequest, read_tables};
}

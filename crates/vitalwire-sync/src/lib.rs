//! Changes of a user's records since the last look: added, changed and removed ones, for a copy that stays equal to the service.
//!
//! The service has no such call. This crate makes one of requests for days and a small state that remembers what the copy has.
//!
//! ```no_run
//! use vitalwire::Client;
//! use vitalwire_sync::{ChangeType, RecordKind, SyncClient, SyncError, SyncKey};
//!
//! # async fn example(client: Client, secret: &[u8], stored: Option<Vec<u8>>) -> Result<(), SyncError> {
//! let key = SyncKey::new(secret, "user-7")?;
//! let mut parts = client.sync([RecordKind::Daily, RecordKind::Sleeps], key).state_or_first(stored).start()?;
//! while let Some(part) = parts.next().await {
//!     let part = part?;
//!     // In one transaction: apply the changes in their order, then store `part.state()`.
//!     for change in part.changes() {
//!         match change.change_type {
//!             ChangeType::Added | ChangeType::Changed => println!("insert or replace {:?}: {:?}", change.id, part.json_rows(change)),
//!             ChangeType::Removed => println!("remove {:?}", change.id),
//!             ChangeType::DayRemoved => println!("remove all {} of {:?}", change.kind, change.day),
//!             _ => {}
//!         }
//!     }
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Records
//!
//! Each [`RecordKind`] has records with an id, a day and content:
//!
//! | kind | id | day |
//! |---|---|---|
//! | daily statistics | the date | the date |
//! | hourly statistics | the start of the hour | its day in UTC |
//! | sleeps, and stages of sleeps | the sleep's id | the first day whose statistics list the sleep |
//! | nutrition records, and results of lab reports | the record's id | the day by which the service selects the record, if it is certain |
//!
//! The content is that of all rows and columns of the kind's table. Its [`ContentKey`] is a keyed digest. A column that gets no value is no
//! change, so an update of this crate is none either.
//!
//! It is not documented by which of its times the service selects a nutrition record or a lab report. A sync finds out: a time outside of the
//! requested days is not the one. Until then, such a record has several possible days. It is removed only if a response for all of them
//! lacks it, and its [`Change::day`] is `None`.
//!
//! # Days
//!
//! A sync requests all days from the first day of the copy that it has not requested yet, the days that were not over at the last sync, the
//! [look-back](SyncCall::look_back) before them, the days of [events](SyncCall::event), the days of failed requests, and all days if the
//! user has connected a provider. It includes the day that is not over yet; its values are reported each time that they change.
//!
//! A day is over when the clocks of both the service and this machine say so, in every time zone for kinds with local days. If a clock was
//! ahead of the present, all days are requested again. No time zone needs to be known.
//!
//! A change of a day within the look-back is found, however rarely the sync runs: the look-back counts from the last day that was requested.
//! A change of an older day needs an event, or a longer look-back.
//!
//! The newest days are read first. A first sync is therefore useful soon, and its [end is known](SyncPart::progress) from its first part. The
//! state stores the whole plan with the first part, so that an interrupted sync forgets none of it.
//!
//! # State
//!
//! The state of a user contains, for each kind, the requested days, and what the copy has:
//!
//! * For days of the look-back and later ones, each record: its id, its content key (48 bits) and its day. Removed records are named by their
//!   ids, changed ones have their old content key.
//! * For older days, one digest of all records of the day (40 bits). Ids of a year would need four times the space. If such a day differs,
//!   it is reported as [`ChangeType::DayRemoved`], followed by all of its records. A day of daily statistics has one record, so it is
//!   reported as changed or removed instead.
//!
//! A year of a kind needs 2 to 4 kB. The state contains no values. Digests are keyed with a secret that the caller keeps, because values such
//! as steps could be guessed. Ids and the days that have records are in the state as they are: without ids, a removed record could not be
//! named. The state is bound by keyed digests to secret, base URL, user and the user that the service states for the token, and
//! authenticated as a whole. [`StateError`] says what does not match. The version of the layout is its seventh byte.
//!
//! States do not expire. A state that is months old only makes the next sync longer.
//!
//! # Guarantees
//!
//! * **At least once.** Changes and the state after them belong together. Stored in one transaction, each change is reported once. Without
//!   transactions, store [`SyncPart::state_before`], apply the changes, then store [`SyncPart::state`]: after a crash in between, they
//!   are reported again, or their opposite if the service has changed since. Applying a change twice must have no effect, as with "insert or
//!   replace".
//! * **Moved records.** If the day of a record changes, the record is changed, not removed and added. If it moves between days of two parts, it
//!   can be removed in one and added in the other.
//! * **Returning ids.** A record that comes back after its removal is added.
//! * **Incomplete responses.** If items cannot be decoded, nothing counts as removed, and the days stay due. [`SyncPart::left_out`] counts
//!   them.
//! * **One at a time.** Of two syncs that start from one state, only one may store its states. Compare [`generation`].
//!
//! # Requests
//!
//! A sync without news sends one request for the user's information, one for each kind, and one for each sleep of the look-back: the service
//! lists ids of sleeps only, and a sleep can change without them. Sleeps and their stages share these requests. [`SyncCall::plan`] returns
//! the numbers.

#![cfg_attr(docsrs, feature(doc_cfg))]
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
mod key;
mod kind;
mod mistakes;
mod plan;
mod run;
mod state;
mod tables;
#[cfg(test)]
mod tests;

pub use call::{SyncCall, SyncClient};
pub use change::{Change, ChangeType, ContentKey, SyncPart, SyncProgress};
pub use copy_state::generation;
pub use day_set::DaySet;
pub use error::{StateError, SyncError};
pub use event::SyncEvent;
pub use generated::RecordKind;
pub use key::SyncKey;
pub use plan::{PlannedDays, SyncPlan};
pub use run::SyncStream;
pub use state::{Changes, RecordKey, SyncState, Update};
pub use tables::UserTable;

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// Name of the column with the user id or pseudonym.
pub const USER: &str = "user";

/// Items for `vitalwire-cohort`, not part of the public interface.
#[doc(hidden)]
pub mod internal {
    pub use crate::clock::service_time;
    pub use crate::day_set::{date_of, day_number, day_of};
    pub use crate::state::compare::{KnownRecord, compare};
    pub use crate::state::last_response::LastResponse;
    pub use crate::state::rows::{Record, RecordColumns};
    pub use crate::tables::{SLEEPS_AT_A_TIME, TableRequest, read_tables};
}

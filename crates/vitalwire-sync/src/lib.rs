//! Finds the records of a user that were added, changed or removed since the last sync, so that a copy stays equal to the service.
//!
//! The service has no call for changes. This crate requests days, and compares their records with a small state of the copy.
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
//! Each record of a [`RecordKind`] has an id, a day and content:
//!
//! | kind | id | day |
//! |---|---|---|
//! | daily statistics | the date | the date |
//! | hourly statistics | the start of the hour | its day in UTC |
//! | sleeps, and stages of sleeps | the sleep's id | the first day whose statistics list the sleep |
//! | nutrition records, and results of lab reports | the record's id | the day by which the service selects the record, if it is certain |
//!
//! The content has all rows and columns of the record in the table of its kind. A [`ContentKey`] is a keyed digest of the content. Columns
//! without a value do not count, so a column that an update of this crate adds is no change.
//!
//! It is not documented by which time the service selects a nutrition record or a lab report. A sync excludes a time column if a response
//! has a record whose time in this column is outside of the requested days. If several days remain possible for a record, its
//! [`Change::day`] is `None`. Such a record is removed only if a response for all of these days lacks it.
//!
//! # Days
//!
//! A sync requests these days, from the first day of the copy on:
//!
//! * days that no sync has requested yet
//! * days that were not over at the last sync, and the [look-back](SyncCall::look_back) before them
//! * days of [events](SyncCall::event), and of failed requests
//! * all days of statistics and sleeps, if the user's providers have changed since the last sync
//!
//! The last day is today in UTC. For kinds with local days and for lists, it is the day after, because that day has begun in some time
//! zones. Values of a day that is not over are reported whenever a sync finds that they have changed.
//!
//! A day is over when both clocks say so: that of the service and that of this machine. A local day is over when it has ended in every time
//! zone, so the time zone of the user is not needed. The service's clock is ignored if it is before the year 2000 or more than ten years
//! ahead of this machine's clock. If the clock of an earlier sync was more than a day ahead, all days are requested again.
//!
//! The look-back counts from the last requested day. A change within the look-back is therefore found, however rarely the sync runs. A
//! change of an older day needs an event, or a longer look-back.
//!
//! A first sync reads the newest days first. It is therefore useful soon, and its [end is known](SyncPart::progress) from its first part. The
//! number of days grows only if a record has moved.
//!
//! The state of the first part contains the plan of all parts, so an interrupted sync forgets no day. The next sync first reads the days that
//! are left, then the look-back and new days. All days are therefore read, even if every sync is interrupted after one part. If the system
//! gives a sync little time, set a shorter timeout: a request without a response then ends before the sync, and newer days are read next.
//!
//! # State
//!
//! The state of a user contains, for each kind, the requested days, the days that are due, and the records of the copy:
//!
//! * For days of the look-back and later days, it contains the id, the content key (48 bits) and the day of each record. A removed record
//!   is reported with its id, and a changed record with its old content key. Records without a certain day are kept in the same way.
//! * For older days, it contains one digest of all records of the day (28 bits). Ids of a year would need four times the space. If such a
//!   day differs, the part reports [`ChangeType::DayRemoved`] and then all records of the day that still exist. A day of daily statistics
//!   has one record, so the record is reported as changed or removed instead.
//! * For older days of records that can move, it also contains 12 bits of each id. If a record with such an id is removed from another day,
//!   the older day is requested and reported again, because the record can have moved back to it.
//! * In lists, a longer request can make the day of an older record uncertain. This day is then reported again, once.
//!
//! A year of a kind needs 2 to 4 kB. The state contains no values. Digests are keyed with a secret that the caller keeps, because values
//! such as steps could be guessed. Ids, and the days that have records, are not encrypted: without its id, a removed record could not be
//! reported.
//!
//! Keyed digests bind the state to the secret, the base URL or service name, the data set of a sandbox, the user, and the user that the
//! service states for the token, with its internal id. An account that was deleted and created again is therefore another user. If the
//! service moves to another base URL, start again without a state, or use a [service name](SyncCall::service_name) from the first sync on.
//! An authentication code protects all bytes. [`StateError`] has a value for each mismatch. The seventh byte is the version of the layout.
//!
//! States do not expire. A state that is months old only makes the next sync longer.
//!
//! # Guarantees
//!
//! * **At least once.** Store the changes of a part and the state after them in one transaction; then each change is reported once. Without
//!   transactions, store [`SyncPart::state_before`], apply the changes, then store [`SyncPart::state`]. After a crash in between, the next
//!   sync reports the changes again, or their opposite if the service has changed since. Applying a change twice must have no effect, as
//!   with "insert or replace".
//! * **Moved records.** A record whose day changes is reported as changed. If the old and the new day are in two parts, it can be removed
//!   in one part and added in the other. A record that moves to a day before the look-back where it never was is reported as removed, until
//!   an event or a longer look-back requests that day.
//! * **Returning ids.** A record that the service returns again after its removal is reported as added.
//! * **Incomplete responses.** If items or values cannot be decoded, nothing counts as removed, and the days stay due.
//!   [`SyncPart::left_out`] returns their number. A list that is `null` counts as one item if the copy has records of its days. Otherwise it
//!   counts as an empty list, because `null` also stands for an empty list.
//! * **Sleeps without a record.** If statistics list a sleep of the copy, but its request fails with 404, the sleep stays in the copy and
//!   counts as left out. Its day stays due until the service returns the sleep, or until the statistics no longer list it. Then the sleep
//!   is removed. If another listed id is not found when its day is read for the first time, the next sync requests the day once more, because
//!   the service may not have stored the sleep yet. After that, the id is ignored: not every listed id is that of a sleep.
//! * **One at a time.** If two syncs start from the same state, only one of them may store its states. Before you store a state, check that
//!   the [`generation`] of the stored state is still the one that this sync has read or stored last.
//!
//! # Requests
//!
//! A sync that finds no changes sends one request for the user's information and one for each kind. It also requests each sleep of the
//! requested days, because the service lists only ids, and a sleep can change without a new id. Sleeps and their stages share
//! requests. [`SyncCall::plan`] returns the numbers of requests.

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

/// Items for `vitalwire-cohort` and fuzz targets, not part of the public interface.
#[doc(hidden)]
pub mod internal {
    pub use crate::clock::service_time;
    pub use crate::copy_state::seal;
    pub use crate::day_set::{date_of, day_number, day_of};
    pub use crate::state::compare::{KnownRecord, compare};
    pub use crate::state::last_response::LastResponse;
    pub use crate::state::rows::{Record, RecordColumns};
    pub use crate::tables::{SLEEPS_AT_A_TIME, TableRequest, read_tables};
}

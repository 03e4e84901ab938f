//! Defaults and sizes. A test compares them with every text that states them.

use std::time::Duration;

pub use vitalwire_sync::defaults::{LOOKBACK_DAYS, MAX_LOOKBACK_DAYS};

/// Maximum number of requests in flight.
pub const REQUESTS_IN_FLIGHT: usize = 16;

/// Maximum number of users in a work item.
pub const USERS_PER_ITEM: usize = 100;

/// Maximum number of tasks that an engine divides a plan into.
pub const TASKS: usize = 8;

/// Number of users in a block of a dataset. It limits memory, and the rows that a change writes again.
pub const USERS_PER_BLOCK: usize = 100;

/// Number of requests after which an export writes what it has read.
pub const REQUESTS_PER_WRITE: u64 = 200;

/// Time after which an export writes what it has read.
pub const TIME_PER_WRITE: Duration = Duration::from_secs(10);

/// Maximum size of the JSON form of a plan, and of states, in bytes.
pub(crate) const MAX_JSON_BYTES: usize = 256 << 20;

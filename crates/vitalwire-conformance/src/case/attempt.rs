//! Attempts that a client must report to its attempt listener.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One attempt. Its times are not compared.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Attempt {
    /// The operation's `operationId`. It determines the method and path template.
    pub operation: String,
    /// Number of the attempt within its call, from 1.
    pub attempt: u32,
    /// The HTTP status. Absent if there must be none.
    pub status: Option<u16>,
    /// The kind of error. Absent for a success.
    pub error: Option<String>,
    /// The minimum and maximum delay before the next attempt, in milliseconds for a user's client. Delays in cases are scaled down, and
    /// so are these. Absent for the last attempt.
    pub next_delay_ms: Option<(u64, u64)>,
    /// The request id that the service assigned. Absent if there must be none.
    pub request_id: Option<String>,
}

//! What a client's hook must be told of the attempts of its calls.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One attempt. Its times are not looked at.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Attempt {
    /// The operation's `operationId`; its method and path template follow from it.
    pub operation: String,
    /// 1 for the first of a call.
    pub attempt: u32,
    /// The HTTP status; absent where there must be none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The kind of error; absent for a success.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The shortest and the longest wait before the next attempt, in milliseconds as a user's client waits: those of cases are scaled down,
    /// and so are these. Absent for the last attempt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_delay_ms: Option<(u64, u64)>,
    /// The id that the service gave the request; absent where there must be none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
}

//! What must come of a call.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What must come of a call, as canonical JSON (see `tests/conformance/README.md`).
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Outcome {
    /// This value; null for an answer without body.
    Value(Value),
    /// The JSON that the exchange of this number (from 0) answered: nothing was added, lost or changed. Instants in it are written
    /// in canonical form already.
    SameAsReply(usize),
    /// An error.
    Error(Failure),
}

/// An error.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Failure {
    /// The kind, for example `rate_limited`; its number is looked up.
    pub kind: String,
    /// The HTTP status; absent where there must be none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The problem details; absent where there must be none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<Value>,
    /// How long the service asked to wait; absent where it did not ask.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
    /// How many attempts were made; absent where it is not looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempts: Option<u32>,
    /// The argument that was refused; absent where it is not looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub argument: Option<String>,
    /// Where in the answer something was unreadable, for example `statistics[3].date`; absent where it is not looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The last record a wait saw before it ran out; absent where it is not looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<Value>,
}

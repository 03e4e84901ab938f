//! Expected outcomes of calls.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::SyncOutcome;

/// The expected outcome of a call, as canonical JSON (see `tests/conformance/README.md`).
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Outcome {
    /// This value. Null for a response without body.
    Value(Value),
    /// The JSON response of the exchange with this index (from 0), without additions, losses or changes. Its instants must be
    /// in canonical form.
    SameAsReply(usize),
    /// An error.
    Error(Box<Failure>),
    /// The outcomes of calls in sequence, one per call.
    #[serde(rename = "in_row")]
    Sequence(Vec<Self>),
    /// The outcomes of syncs, one per sync.
    Sync(Vec<SyncOutcome>),
}

/// Expected response metadata. Absent fields are not checked.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ExpectedMetadata {
    /// Number of attempts.
    pub attempts: Option<u32>,
    /// The request id that the service assigned.
    pub request_id: Option<String>,
    /// The index (from 0) of the exchange whose response body is kept. Absent if none must be.
    pub body_of_exchange: Option<usize>,
    /// Parts of a range that failed and were left out: their positions, from 0, and the kinds of their errors.
    pub failed_parts: Option<Vec<(u32, String)>>,
    /// Skipped items: list items that could not be decoded. An empty list if there must be none.
    pub skipped_items: Option<Vec<SkippedItem>>,
}

/// A skipped list item.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SkippedItem {
    /// Location of the item in the body, for example `stages[0]`.
    pub json_path: String,
    /// Rule that the item breaks, for example `expected a string, at status`.
    pub reason: String,
    /// JSON text of the item.
    pub json: String,
}

impl ExpectedMetadata {
    /// Whether no field is checked.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// An error.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Failure {
    /// The kind, for example `rate_limited`. It determines the number.
    pub kind: String,
    /// The HTTP status. Absent if there must be none.
    pub status: Option<u16>,
    /// The problem details. Absent if there must be none.
    pub problem: Option<Value>,
    /// The delay that the service requested. Absent if it requested none.
    pub retry_after_ms: Option<u64>,
    /// The request id that the service assigned. Absent if it is not checked.
    pub request_id: Option<String>,
    /// Number of attempts. Absent if it is not checked.
    pub attempts: Option<u32>,
    /// Whether the call may have taken effect.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub may_have_taken_effect: bool,
    /// The id of the created record. Absent if it is not checked.
    pub record_id: Option<String>,
    /// The invalid argument. Absent if it is not checked.
    pub argument: Option<String>,
    /// The location in the response that cannot be decoded, for example `statistics[3].date`. Absent if it is not checked.
    pub json_path: Option<String>,
    /// The index (from 0) of the exchange whose response body is kept. Absent if none must be.
    pub body_of_exchange: Option<usize>,
    /// The last record before a wait timed out. Absent if it is not checked.
    pub last: Option<Value>,
}

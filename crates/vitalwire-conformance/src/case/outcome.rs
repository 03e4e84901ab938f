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
    Error(Box<Failure>),
    /// Those of calls in a row, one for each.
    InRow(Vec<Self>),
}

/// What is known of an answer besides its value; what is absent is not looked at.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Answer {
    /// How often the request was tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempts: Option<u32>,
    /// The id that the service gave the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// The number of the exchange (from 0) whose reply has the body that is kept; absent where none must be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body_of_exchange: Option<usize>,
    /// The parts of a range that failed and were left out: their places, from 0, and the kinds of their errors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed_parts: Option<Vec<(u32, String)>>,
    /// The list items that could not be decoded and were left out; an empty list where there must be none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skipped_items: Option<Vec<SkippedItem>>,
}

/// A list item that was left out.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SkippedItem {
    /// Its place in the body, for example `stages[0]`.
    pub place: String,
    /// The broken rule, for example `expected a string, at status`.
    pub reason: String,
    /// Its JSON text.
    pub json: String,
}

impl Answer {
    /// Whether nothing is looked at.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
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
    /// The id that the service gave the request; absent where it is not looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// How many attempts were made; absent where it is not looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempts: Option<u32>,
    /// Whether the service may have done what the call asked for.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub may_have_taken_effect: bool,
    /// The id of the record that was made; absent where it is not looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record_id: Option<String>,
    /// The argument that was refused; absent where it is not looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub argument: Option<String>,
    /// Where in the answer something was unreadable, for example `statistics[3].date`; absent where it is not looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The number of the exchange (from 0) whose reply has the body that is kept; absent where none must be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body_of_exchange: Option<usize>,
    /// The last record a wait saw before it ran out; absent where it is not looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<Value>,
}

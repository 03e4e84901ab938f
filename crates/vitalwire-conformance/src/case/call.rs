//! What a case calls.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Body;

/// What is called.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Call {
    /// One operation.
    Operation(Operation),
    /// Operations one after the other on one client, each begun when the one before has ended.
    InRow(Vec<Operation>),
    /// An operation, and waiting until what it started has ended; or only the waiting, for an operation that reads one record.
    Wait(Wait),
    /// An operation over a long range, asked for in parts that are merged.
    Split(Split),
    /// A webhook's body, verified and read.
    Webhook(Webhook),
    /// The URL with which a user returns from the consent flow.
    Redirect(Redirect),
}

impl Call {
    /// Whether it ends, or is ended, at a time.
    pub(super) fn is_timed(&self) -> bool {
        match self {
            Self::Operation(operation) => operation.options.is_timed(),
            Self::InRow(operations) => operations.iter().any(|operation| operation.options.is_timed()),
            Self::Wait(_) => true,
            Self::Split(split) => split.options.is_timed() || split.turn.is_some(),
            Self::Webhook(_) | Self::Redirect(_) => false,
        }
    }
}

/// The call of an operation.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Operation {
    /// Its `operationId` in the specification.
    pub id: String,
    /// Arguments by their names on the wire: path and query parameters and members of the body, in one object. Bytes are
    /// base64, or `zeros:` and how many zero bytes; dates and instants are texts.
    #[serde(default)]
    pub arguments: Map<String, Value>,
    /// Settings of this call.
    #[serde(default)]
    pub options: Options,
}

/// Settings of one call; what is not given is the client's default. Times in milliseconds.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// How long the whole call may take.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_ms: Option<u64>,
    /// How long one attempt may take.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempt_ms: Option<u64>,
    /// How long making a connection may take.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub connect_ms: Option<u64>,
    /// How often a failed attempt is repeated at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retries: Option<u32>,
    /// Whether a request that may have had an effect may be sent again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allow_resend: Option<bool>,
    /// Whether a list item that cannot be decoded is an error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strict_lists: Option<bool>,
    /// Whether the body is kept beside the result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keep_raw: Option<bool>,
    /// A token for this call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// The call is cancelled after so long; the connection of a call that is not waited for must be closed within a quarter of a second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cancel_after_ms: Option<u64>,
    /// The client is closed so long after the call began; 0 is before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub close_after_ms: Option<u64>,
    /// Whether closing ends calls on their way; else they go on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub close_ends: Option<bool>,
    /// The same call so many times at once; all must come to the same outcome.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_once: Option<u32>,
}

impl Options {
    /// Whether nothing is set.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    fn is_timed(&self) -> bool {
        let Self { total_ms, attempt_ms, connect_ms, cancel_after_ms, close_after_ms, .. } = self;
        [total_ms, attempt_ms, connect_ms, cancel_after_ms, close_after_ms].into_iter().any(Option::is_some) || self.at_once.is_some()
    }
}

/// Waiting for an analysis.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Wait {
    /// The operation that starts it, or the one that reads the record.
    pub id: String,
    /// Its arguments, as of an operation.
    #[serde(default)]
    pub arguments: Map<String, Value>,
    /// Settings of each of its calls, those that multiply a call excepted; cancelling ends the whole wait.
    #[serde(default, skip_serializing_if = "Options::is_empty")]
    pub options: Options,
    /// How long to wait in all, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
    /// The first and the longest pause between two looks, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval_ms: Option<(u64, u64)>,
}

/// A long range in parts.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Split {
    /// The operation.
    pub id: String,
    /// Its arguments, the ends of the range among them.
    #[serde(default)]
    pub arguments: Map<String, Value>,
    /// Settings of each part's call, those that cancel or multiply a call excepted.
    #[serde(default, skip_serializing_if = "Options::is_empty")]
    pub options: Options,
    /// The length of a part in days; of dates or of instants.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub days: Option<u32>,
    /// The length of a part in hours; of instants only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hours: Option<u32>,
    /// How many parts are asked for at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub concurrency: Option<u32>,
    /// Whether parts that fail are left out (`true`) or end the whole (`false`, the default).
    #[serde(default)]
    pub collect_errors: bool,
    /// Instead of merging the parts: what happens to them once the first was read. The outcome's value is `{"read": [..], "left": ..}` with
    /// the places of the parts that were handed out and how many are left for a resume token, and the `error` and `code` of a reading
    /// that was refused or ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<Turn>,
}

/// What happens to the parts of a range that are read one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Turn {
    /// A second reader comes while the second part is being read; the first reader goes on to the end.
    SecondReader,
    /// They are closed while the second part is being read.
    ClosedWhileRead,
    /// They are closed while nobody reads.
    Closed,
    /// They are read to the end, and once more.
    ReadOn,
}

/// A webhook's body.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Webhook {
    /// What the caller says it is.
    pub kind: WebhookKind,
    /// The raw body.
    pub body: Body,
    /// The value of the signature header; absent to read a body without verifying it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// Keys of which one must fit.
    #[serde(default)]
    pub keys: Vec<String>,
}

/// What a webhook's body holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WebhookKind {
    /// A list of events.
    Events,
    /// A lab report.
    LabReport,
    /// A nutrition record.
    Nutrition,
}

/// A return from the consent flow.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Redirect {
    /// The URL, or its query alone.
    pub url: String,
    /// The `state` that was sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected_state: Option<String>,
}

//! Calls of a case.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Body, Sync};

/// The call of a case.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Call {
    /// One operation.
    Operation(Operation),
    /// Several operations in sequence on one client. Each starts when the previous one has ended.
    #[serde(rename = "in_row")]
    Sequence(Vec<Operation>),
    /// An operation and a wait for its analysis. An operation that reads a record only waits.
    Wait(Wait),
    /// An operation over a long range, made in parts that are merged.
    #[serde(rename = "split")]
    Range(RangeCall),
    /// A search for the sleeps of some days, collected as the table `sleeps`.
    Nights(NightSearch),
    /// Several syncs of one user. Each starts when the previous one has ended, from its state.
    Sync(Vec<Sync>),
    /// A webhook body to verify and decode.
    Webhook(Webhook),
    /// The URL with which a user returns from the consent flow.
    Redirect(Redirect),
}

impl Call {
    /// Whether the call ends at a certain time, such as a deadline or a cancellation.
    pub(super) fn is_timed(&self) -> bool {
        match self {
            Self::Operation(operation) => operation.options.is_timed(),
            Self::Sequence(operations) => operations.iter().any(|operation| operation.options.is_timed()),
            Self::Wait(_) => true,
            Self::Range(split) => split.options.is_timed() || split.action.is_some(),
            Self::Nights(_) | Self::Sync(_) | Self::Webhook(_) | Self::Redirect(_) => false,
        }
    }
}

/// The call of an operation.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Operation {
    /// The `operationId` in the specification.
    pub id: String,
    /// Arguments by their names on the wire: path and query parameters and fields of the body, in one object. Bytes are
    /// base64, or `zeros:` and a number of zero bytes. Dates and instants are texts.
    #[serde(default)]
    pub arguments: Map<String, Value>,
    /// Options of this call.
    #[serde(default)]
    pub options: Options,
}

/// Options of one call. Omitted options have the client's defaults. Times are in milliseconds.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Timeout of the whole call.
    pub total_ms: Option<u64>,
    /// Timeout of one attempt.
    pub attempt_ms: Option<u64>,
    /// Timeout for opening a connection.
    pub connect_ms: Option<u64>,
    /// Maximum number of retries.
    pub retries: Option<u32>,
    /// Whether a request that may have taken effect may be sent again.
    pub allow_resend: Option<bool>,
    /// Whether a list item that cannot be decoded is an error.
    pub strict_lists: Option<bool>,
    /// Whether the response keeps its body.
    pub keep_body: Option<bool>,
    /// A token for this call.
    pub token: Option<String>,
    /// Delay before the call is cancelled. Except for a wait, the connection must then be closed within one second.
    pub cancel_after_ms: Option<u64>,
    /// Delay between the start of the call and the closing of the client. 0 closes it before the call.
    pub close_after_ms: Option<u64>,
    /// Whether closing the client aborts calls in flight. Otherwise they complete.
    pub close_ends: Option<bool>,
    /// Number of parallel copies of the call. All must have the same outcome.
    pub at_once: Option<u32>,
}

impl Options {
    /// Whether all options have their defaults.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    fn is_timed(&self) -> bool {
        let Self { total_ms, attempt_ms, connect_ms, cancel_after_ms, close_after_ms, .. } = self;
        [total_ms, attempt_ms, connect_ms, cancel_after_ms, close_after_ms].into_iter().any(Option::is_some) || self.at_once.is_some()
    }
}

/// A wait for an analysis.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Wait {
    /// The operation that starts the analysis, or the one that reads the record.
    pub id: String,
    /// Arguments, as for an operation.
    #[serde(default)]
    pub arguments: Map<String, Value>,
    /// Options of each call, except those that multiply it. Cancelling ends the whole wait.
    #[serde(default, skip_serializing_if = "Options::is_empty")]
    pub options: Options,
    /// Timeout of the whole wait, in milliseconds.
    pub timeout_ms: Option<u64>,
    /// Minimum and maximum interval between two polls, in milliseconds.
    pub interval_ms: Option<(u64, u64)>,
}

/// A long range in parts.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RangeCall {
    /// The operation.
    pub id: String,
    /// Arguments, including the bounds of the range.
    #[serde(default)]
    pub arguments: Map<String, Value>,
    /// Options of each part's call, except those that cancel or multiply it.
    #[serde(default, skip_serializing_if = "Options::is_empty")]
    pub options: Options,
    /// Part length in days, for ranges of dates or instants.
    pub days: Option<u32>,
    /// Part length in hours, for ranges of instants only.
    pub hours: Option<u32>,
    /// Maximum number of parts in flight.
    pub concurrency: Option<u32>,
    /// Whether failed parts are left out (`true`) or fail the whole range (`false`). Defaults to `false`.
    #[serde(default)]
    pub collect_errors: bool,
    /// An action on the parts after the first has been read, instead of merging them. The outcome's value is `{"read": [..], "left": ..}`:
    /// the positions of the parts returned, and the number of parts left in the resume token. It also has the `error` and `code` of a read
    /// that was rejected or aborted.
    #[serde(default, rename = "turn", skip_serializing_if = "Option::is_none")]
    pub action: Option<PartsAction>,
}

/// An action on the parts of a range that are read one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PartsAction {
    /// A second reader starts while the second part is being read. The first reader reads all parts.
    SecondReader,
    /// The parts are closed during the read of the second part.
    ClosedWhileRead,
    /// The parts are closed while no read is in flight.
    Closed,
    /// All parts are read, and then one more.
    ReadOn,
}

/// A search for the sleeps of some days. The outcome's value is a list of rows of the table `sleeps`, without missing values.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NightSearch {
    /// First day, inclusive.
    pub first: String,
    /// Last day, inclusive.
    pub last: String,
    /// Whether days without a sleep are rows. Defaults to `false`.
    #[serde(default)]
    pub missing_rows: bool,
    /// Whether failed days are left out (`true`) or fail the whole search (`false`). Defaults to `false`.
    #[serde(default)]
    pub collect_errors: bool,
    /// The columns in the outcome. At least one row has a value in each.
    pub columns: Vec<String>,
}

/// A webhook body.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Webhook {
    /// The kind that the caller states.
    pub kind: WebhookKind,
    /// The raw body.
    pub body: Body,
    /// Value of the signature header. Absent to decode a body without verification.
    pub signature: Option<String>,
    /// Webhook keys, one of which must match.
    #[serde(default)]
    pub keys: Vec<String>,
}

/// Content of a webhook body.
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
    /// The URL, or only its query.
    pub url: String,
    /// The `state` that was sent.
    pub expected_state: Option<String>,
}

//! Syncs of a case, and their expected outcomes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Failure, Options};

/// A sync of the user's records.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sync {
    /// The kinds of records.
    pub kinds: Vec<String>,
    /// The first day of the copy. Defaults to the client's default.
    pub first: Option<String>,
    /// The look-back, in days. Defaults to the client's default.
    pub look_back: Option<u32>,
    /// The state from which the sync starts. Defaults to that of the last part that an earlier sync of the case has returned.
    #[serde(default)]
    pub state: SyncState,
    /// Events whose days are requested, too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<SyncEvent>,
    /// Whether the sync only records the events in the state, without a request. Its outcome has no parts. Defaults to `false`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub record_events: bool,
    /// Secret of the digests, as text. It is a canary.
    #[serde(default = "default_secret")]
    pub secret: String,
    /// The caller's id of the user. It is a canary.
    #[serde(default = "default_user")]
    pub user: String,
    /// A path after the base URL of the case's client. The sync then uses another client with this base URL.
    pub base_path: Option<String>,
    /// Whether the user's information is requested first. Defaults to the client's default.
    pub check_account: Option<bool>,
    /// The user at the service, to whom the token must belong.
    pub expect_account: Option<String>,
    /// Options of each call, except those that cancel or multiply it.
    #[serde(default, skip_serializing_if = "Options::is_empty")]
    pub options: Options,
    /// Number of parts after which the reader stops. Defaults to all.
    pub max_parts: Option<u32>,
    /// Columns of the rows in the outcome. Without any, changes have no `rows`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<String>,
}

fn default_secret() -> String {
    "secret-of-wren-aldous".to_owned()
}

fn default_user() -> String {
    "Wren Aldous".to_owned()
}

/// The state from which a sync starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SyncState {
    /// The state after the last part of the earlier syncs. None for the first sync.
    #[default]
    Last,
    /// No state.
    None,
    /// The state to store before the changes of that part are applied.
    Before,
    /// The last state with a changed last byte: its lowest bit is inverted.
    Damaged,
    /// The last state with the version of the next layout: its seventh byte is greater by one.
    NewerVersion,
}

/// Days that may have changed.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum SyncEvent {
    /// Kinds and days.
    Days {
        /// The kinds.
        kinds: Vec<String>,
        /// First day, inclusive.
        first: String,
        /// Last day, inclusive.
        last: String,
    },
    /// A webhook about changed records. It is an event of statistics and sleeps.
    Webhook {
        /// Start of the earliest record.
        earliest_record_start_at: String,
        /// End of the latest record.
        latest_record_end_at: String,
        /// The user at the service.
        application_user_id: String,
    },
}

/// The outcome of a sync.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SyncOutcome {
    /// The parts, in order.
    pub parts: Vec<SyncPart>,
    /// The error of the last failed part, or the error that ended the sync.
    pub error: Option<Box<Failure>>,
    /// The reason why the state cannot be used: `damaged`, `unsupported_version`, `other_key`, `other_service` or `other_user`.
    pub state_error: Option<String>,
}

/// A part of a sync.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SyncPart {
    /// The first and the last day.
    pub days: (String, String),
    /// The kinds.
    pub kinds: Vec<String>,
    /// Number of days that are done, and of all days.
    pub progress: (u64, u64),
    /// Number of items and values that are left out.
    #[serde(default)]
    pub left_out: u64,
    /// The changes, in their order.
    #[serde(default)]
    pub changes: Vec<SyncChange>,
}

/// A change. Content keys have the texts `key 1`, `key 2`, … in the order in which they first appear in the outcome of the case. Equal keys
/// have equal texts.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SyncChange {
    /// `added`, `changed`, `removed` or `day_removed`.
    #[serde(rename = "type")]
    pub change_type: String,
    /// The kind.
    pub kind: String,
    /// The id of the record.
    pub id: Option<String>,
    /// The day of the record.
    pub day: Option<String>,
    /// Content key before the change.
    pub before: Option<String>,
    /// Content key after the change.
    pub after: Option<String>,
    /// The rows of the record, with the columns that the sync names, without missing values. Absent if the sync names no columns.
    pub rows: Option<Vec<Map<String, Value>>>,
}

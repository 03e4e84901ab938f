//! The format of a case: a list of cases per file, under `tests/conformance/cases/<area>/<topic>.json`. Absent fields are serialized as
//! null.

mod attempt;
mod body;
mod call;
mod client;
mod exchange;
mod outcome;
mod sync;
mod template;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use attempt::Attempt;
pub use body::{Body, Encoding, Repeat};
pub use call::{Call, NightSearch, Operation, Options, PartsAction, RangeCall, Redirect, Wait, Webhook, WebhookKind};
pub use client::{ArrayStyle, Client, Factor, LATE, NonFinite, Port, Proxy, Token};
pub use exchange::{CutKind, CutResponse, Exchange, Fault, Filler, MinDelay, Reply, Request, Service, SlowBody};
pub use outcome::{ExpectedMetadata, Failure, Outcome};
pub use sync::{Sync, SyncChange, SyncEvent, SyncOutcome, SyncPart, SyncState};
pub(crate) use template::CaseOrTemplate;
pub use template::Template;

/// A situation, a call, and the expected outcome.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// `area.topic.name`, in lower-case letters, digits and `_`. Area and topic are the file's folder and name. Unique and never
    /// reused for another case.
    pub id: String,
    /// The tested rule, in one sentence.
    pub title: String,
    /// Ids of `openapi/statements.toml` that this case tests. Empty for a rule of the client only.
    #[serde(default)]
    pub statements: Vec<String>,
    /// The client's settings.
    #[serde(default)]
    pub client: Client,
    /// The call of a case.
    pub call: Call,
    /// Expected requests and their responses, in order. All must be used, and no other request may arrive.
    #[serde(default)]
    pub exchanges: Vec<Exchange>,
    /// Whether requests may arrive in any order. Each gets the response of the first unused exchange that it matches.
    #[serde(default)]
    pub any_order: bool,
    /// The expected outcome.
    pub outcome: Outcome,
    /// Places in the outcome that the client keeps in `extra`, because it does not know the field or its type differs. They are JSON
    /// pointers in which `*` stands for any characters within a name. All other fields must be declared by the model.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extra: Vec<String>,
    /// Places in the outcome with values that an open set does not know, as for `extra`. It must know all others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<String>,
    /// Expected response metadata.
    #[serde(default, rename = "response_metadata", skip_serializing_if = "ExpectedMetadata::is_empty")]
    pub expected_metadata: ExpectedMetadata,
    /// Expected reports to the attempt listener, in order. Absent if no listener is set.
    #[serde(rename = "reported_attempts")]
    pub expected_attempts: Option<Vec<Attempt>>,
    /// Expected number of connections. Absent if it is not checked.
    pub connections: Option<usize>,
    /// The basis of the outcome's nutritional numbers: `per_serving`, `per_100` or `unknown`. Absent if it is not checked.
    pub basis: Option<String>,
    /// Texts that must not appear in any error text, description, log line or panic. Tokens are always canaries.
    #[serde(default)]
    pub canaries: Vec<String>,
}

impl Case {
    /// Whether the case may fail on a busy machine, because it depends on time.
    #[must_use]
    pub fn is_timed(&self) -> bool {
        let late = |token: &Token| matches!(token, Token::Provider(texts) if texts.iter().any(|text| text.starts_with(LATE)));
        let Client { port, token, care_token, timeout_scale, .. } = &self.client;
        let scaled = timeout_scale.is_some();
        self.call.is_timed()
            || scaled
            || *port == Port::Full
            || late(token)
            || late(care_token)
            || self.exchanges.iter().any(Exchange::is_timed)
    }
}

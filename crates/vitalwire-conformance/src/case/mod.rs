//! The format of a case: a list of cases per file, under `tests/conformance/cases/<area>/<topic>.json`.

mod attempt;
mod body;
mod call;
mod client;
mod exchange;
mod outcome;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use attempt::Attempt;
pub use body::{Body, Encoding, Repeat};
pub use call::{Call, Operation, Options, Redirect, Split, Turn, Wait, Webhook, WebhookKind};
pub use client::{ArrayStyle, Client, Factor, LATE, Port, Proxy, Token, Word};
pub use exchange::{After, Cut, End, Exchange, Fault, Filler, Reply, Request, Service, Slow};
pub use outcome::{Answer, Failure, Outcome};

/// One situation, what is done in it, and what must come of it.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// `area.topic.name`, of lower-case letters, digits and `_`: area and topic are the file's folder and name. Unique and never
    /// given to another case.
    pub id: String,
    /// What must hold, in one sentence.
    pub title: String,
    /// Ids of `openapi/statements.toml` that this case holds to; none for what only this client promises.
    #[serde(default)]
    pub statements: Vec<String>,
    /// How the client is made.
    #[serde(default)]
    pub client: Client,
    /// What is called.
    pub call: Call,
    /// What the server expects and plays, one after the other. Every one must be used up, and no request may come beside them.
    #[serde(default)]
    pub exchanges: Vec<Exchange>,
    /// Requests may come in any order: each is answered by the first unused exchange it fits.
    #[serde(default)]
    pub any_order: bool,
    /// What must come of it.
    pub outcome: Outcome,
    /// Places of the outcome whose members the client does not know, or has of another type, and keeps in `extra`: JSON pointers in which
    /// `*` is any characters of one name. All other members must come from what the model declares.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extra: Vec<String>,
    /// Places of the outcome whose values an open set does not know, as for `extra`. It must know all others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<String>,
    /// What must be known of the answer besides its value.
    #[serde(default, skip_serializing_if = "Answer::is_empty")]
    pub answer: Answer,
    /// What a hook must be told of the attempts, in their order; absent where none is set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told: Option<Vec<Attempt>>,
    /// On how many connections the requests must come; absent where it is not looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connections: Option<usize>,
    /// What the outcome's nutritional numbers refer to: `per_serving`, `per_100` or `unknown`; absent where it is not looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub basis: Option<String>,
    /// Texts that may appear in no error text, description, log line or panic. Tokens always are canaries.
    #[serde(default)]
    pub canaries: Vec<String>,
}

impl Case {
    /// Whether a busy machine may make it fail: something in it ends, or is late, at a time.
    #[must_use]
    pub fn is_timed(&self) -> bool {
        let late = |token: &Token| matches!(token, Token::Provider(texts) if texts.iter().any(|text| text.starts_with(LATE)));
        let Client { port, token, care_token, deadline_scale, .. } = &self.client;
        let scaled = deadline_scale.is_some();
        self.call.is_timed()
            || scaled
            || *port == Port::Full
            || late(token)
            || late(care_token)
            || self.exchanges.iter().any(Exchange::is_timed)
    }
}

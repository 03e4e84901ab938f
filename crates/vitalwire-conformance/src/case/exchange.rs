//! What the scripted server expects and plays.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Body, Encoding};

/// One request and what is answered.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Exchange {
    /// The request that must arrive.
    pub request: Request,
    /// What is answered.
    #[serde(default)]
    pub reply: Reply,
    /// How many requests it is for.
    #[serde(default = "once", skip_serializing_if = "is_once")]
    pub times: u32,
}

fn once() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's shape")]
fn is_once(times: &u32) -> bool {
    *times == 1
}

impl Exchange {
    /// Whether its answer is late, or never whole.
    pub(super) fn is_timed(&self) -> bool {
        let Some(Fault { delay_ms, slow, cut }) = &self.reply.fault else { return false };
        delay_ms.is_some() || slow.is_some() || cut.as_ref().is_some_and(|cut| cut.end == End::Hang)
    }
}

/// One of the two services.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Service {
    /// The main service.
    #[default]
    Health,
    /// The policy-benefits lookup.
    Care,
}

/// A request that must arrive. Besides what is said here every request must carry `authorization: Bearer` with the token of its
/// service (unless `authorization` says otherwise), an `accept` that takes JSON, and no `api-version`.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The method, in capital letters.
    pub method: String,
    /// Whose base URL.
    #[serde(default)]
    pub service: Service,
    /// The path after the base URL, as written on the wire (percent-encoded).
    pub path: String,
    /// Names and values of the query, decoded. Their order counts within one name only.
    #[serde(default)]
    pub query: Vec<(String, String)>,
    /// The query as it stands on the wire, where its encoding matters; beside `query`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw_query: Option<String>,
    /// Further headers, names in lower case; null for one that must be absent.
    #[serde(default)]
    pub headers: BTreeMap<String, Option<String>>,
    /// The body as JSON; absent for a request without body. Compared as canonical JSON; `zeros:` and how many stands for the base64 of
    /// so many zero bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<Value>,
    /// The token that must come, where it is not the usual one; an empty text for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// How long the client must have waited after the answer before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<After>,
}

/// The least time between an answer and the next request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum After {
    /// A wait before a retry, in milliseconds as a user's client waits: those of cases are scaled down, and so is this.
    RetryMs(u64),
    /// Milliseconds that no scale holds for, such as the pauses of a wait.
    Ms(u64),
}

/// What is answered.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Reply {
    /// The status.
    pub status: u16,
    /// Headers, names in lower case. `content-length` and `content-type` are set where they are not given; null leaves one out.
    pub headers: BTreeMap<String, Option<String>>,
    /// Further headers, for large heads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filler: Option<Filler>,
    /// The whole head as it is sent, instead of the status and the headers. The connection is closed after the body.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw_head: Option<String>,
    /// The body.
    pub body: Body,
    /// How it is packed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<Encoding>,
    /// What goes wrong on the way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
}

impl Default for Reply {
    fn default() -> Self {
        Self { status: 200, headers: BTreeMap::new(), filler: None, raw_head: None, body: Body::Empty, encoding: None, fault: None }
    }
}

/// Headers `x-filler-0`, `x-filler-1`, … whose values are zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Filler {
    /// Number of headers.
    pub headers: usize,
    /// Size of the whole head in bytes, its status line and last line end included. Without it, each value is one zero.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head_bytes: Option<usize>,
}

/// What goes wrong on the way.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Fault {
    /// How long nothing is answered, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delay_ms: Option<u64>,
    /// The bytes come slowly.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slow: Option<Slow>,
    /// The answer ends early.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut: Option<Cut>,
}

/// Bytes of the body that come slowly.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Slow {
    /// So many bytes.
    pub bytes: usize,
    /// Each time after so many milliseconds.
    pub every_ms: u64,
}

/// An answer that ends early.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cut {
    /// After so many bytes of the body; absent for before the first byte of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<usize>,
    /// How.
    pub end: End,
}

/// How an answer ends early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// The connection is closed in order.
    Close,
    /// The connection is reset.
    Reset,
    /// Nothing comes any more.
    Hang,
}

//! Requests that the scripted server expects, and its responses.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Body, Encoding};

/// One request and its response.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Exchange {
    /// The expected request.
    pub request: Request,
    /// The response.
    #[serde(default)]
    pub reply: Reply,
    /// Number of requests that the exchange serves.
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
    /// Whether the response is delayed, or never complete.
    pub(super) fn is_timed(&self) -> bool {
        let Some(Fault { delay_ms, slow, cut }) = &self.reply.fault else { return false };
        delay_ms.is_some() || slow.is_some() || cut.as_ref().is_some_and(|cut| cut.end == CutKind::Hang)
    }
}

/// One of the two services.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Service {
    /// The health service.
    #[default]
    Health,
    /// The care service.
    Care,
}

/// An expected request. In addition, every request must have `authorization: Bearer` with the token of its service (unless `token` says
/// otherwise), an `accept` that allows JSON, and no `api-version`.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The method, in upper case.
    pub method: String,
    /// The service whose base URL is used.
    #[serde(default)]
    pub service: Service,
    /// The path after the base URL, percent-encoded as on the wire.
    pub path: String,
    /// Names and values of the query, decoded. Order matters only among equal names.
    #[serde(default)]
    pub query: Vec<(String, String)>,
    /// The query as on the wire, if its encoding matters. Checked in addition to `query`.
    pub raw_query: Option<String>,
    /// Further headers, with names in lower case. Null if a header must be absent.
    #[serde(default)]
    pub headers: BTreeMap<String, Option<String>>,
    /// The body as JSON. Absent for a request without body. Compared as canonical JSON. `zeros:` and a number stand for the base64 of that
    /// many zero bytes.
    pub body: Option<Value>,
    /// The expected token, if it is not the default one. Empty for none.
    pub token: Option<String>,
    /// Minimum delay after the previous response.
    pub after: Option<MinDelay>,
}

/// Minimum delay between a response and the next request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MinDelay {
    /// A retry delay in milliseconds, as for a user's client. Delays in cases are scaled down, and so is this.
    RetryMs(u64),
    /// Unscaled milliseconds, such as the interval of a wait.
    Ms(u64),
}

/// The response.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Reply {
    /// The status.
    pub status: u16,
    /// Headers, with names in lower case. `content-length` and `content-type` are added unless set. Null omits a header.
    pub headers: BTreeMap<String, Option<String>>,
    /// Further headers, for large heads.
    pub filler: Option<Filler>,
    /// The raw head, instead of the status and the headers. The connection is closed after the body.
    pub raw_head: Option<String>,
    /// The body.
    pub body: Body,
    /// Compression of the body.
    pub encoding: Option<Encoding>,
    /// A network fault.
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
    /// Size of the whole head in bytes, including the status line and the last line end. Without it, each value is one zero.
    pub head_bytes: Option<usize>,
}

/// A network fault.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Fault {
    /// Delay before the response, in milliseconds.
    pub delay_ms: Option<u64>,
    /// Sends the body slowly.
    pub slow: Option<SlowBody>,
    /// Ends the response early.
    pub cut: Option<CutResponse>,
}

/// A body that is sent slowly.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SlowBody {
    /// Bytes per chunk.
    pub bytes: usize,
    /// Delay before each chunk, in milliseconds.
    pub every_ms: u64,
}

/// A response that ends early.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CutResponse {
    /// Bytes of the body that are sent. Absent to end before the first byte of the response.
    pub after: Option<usize>,
    /// The way it ends.
    pub end: CutKind,
}

/// The way a response ends early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CutKind {
    /// The connection is closed normally.
    Close,
    /// The connection is reset.
    Reset,
    /// No more bytes are sent.
    Hang,
}

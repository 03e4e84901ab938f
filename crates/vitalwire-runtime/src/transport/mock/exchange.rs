//! The file format of recorded exchanges: one JSON object, described in the README of `vitalwire-cli`. Unknown fields are ignored.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::MockResponse;
use crate::value::decode::without_byte_order_mark;

/// Version of the format.
const FORMAT: u32 = 1;

/// A recorded request and its response.
#[derive(Serialize, Deserialize)]
pub struct Exchange {
    /// Version of the format.
    vitalwire_exchange: u32,
    /// The request.
    pub request: RecordedRequest,
    /// The response.
    pub response: RecordedResponse,
}

/// A recorded request, without headers.
#[derive(Serialize, Deserialize)]
pub struct RecordedRequest {
    /// HTTP method, such as `GET`.
    pub method: String,
    /// Path below the base URL, percent-encoded.
    pub path: String,
    /// Query, percent-encoded.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub query: String,
    /// The body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<RecordedBody>,
}

/// A recorded response.
#[derive(Serialize, Deserialize)]
pub struct RecordedResponse {
    /// HTTP status.
    pub status: u16,
    /// Time until the response was complete, in milliseconds. Playback does not wait for it.
    #[serde(default)]
    pub took_ms: u64,
    /// Recorded headers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub headers: Vec<(String, String)>,
    /// The body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<RecordedBody>,
}

/// A body, in its most readable form.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecordedBody {
    /// JSON, exactly as received.
    Json(Box<RawValue>),
    /// Other UTF-8 text.
    Text(String),
    /// Other bytes, in Base64.
    Base64(String),
}

impl RecordedBody {
    /// Records a body. Returns `None` if it is empty.
    #[must_use]
    pub fn from_bytes(body: &[u8]) -> Option<Self> {
        if body.is_empty() {
            return None;
        }
        if let Ok(json) = serde_json::from_slice::<Box<RawValue>>(body) {
            return Some(Self::Json(json));
        }
        Some(String::from_utf8(body.to_vec()).map_or_else(|_| Self::Base64(BASE64.encode(body)), Self::Text))
    }

    fn bytes(&self) -> Option<Bytes> {
        match self {
            Self::Json(json) => Some(Bytes::copy_from_slice(json.get().as_bytes())),
            Self::Text(text) => Some(Bytes::copy_from_slice(text.as_bytes())),
            Self::Base64(text) => BASE64.decode(text).ok().map(Bytes::from),
        }
    }
}

impl Exchange {
    /// Creates an exchange from a request and its response.
    #[must_use]
    pub fn new(request: RecordedRequest, response: RecordedResponse) -> Self {
        Self { vitalwire_exchange: FORMAT, request, response }
    }

    /// Returns the exchange as the text of a file.
    #[must_use]
    pub fn to_text(&self) -> Option<String> {
        serde_json::to_string_pretty(self).ok().map(|text| text + "\n")
    }

    /// Parses the text of a file. Returns `None` if it is not an exchange in this format.
    pub(super) fn from_text(text: &[u8]) -> Option<Self> {
        serde_json::from_slice::<Self>(without_byte_order_mark(text)).ok().filter(|exchange| exchange.vitalwire_exchange == FORMAT)
    }

    /// Returns the response, without a delay.
    pub(super) fn to_response(&self) -> Option<MockResponse> {
        let RecordedResponse { status, headers, body, .. } = &self.response;
        let body = body.as_ref().map_or_else(|| Some(Bytes::new()), RecordedBody::bytes)?;
        Some(MockResponse { status: *status, headers: headers.clone(), body, delay: Duration::ZERO })
    }
}

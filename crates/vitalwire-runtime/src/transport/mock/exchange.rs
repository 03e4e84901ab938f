//! A recorded exchange as a file: one JSON object, described in the README of `vitalwire-cli`. What a later version adds is passed over.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::MockResponse;
use crate::value::decode::without_byte_order_mark;

/// The number of the format.
const FORMAT: u32 = 1;

/// A recorded request and its response.
#[derive(Serialize, Deserialize)]
pub struct Exchange {
    /// The number of the format.
    vitalwire_exchange: u32,
    /// What was requested.
    pub request: RecordedRequest,
    /// What was answered.
    pub response: RecordedResponse,
}

/// What was requested, without its headers.
#[derive(Serialize, Deserialize)]
pub struct RecordedRequest {
    /// `GET`, `POST`, …
    pub method: String,
    /// The path below the base URL, percent-encoded.
    pub path: String,
    /// The query, encoded.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub query: String,
    /// The body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<RecordedBody>,
}

/// What was answered.
#[derive(Serialize, Deserialize)]
pub struct RecordedResponse {
    /// The HTTP status.
    pub status: u16,
    /// Time until the whole answer was there, in milliseconds. It is not waited for again.
    #[serde(default)]
    pub took_ms: u64,
    /// The headers that are kept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub headers: Vec<(String, String)>,
    /// The body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<RecordedBody>,
}

/// A body in the form that is the easiest to read.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecordedBody {
    /// JSON, letter by letter.
    Json(Box<RawValue>),
    /// Other text.
    Text(String),
    /// Other bytes.
    Base64(String),
}

impl RecordedBody {
    /// A body; `None` if it is empty.
    #[must_use]
    pub fn of(body: &[u8]) -> Option<Self> {
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
    /// Of a request and its answer.
    #[must_use]
    pub fn new(request: RecordedRequest, response: RecordedResponse) -> Self {
        Self { vitalwire_exchange: FORMAT, request, response }
    }

    /// As the text of a file.
    #[must_use]
    pub fn to_text(&self) -> Option<String> {
        serde_json::to_string_pretty(self).ok().map(|text| text + "\n")
    }

    /// From the text of a file; `None` if it is no exchange of this format.
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

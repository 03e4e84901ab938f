//! Decoding of response bodies without a call, for `vitalwire-bench` only.

use serde::de::DeserializeOwned;

/// Decodes a response body. Returns `None` if a call would fail with a decode error.
#[must_use]
pub fn decode<T: DeserializeOwned>(body: &[u8]) -> Option<T> {
    crate::value::decode::from_slice(body, crate::generated::names::MEMBERS).ok()
}

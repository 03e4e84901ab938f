//! For `vitalwire-bench` alone: reading a body as a call does, without a call.

use serde::de::DeserializeOwned;

/// Reads a body; `None` where a call would end with a decode error.
#[must_use]
pub fn decode<T: DeserializeOwned>(body: &[u8]) -> Option<T> {
    crate::value::decode::from_slice(body, crate::generated::names::MEMBERS).ok()
}

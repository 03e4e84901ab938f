//! Decoding of response bodies without a call, for `vitalwire-bench` only.

use crate::generated::names::MEMBERS;
use crate::value::decode::{Decode, FromBody, NullableList, from_slice};

/// Decodes a response body. Returns `None` if a call would fail with a decode error.
#[must_use]
pub fn decode<T: FromBody>(body: &[u8]) -> Option<T> {
    from_slice(body, MEMBERS).ok()
}

/// Decodes a response body that is a list.
#[must_use]
pub fn decode_list<T: Decode>(body: &[u8]) -> Option<Vec<T>> {
    decode(body).map(|NullableList(items)| items)
}

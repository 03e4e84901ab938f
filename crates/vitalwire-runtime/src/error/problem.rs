//! Decoding of problem details (RFC 9457). A field of an unexpected type does not invalidate the others.

use std::collections::BTreeMap;

use serde::de::IgnoredAny;

use super::ProblemDetails;
use crate::value::decode::{from_slice, without_byte_order_mark};

/// Decodes the body of an error response. Returns `None` if it is not a JSON object with a problem details field.
pub(crate) fn parse_problem(body: &[u8]) -> Option<ProblemDetails> {
    let body = without_byte_order_mark(body);
    let names = serde_json::from_slice::<BTreeMap<String, IgnoredAny>>(body).ok()?;
    if !ProblemDetails::MEMBERS.iter().any(|name| names.contains_key(*name)) {
        return None;
    }
    from_slice(body, &[]).ok()
}

#[cfg(test)]
mod tests;

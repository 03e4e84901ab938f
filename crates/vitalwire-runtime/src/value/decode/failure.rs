//! Failures to read a body: their places and their texts.

use super::reading::{Declared, EXCEEDED};

/// A failure to read a body. It contains nothing of the body.
#[derive(Debug, PartialEq, Eq)]
pub struct DecodeFailure {
    /// Place in the body, such as `statistics[3].from_timestamp`, or `byte 17` if it cannot be read further.
    pub place: String,
    /// The rule that is broken there. One of a fixed set of texts.
    pub reason: &'static str,
}

/// Messages of our own visitors. Any other message of a parser may contain a value and is not passed on.
const REASONS: [&str; 11] = [
    "expected a string",
    "expected true or false",
    "expected an integer",
    "expected a number",
    "expected a list",
    "expected an object",
    "expected a value",
    "expected a date-time",
    "expected a date",
    "missing",
    EXCEEDED,
];

/// Translates a parser's message for a place.
pub(super) fn describe(mut place: String, message: &str, names: Declared) -> DecodeFailure {
    if let Some(member) = missing_member(message, names) {
        if !place.is_empty() {
            place.push('.');
        }
        return DecodeFailure { place: place + member, reason: "missing" };
    }
    let reason = REASONS.iter().find(|reason| message.starts_with(*reason)).copied().unwrap_or("unreadable");
    DecodeFailure { place, reason }
}

/// The declared name in serde's "missing field `x`".
fn missing_member(message: &str, names: Declared) -> Option<&'static str> {
    let name = message.strip_prefix("missing field `")?.split('`').next()?;
    names.binary_search(&name).ok().and_then(|at| names.get(at).copied())
}

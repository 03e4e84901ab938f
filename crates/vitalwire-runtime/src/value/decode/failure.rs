//! Decode failures: location and reason.

use super::state::{Declared, EXCEEDED};

/// The reason why a body cannot be decoded. Contains no values of the body.
#[derive(Debug, PartialEq, Eq)]
pub struct DecodeFailure {
    /// Path of the value, such as `statistics[3].from_timestamp`, or `byte 17` if the JSON is malformed.
    pub place: String,
    /// The broken rule, from a fixed set of texts.
    pub reason: &'static str,
}

/// Messages of this crate's visitors. Other parser messages may contain a value and are replaced.
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

/// Translates a parser message for a location.
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

/// Returns the declared name in serde's message "missing field `x`".
fn missing_member(message: &str, names: Declared) -> Option<&'static str> {
    let name = message.strip_prefix("missing field `")?.split('`').next()?;
    names.binary_search(&name).ok().and_then(|at| names.get(at).copied())
}

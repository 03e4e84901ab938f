//! Decode failures: location and reason.

use super::decode_state::{DeclaredNames, TOO_MUCH_MEMORY};

/// The reason why a body cannot be decoded. Contains no values of the body.
#[derive(Debug, PartialEq, Eq)]
pub struct DecodeFailure {
    /// Path of the value, such as `statistics[3].from_timestamp`, or `byte 17` if the JSON is malformed.
    pub json_path: String,
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
    TOO_MUCH_MEMORY,
];

/// Translates a parser message for a location.
pub(super) fn decode_failure(mut json_path: String, message: &str, names: DeclaredNames) -> DecodeFailure {
    if let Some(field) = missing_field(message, names) {
        if !json_path.is_empty() {
            json_path.push('.');
        }
        return DecodeFailure { json_path: json_path + field, reason: "missing" };
    }
    let reason = REASONS.iter().find(|reason| message.starts_with(*reason)).copied().unwrap_or("unreadable");
    DecodeFailure { json_path, reason }
}

/// Returns the declared name in serde's message "missing field `x`".
fn missing_field(message: &str, names: DeclaredNames) -> Option<&'static str> {
    let name = message.strip_prefix("missing field `")?.split('`').next()?;
    names.binary_search(&name).ok().and_then(|at| names.get(at).copied())
}

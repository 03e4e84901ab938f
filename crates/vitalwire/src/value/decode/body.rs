//! A whole body: UTF-8 checked once, read fast, and read again with its path only where that failed.

use serde::de::DeserializeOwned;
use serde_json::error::Category;

use crate::generated::names::MEMBERS;

/// Why a body could not be read, without anything of the body.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct DecodeFailure {
    /// Where, for example `statistics[3].from_timestamp`; empty for the body as a whole.
    pub(crate) place: String,
    /// What is wrong there; one of a fixed set of texts.
    pub(crate) reason: &'static str,
}

/// What our own visitors say; anything else a parser says may hold a value and is not passed on.
const REASONS: [&str; 10] = [
    "expected a text",
    "expected true or false",
    "expected an integer",
    "expected a number",
    "expected a list",
    "expected an object",
    "expected a value",
    "expected a date-time",
    "expected a date",
    "missing",
];

/// Reads a body.
pub(crate) fn from_slice<T: DeserializeOwned>(body: &[u8]) -> Result<T, DecodeFailure> {
    let Ok(text) = simdutf8::basic::from_utf8(body) else {
        return Err(DecodeFailure { place: String::new(), reason: "not UTF-8" });
    };
    serde_json::from_str(text).map_err(|error| explain::<T>(text, &error))
}

fn explain<T: DeserializeOwned>(text: &str, error: &serde_json::Error) -> DecodeFailure {
    match error.classify() {
        Category::Eof if text.trim_ascii().is_empty() => DecodeFailure { place: String::new(), reason: "empty" },
        Category::Eof => DecodeFailure { place: String::new(), reason: "truncated JSON" },
        Category::Syntax | Category::Io => {
            let deep = error.to_string().starts_with("recursion limit exceeded");
            DecodeFailure { place: String::new(), reason: if deep { "nested too deeply" } else { "malformed JSON" } }
        }
        Category::Data => locate::<T>(text),
    }
}

fn locate<T: DeserializeOwned>(text: &str) -> DecodeFailure {
    let mut parser = serde_json::Deserializer::from_str(text);
    match serde_path_to_error::deserialize::<_, T>(&mut parser) {
        Ok(_) => DecodeFailure { place: String::new(), reason: "unreadable" },
        Err(error) => {
            let message = error.inner().to_string();
            let mut place = path_text(error.path());
            if let Some(member) = missing_member(&message) {
                if !place.is_empty() {
                    place.push('.');
                }
                place.push_str(member);
                return DecodeFailure { place, reason: "missing" };
            }
            let reason = REASONS.iter().find(|reason| message.starts_with(*reason)).copied().unwrap_or("unreadable");
            DecodeFailure { place, reason }
        }
    }
}

/// The declared name in serde's "missing field `x`".
fn missing_member(message: &str) -> Option<&'static str> {
    let name = message.strip_prefix("missing field `")?.split('`').next()?;
    declared(name)
}

fn declared(name: &str) -> Option<&'static str> {
    MEMBERS.binary_search(&name).ok().and_then(|at| MEMBERS.get(at).copied())
}

/// Names that the specification does not declare come from the service and might be personal: they are shown as `*`.
fn path_text(path: &serde_path_to_error::Path) -> String {
    use serde_path_to_error::Segment;
    let mut text = String::new();
    for segment in path {
        match segment {
            Segment::Seq { index } => text.push_str(&format!("[{index}]")),
            Segment::Map { key } => {
                if !text.is_empty() {
                    text.push('.');
                }
                text.push_str(declared(key).unwrap_or("*"));
            }
            Segment::Enum { .. } | Segment::Unknown => text.push('?'),
        }
    }
    text
}

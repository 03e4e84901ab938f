//! Decoding of values from their JSON text, in the second pass over a body.
//!
//! serde_json fails at a number beyond a double and at a lone surrogate, even if the value is ignored. It can only return the text of both.
//! They are rare, so the first pass does not handle them. In the second pass, such a leaf is a value of the wrong type.

use serde::de::{Deserializer, Error, Visitor};

use super::skipped::DecodeCheckpoint;
use super::{json_path, raw_text};

/// Messages of serde_json for a leaf that can only be read as text.
const LEAF_ERRORS: [&str; 3] = ["number out of range", "lone leading surrogate", "unexpected end of hex escape"];

/// Whether the error concerns a leaf that can only be read as text.
pub(crate) fn is_unreadable_leaf(error: &serde_json::Error) -> bool {
    error.is_syntax() && {
        let message = error.to_string();
        LEAF_ERRORS.iter().any(|stop| message.starts_with(stop))
    }
}

/// Reads a value as text and passes it to a visitor. Returns `None` for a leaf that can only be read as text.
pub(crate) fn visit_via_text<'de, V, T, D: Deserializer<'de>>(deserializer: D, visitor: V) -> Result<Option<T>, D::Error>
where
    V: for<'text> Visitor<'text, Value = T>,
{
    visit(&raw_text::read_text(deserializer)?, visitor)
}

/// Reads an object or a list as text and passes it to a visitor. Returns the visitor for any other value.
#[cold]
pub(crate) fn visit_container_via_text<'de, V, T, D: Deserializer<'de>>(deserializer: D, visitor: V) -> Result<Result<T, V>, D::Error>
where
    V: for<'text> Visitor<'text, Value = T>,
{
    let text = raw_text::read_text(deserializer)?;
    match text.as_bytes() {
        [b'{' | b'[', ..] => (&mut serde_json::Deserializer::from_str(&text)).deserialize_any(visitor).map(Ok).map_err(D::Error::custom),
        b"null" => visitor.visit_unit().map(Ok),
        _ => Ok(Err(visitor)),
    }
}

/// Passes the value of a JSON text to a visitor. Returns `None` for a leaf that can only be read as text.
pub(super) fn visit<'text, V: Visitor<'text>, E: Error>(text: &'text str, visitor: V) -> Result<Option<V::Value>, E> {
    let checkpoint = DecodeCheckpoint::new();
    match (&mut serde_json::Deserializer::from_str(text)).deserialize_any(visitor) {
        Ok(value) => Ok(Some(value)),
        Err(error) if is_unreadable_leaf(&error) => {
            json_path::discard();
            checkpoint.discard_items();
            Ok(None)
        }
        Err(error) => Err(E::custom(error)),
    }
}

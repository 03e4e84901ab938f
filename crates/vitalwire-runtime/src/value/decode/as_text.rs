//! Decoding by way of the JSON text, in the second pass over a body.
//!
//! serde_json stops at a number beyond a double and at a lone surrogate, even if the value is to be ignored, but it can return the text of
//! both. They are rare, so the first pass does not look for them. In the second pass, such a leaf is a value of the wrong type.

use serde::de::{Deserializer, Error, Visitor};

use super::skipped::Mark;
use super::{place, raw};

/// Messages of serde_json for a leaf that can only be read as text.
const STOPS: [&str; 3] = ["number out of range", "lone leading surrogate", "unexpected end of hex escape"];

/// Whether the error concerns a leaf that can only be read as text.
pub(crate) fn is_leaf(error: &serde_json::Error) -> bool {
    error.is_syntax() && {
        let message = error.to_string();
        STOPS.iter().any(|stop| message.starts_with(stop))
    }
}

/// Passes a value to a visitor by way of its text. Returns `None` for a leaf that can only be read as text.
pub(crate) fn text_first<'de, V, T, D: Deserializer<'de>>(deserializer: D, visitor: V) -> Result<Option<T>, D::Error>
where
    V: for<'text> Visitor<'text, Value = T>,
{
    visit(&raw::text(deserializer)?, visitor)
}

/// Passes an object or a list to a visitor by way of its text. Returns the visitor for any other value.
#[cold]
pub(crate) fn container_first<'de, V, T, D: Deserializer<'de>>(deserializer: D, visitor: V) -> Result<Result<T, V>, D::Error>
where
    V: for<'text> Visitor<'text, Value = T>,
{
    let text = raw::text(deserializer)?;
    match text.as_bytes() {
        [b'{' | b'[', ..] => (&mut serde_json::Deserializer::from_str(&text)).deserialize_any(visitor).map(Ok).map_err(D::Error::custom),
        b"null" => visitor.visit_unit().map(Ok),
        _ => Ok(Err(visitor)),
    }
}

/// Passes the value of a JSON text to a visitor. Returns `None` for a leaf that can only be read as text.
pub(super) fn visit<'text, V: Visitor<'text>, E: Error>(text: &'text str, visitor: V) -> Result<Option<V::Value>, E> {
    let mark = Mark::set();
    match (&mut serde_json::Deserializer::from_str(text)).deserialize_any(visitor) {
        Ok(value) => Ok(Some(value)),
        Err(error) if is_leaf(&error) => {
            place::forget();
            mark.forget_items();
            Ok(None)
        }
        Err(error) => Err(E::custom(error)),
    }
}

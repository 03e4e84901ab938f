//! Values taken as text first, in a body that is read for the second time.
//!
//! serde_json stops at a number beyond a double and at half a surrogate pair, whatever it was asked to read them as, but hands out
//! the text of either. They are rare, so the first reading does not look out for them; in the second such a leaf is a value of the
//! wrong type.

use serde::de::{Deserializer, Error, Visitor};

use super::lenient::{Lenient, LenientVisitor};
use super::reading::refund;
use super::skipped::Mark;
use super::{Decode, Kind, place, raw};

/// What serde_json says of a leaf that only its text can be had of.
const STOPS: [&str; 3] = ["number out of range", "lone leading surrogate", "unexpected end of hex escape"];

/// Whether an error is of a leaf that only its text can be had of.
pub(crate) fn is_leaf(error: &serde_json::Error) -> bool {
    error.is_syntax() && {
        let message = error.to_string();
        STOPS.iter().any(|stop| message.starts_with(stop))
    }
}

/// A value, as text first.
#[cold]
pub(super) fn value<'de, T: Decode, D: Deserializer<'de>>(deserializer: D) -> Result<Lenient<T>, D::Error> {
    let text = raw::text(deserializer)?;
    if T::KIND == Kind::Any {
        return Ok(if text == "null" { Lenient::Null } else { T::json(text.into()).map_or_else(Lenient::Other, Lenient::Fits) });
    }
    match parse(&text)? {
        Some(Lenient::Fits(value)) => {
            refund(text.len());
            Ok(Lenient::Fits(value))
        }
        Some(Lenient::Null) => Ok(Lenient::Null),
        // The text itself, not as it was written again.
        Some(Lenient::Other(_)) | None => Ok(Lenient::Other(text.into())),
    }
}

/// Reads a list item from its text.
pub(super) fn item<T: Decode, E: Error>(text: &str) -> Result<T, E> {
    let read = match T::KIND {
        Kind::Any if text == "null" => Lenient::Null,
        Kind::Any => T::json(text.into()).map_or_else(Lenient::Other, Lenient::Fits),
        _ => parse(text)?.unwrap_or_else(|| Lenient::Other(Box::default())),
    };
    match read {
        Lenient::Fits(value) => Ok(value),
        Lenient::Null => T::gap().ok_or_else(|| E::custom(T::EXPECTED)),
        Lenient::Other(_) => Err(E::custom(T::EXPECTED)),
    }
}

/// Gives a value to a visitor, by way of its text; `None` for a leaf that only its text can be had of.
pub(crate) fn text_first<'de, V, T, D: Deserializer<'de>>(deserializer: D, visitor: V) -> Result<Option<T>, D::Error>
where
    V: for<'text> Visitor<'text, Value = T>,
{
    visit(&raw::text(deserializer)?, visitor)
}

/// Gives an object or a list to a visitor, by way of its text. Of any other value the visitor comes back.
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

/// Reads a value from its text; `None` for a leaf that only its text can be had of.
fn parse<T: Decode, E: Error>(text: &str) -> Result<Option<Lenient<T>>, E> {
    visit(text, LenientVisitor::new())
}

fn visit<'text, V: Visitor<'text>, E: Error>(text: &'text str, visitor: V) -> Result<Option<V::Value>, E> {
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

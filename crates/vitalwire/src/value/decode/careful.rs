//! Reading a body a second time where a number in it is beyond what a double holds.
//!
//! serde_json stops at such a number, whatever it was asked to read it as. It is rare, so the first reading does not look out for
//! it; the second takes each leaf as text first, and one whose number is too large is a value of the wrong type.

use std::cell::Cell;

use serde::de::{Deserializer, Error, Visitor};

use super::lenient::{Lenient, LenientVisitor};
use super::{Decode, Kind, raw};

thread_local! {
    /// Whether a body is read for the second time on this thread.
    static CAREFUL: Cell<bool> = const { Cell::new(false) };
}

/// Whether leaves are to be taken as text first.
#[inline]
pub(crate) fn is_careful() -> bool {
    CAREFUL.get()
}

/// Runs `read`, carefully or not.
pub(super) fn reading<T>(careful: bool, read: impl FnOnce() -> T) -> T {
    let before = CAREFUL.replace(careful);
    let result = read();
    CAREFUL.set(before);
    result
}

/// Whether a number was too large for a double.
pub(super) fn is_out_of_range(error: &serde_json::Error) -> bool {
    error.is_syntax() && error.to_string().starts_with("number out of range")
}

/// A leaf, as text first.
#[cold]
pub(super) fn leaf<'de, T: Decode<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Lenient<T>, D::Error> {
    let text = raw::text(deserializer)?;
    if T::KIND == Kind::Any {
        return Ok(if text == "null" { Lenient::Null } else { T::json(text.into()).map_or_else(Lenient::Other, Lenient::Fits) });
    }
    match parse(&text)? {
        Some(Lenient::Fits(value)) => Ok(Lenient::Fits(value)),
        Some(Lenient::Null) => Ok(Lenient::Null),
        // The text itself, not as it was written again.
        Some(Lenient::Other(_)) | None => Ok(Lenient::Other(text.into())),
    }
}

/// Gives a value to a visitor, by way of its text; `None` for a number that is too large.
pub(crate) fn text_first<'de, V: Visitor<'de>, D: Deserializer<'de>>(deserializer: D, visitor: V) -> Result<Option<V::Value>, D::Error> {
    visit(&raw::text(deserializer)?, visitor)
}

/// Reads a value from its text; `None` for a number that is too large.
pub(super) fn parse<'de, T: Decode<'de>, E: Error>(text: &str) -> Result<Option<Lenient<T>>, E> {
    visit(text, LenientVisitor::new())
}

fn visit<'de, V: Visitor<'de>, E: Error>(text: &str, visitor: V) -> Result<Option<V::Value>, E> {
    // From a reader: nothing read from it can borrow the text.
    match serde_json::Deserializer::from_reader(text.as_bytes()).deserialize_any(visitor) {
        Ok(value) => Ok(Some(value)),
        Err(error) if is_out_of_range(&error) => Ok(None),
        Err(error) => Err(E::custom(error)),
    }
}

//! Values at a cursor.

use serde::de::Visitor;

use super::access::Items;
use super::{Cursor, FastPathError, Result, Token};
use crate::value::decode::decode_state::charge;
use crate::value::decode::lists::required_items;
use crate::value::decode::strict_value::StrictVisitor;
use crate::value::decode::{Decode, Kind, LenientValue, ParsedNumber};

/// Decodes a value that may be of the wrong type.
#[inline]
pub(super) fn lenient<T: Decode>(cursor: &mut Cursor<'_>) -> Result<LenientValue<T>> {
    if T::KIND == Kind::Any {
        return Ok(match any(cursor)? {
            "null" => LenientValue::Null,
            text => T::json(text.into()).map_or_else(LenientValue::WrongType, LenientValue::Valid),
        });
    }
    let token = cursor.token()?;
    let start = cursor.position();
    let value = match token {
        Token::Object => object(cursor)?.ok(),
        Token::List => list(cursor)?.ok(),
        Token::String => T::text(&cursor.string()?),
        Token::Number => cursor.number()?.decode(),
        Token::Null => return cursor.word(token).map(|()| LenientValue::Null),
        Token::True | Token::False => cursor.word(token).map(|()| T::boolean(token == Token::True))?,
    };
    match value {
        Some(value) => Ok(LenientValue::Valid(value)),
        None => wrong_type(cursor, start),
    }
}

/// Returns the text of a value as received, as the second pass over a body does.
#[cold]
fn wrong_type<T>(cursor: &Cursor<'_>, start: usize) -> Result<LenientValue<T>> {
    cursor.text_since(start).map(|text| LenientValue::WrongType(text.into()))
}

/// Decodes a value that must be of the expected type. `null` returns the value of a null.
#[inline]
pub(in crate::value::decode) fn strict<T: Decode>(cursor: &mut Cursor<'_>, null: fn() -> Option<T>) -> Result<T> {
    if T::KIND == Kind::Any {
        return match any(cursor)? {
            "null" => null().ok_or(FastPathError::Invalid),
            text => T::json(text.into()).map_err(|_| FastPathError::Invalid),
        };
    }
    let read = match cursor.token()? {
        Token::Object => object(cursor)?,
        Token::List => list(cursor)?,
        token => return leaf(cursor, token, StrictVisitor { null }),
    };
    read.map_err(|_| FastPathError::Invalid)
}

/// Decodes a list. `null` is an empty list.
#[inline]
pub(in crate::value::decode) fn strict_list<T: Decode>(cursor: &mut Cursor<'_>) -> Result<Vec<T>> {
    lenient(cursor).and_then(required_items)
}

/// Reads a value that is kept as text.
fn any<'t>(cursor: &mut Cursor<'t>) -> Result<&'t str> {
    let text = cursor.value_text()?;
    charge::<FastPathError>(text.len()).map(|()| text)
}

#[inline]
fn object<T: Decode>(cursor: &mut Cursor<'_>) -> Result<std::result::Result<T, Box<str>>> {
    let mut fields = Items::begin(cursor, b'{', b'}')?;
    let value = T::object(&mut fields)?;
    if fields.is_ended() { Ok(value) } else { Err(FastPathError::Invalid) }
}

#[inline]
fn list<T: Decode>(cursor: &mut Cursor<'_>) -> Result<std::result::Result<T, Box<str>>> {
    let mut items = Items::begin(cursor, b'[', b']')?;
    let value = T::array(&mut items)?;
    if items.is_ended() { Ok(value) } else { Err(FastPathError::Invalid) }
}

/// Passes a single value to a visitor.
#[inline]
fn leaf<'t, V: Visitor<'t>>(cursor: &mut Cursor<'t>, token: Token, visitor: V) -> Result<V::Value> {
    match token {
        Token::String => visitor.visit_str(&cursor.string()?),
        Token::Number => match cursor.number()? {
            ParsedNumber::Double(value) => visitor.visit_f64(value),
            ParsedNumber::Unsigned(value) => visitor.visit_u64(value),
            ParsedNumber::Signed(value) => visitor.visit_i64(value),
        },
        Token::Null => cursor.word(Token::Null).and_then(|()| visitor.visit_unit()),
        Token::True | Token::False => cursor.word(token).and_then(|()| visitor.visit_bool(token == Token::True)),
        Token::List | Token::Object => Err(FastPathError::Invalid),
    }
}

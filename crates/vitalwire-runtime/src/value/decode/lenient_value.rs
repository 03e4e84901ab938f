//! Values of optional fields, which may be of the wrong type.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::decode_state::{DecodeMode, mode, refund};
use super::number::{self, ObjectOrNumber, ParsedNumber};
use super::strict_value::unexpected;
use super::{Decode, Kind, SerdeList, SerdeObject, raw_text, via_text};

/// A value that may be of the wrong type.
pub enum LenientValue<T> {
    /// A value of the expected type.
    Valid(T),
    /// `null`.
    Null,
    /// Any other value, as JSON text.
    WrongType(Box<str>),
}

pub(super) struct LenientVisitor<T>(PhantomData<T>);

impl<T> LenientVisitor<T> {
    #[inline]
    pub(super) fn new() -> Self {
        Self(PhantomData)
    }
}

#[cold]
fn wrong_type<T>(text: impl Into<Box<str>>) -> LenientValue<T> {
    LenientValue::WrongType(text.into())
}

/// Returns a value of the wrong type that serde serialized again. Its spelling may differ, and a double may have fewer digits than its
/// text. The first pass over a body therefore fails, and the second pass keeps the text as received.
#[cold]
fn respelled<T: Decode, E: Error>(text: impl Into<Box<str>>) -> Result<LenientValue<T>, E> {
    if mode() == DecodeMode::Quick { Err(unexpected::<T, E>()) } else { Ok(wrong_type(text)) }
}

impl<'de, T: Decode> Visitor<'de> for LenientVisitor<T> {
    type Value = LenientValue<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
        Ok(T::boolean(value).map_or_else(|| wrong_type(value.to_string()), LenientValue::Valid))
    }

    #[inline]
    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        Ok(T::integer(value).map_or_else(|| wrong_type(value.to_string()), LenientValue::Valid))
    }

    #[inline]
    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        Ok(T::unsigned(value).map_or_else(|| wrong_type(value.to_string()), LenientValue::Valid))
    }

    #[inline]
    fn visit_f64<E: Error>(self, value: f64) -> Result<Self::Value, E> {
        T::number(value).map_or_else(|| respelled(raw_text::number_text(value)), |value| Ok(LenientValue::Valid(value)))
    }

    #[inline]
    fn visit_str<E: Error>(self, value: &str) -> Result<Self::Value, E> {
        T::text(value).map_or_else(|| respelled(raw_text::quote(value)), |value| Ok(LenientValue::Valid(value)))
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(LenientValue::Null)
    }

    #[inline]
    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Self::Value, A::Error> {
        T::array(SerdeList(items))?.map_or_else(respelled, |value| Ok(LenientValue::Valid(value)))
    }

    #[inline]
    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<Self::Value, A::Error> {
        match number::object_or_number(fields)? {
            ObjectOrNumber::Object(fields) => {
                T::object(SerdeObject(fields))?.map_or_else(respelled, |value| Ok(LenientValue::Valid(value)))
            }
            ObjectOrNumber::Number(text) => {
                let value = number::parse(&text).and_then(ParsedNumber::decode);
                Ok(value.map_or_else(|| wrong_type(text), LenientValue::Valid))
            }
        }
    }
}

impl<'de, T: Decode> Deserialize<'de> for LenientValue<T> {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if T::KIND == Kind::Any || mode().as_text() {
            return read_as_text(deserializer);
        }
        deserializer.deserialize_any(LenientVisitor::new())
    }
}

/// Reads a value as text, then decodes the text.
#[cold]
pub(super) fn read_as_text<'de, T: Decode, D: Deserializer<'de>>(deserializer: D) -> Result<LenientValue<T>, D::Error> {
    let text = raw_text::read_text(deserializer)?;
    if T::KIND == Kind::Any {
        return Ok(if text == "null" {
            LenientValue::Null
        } else {
            T::json(text.into()).map_or_else(LenientValue::WrongType, LenientValue::Valid)
        });
    }
    match parse(&text)? {
        Some(LenientValue::Valid(value)) => {
            refund(text.len());
            Ok(LenientValue::Valid(value))
        }
        Some(LenientValue::Null) => Ok(LenientValue::Null),
        // Keep the original text instead of serializing the value again.
        Some(LenientValue::WrongType(_)) | None => Ok(LenientValue::WrongType(text.into())),
    }
}

/// Decodes a value from its text. Returns `None` for a leaf that can only be read as text.
pub(super) fn parse<T: Decode, E: Error>(text: &str) -> Result<Option<LenientValue<T>>, E> {
    via_text::visit(text, LenientVisitor::new())
}

//! Values of optional fields, which may be of the wrong type.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::decode_state::{mode, refund};
use super::number::{self, ObjectOrNumber};
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
    fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
        Ok(T::number(value).map_or_else(|| wrong_type(raw_text::number_text(value)), LenientValue::Valid))
    }

    #[inline]
    fn visit_str<E>(self, value: &str) -> Result<Self::Value, E> {
        Ok(T::text(value).map_or_else(|| wrong_type(raw_text::quote(value)), LenientValue::Valid))
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(LenientValue::Null)
    }

    #[inline]
    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Self::Value, A::Error> {
        Ok(T::array(SerdeList(items))?.map_or_else(LenientValue::WrongType, LenientValue::Valid))
    }

    #[inline]
    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<Self::Value, A::Error> {
        match number::object_or_number(fields)? {
            ObjectOrNumber::Object(fields) => Ok(T::object(SerdeObject(fields))?.map_or_else(LenientValue::WrongType, LenientValue::Valid)),
            ObjectOrNumber::Number(text) => match number::visit(&text, self)? {
                Some(LenientValue::Valid(value)) => Ok(LenientValue::Valid(value)),
                _ => Ok(wrong_type(text)),
            },
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

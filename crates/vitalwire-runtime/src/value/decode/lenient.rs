//! Values of optional fields, which may be of the wrong type.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::number::{self, Object};
use super::state::{mode, refund};
use super::{Decode, Kind, as_text, raw};

/// A value that may be of the wrong type.
pub enum Lenient<T> {
    /// A value of the expected type.
    Fits(T),
    /// `null`.
    Null,
    /// Any other value, as JSON text.
    Other(Box<str>),
}

struct LenientVisitor<T>(PhantomData<T>);

impl<T> LenientVisitor<T> {
    #[inline]
    fn new() -> Self {
        Self(PhantomData)
    }
}

#[cold]
fn other<T>(text: impl Into<Box<str>>) -> Lenient<T> {
    Lenient::Other(text.into())
}

impl<'de, T: Decode> Visitor<'de> for LenientVisitor<T> {
    type Value = Lenient<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
        Ok(T::boolean(value).map_or_else(|| other(value.to_string()), Lenient::Fits))
    }

    #[inline]
    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        Ok(T::integer(value).map_or_else(|| other(value.to_string()), Lenient::Fits))
    }

    #[inline]
    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        Ok(T::unsigned(value).map_or_else(|| other(value.to_string()), Lenient::Fits))
    }

    #[inline]
    fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
        Ok(T::number(value).map_or_else(|| other(raw::number(value)), Lenient::Fits))
    }

    #[inline]
    fn visit_str<E>(self, value: &str) -> Result<Self::Value, E> {
        Ok(T::text(value).map_or_else(|| other(raw::quoted(value)), Lenient::Fits))
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Lenient::Null)
    }

    #[inline]
    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Self::Value, A::Error> {
        Ok(T::array(items)?.map_or_else(Lenient::Other, Lenient::Fits))
    }

    #[inline]
    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<Self::Value, A::Error> {
        match number::object(members)? {
            Object::Members(members) => Ok(T::object(members)?.map_or_else(Lenient::Other, Lenient::Fits)),
            Object::Number(text) => match number::visit(&text, self)? {
                Some(Lenient::Fits(value)) => Ok(Lenient::Fits(value)),
                _ => Ok(other(text)),
            },
        }
    }
}

impl<'de, T: Decode> Deserialize<'de> for Lenient<T> {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if T::KIND == Kind::Any || mode().as_text() {
            return read_as_text(deserializer);
        }
        deserializer.deserialize_any(LenientVisitor::new())
    }
}

/// Decodes a value by way of its text.
#[cold]
pub(super) fn read_as_text<'de, T: Decode, D: Deserializer<'de>>(deserializer: D) -> Result<Lenient<T>, D::Error> {
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
        // Keep the original text instead of serializing the value again.
        Some(Lenient::Other(_)) | None => Ok(Lenient::Other(text.into())),
    }
}

/// Decodes a value from its text. Returns `None` for a leaf that can only be read as text.
pub(super) fn parse<T: Decode, E: Error>(text: &str) -> Result<Option<Lenient<T>>, E> {
    as_text::visit(text, LenientVisitor::new())
}

//! Values of required fields and list items, which must be of the expected type.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::decode_state::mode;
use super::lenient_value::{LenientValue, parse, read_as_text};
use super::number::{self, ObjectOrNumber};
use super::{Decode, Kind, SerdeList, SerdeObject};

/// A value that must be of the expected type. Errors do not contain the actual value.
pub struct StrictValue<T>(pub T);

/// Decodes a list item, which must be of the expected type or a gap.
pub struct ItemSeed<T> {
    as_text: bool,
    item: PhantomData<T>,
}

impl<T> ItemSeed<T> {
    /// Creates a seed. The mode is looked up once per list.
    pub(super) fn new() -> Self {
        Self { as_text: mode().as_text(), item: PhantomData }
    }
}

impl<T> Clone for ItemSeed<T> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for ItemSeed<T> {}

impl<'de, T: Decode> DeserializeSeed<'de> for ItemSeed<T> {
    type Value = T;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        deserialize_strict(deserializer, self.as_text, T::gap)
    }
}

pub(super) struct StrictVisitor<T> {
    /// Returns the value for null, if null is allowed.
    pub(super) null: fn() -> Option<T>,
}

/// Creates the error for a value of the wrong type.
#[cold]
pub(super) fn unexpected<T: Decode, E: Error>() -> E {
    E::custom(T::EXPECTED)
}

impl<'de, T: Decode> Visitor<'de> for StrictVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<T, E> {
        T::boolean(value).ok_or_else(unexpected::<T, E>)
    }

    #[inline]
    fn visit_i64<E: Error>(self, value: i64) -> Result<T, E> {
        T::integer(value).ok_or_else(unexpected::<T, E>)
    }

    #[inline]
    fn visit_u64<E: Error>(self, value: u64) -> Result<T, E> {
        T::unsigned(value).ok_or_else(unexpected::<T, E>)
    }

    #[inline]
    fn visit_f64<E: Error>(self, value: f64) -> Result<T, E> {
        T::number(value).ok_or_else(unexpected::<T, E>)
    }

    #[inline]
    fn visit_str<E: Error>(self, value: &str) -> Result<T, E> {
        T::text(value).ok_or_else(unexpected::<T, E>)
    }

    fn visit_unit<E: Error>(self) -> Result<T, E> {
        (self.null)().ok_or_else(unexpected::<T, E>)
    }

    #[inline]
    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<T, A::Error> {
        T::array(SerdeList(items))?.map_err(|_| unexpected::<T, A::Error>())
    }

    #[inline]
    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<T, A::Error> {
        match number::object_or_number(fields)? {
            ObjectOrNumber::Object(fields) => T::object(SerdeObject(fields))?.map_err(|_| unexpected::<T, A::Error>()),
            ObjectOrNumber::Number(text) => number::visit(&text, self)?.ok_or_else(unexpected::<T, A::Error>),
        }
    }
}

impl<'de, T: Decode> Deserialize<'de> for StrictValue<T> {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize_strict(deserializer, mode().as_text(), || None).map(Self)
    }
}

/// Decodes a value that must be of the expected type.
#[inline]
pub fn deserialize<'de, T: Decode, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    deserialize_strict(deserializer, mode().as_text(), || None)
}

#[inline]
fn deserialize_strict<'de, T: Decode, D: Deserializer<'de>>(
    deserializer: D,
    as_text: bool,
    null: fn() -> Option<T>,
) -> Result<T, D::Error> {
    if T::KIND == Kind::Any || T::KIND == Kind::Leaf && as_text {
        return match read_as_text(deserializer)? {
            LenientValue::Valid(value) => Ok(value),
            LenientValue::Null => null().ok_or_else(unexpected::<T, D::Error>),
            LenientValue::WrongType(_) => Err(unexpected::<T, D::Error>()),
        };
    }
    deserializer.deserialize_any(StrictVisitor { null })
}

pub(super) fn parse_item<T: Decode, E: Error>(text: &str) -> Result<T, E> {
    let read = match T::KIND {
        Kind::Any if text == "null" => LenientValue::Null,
        Kind::Any => T::json(text.into()).map_or_else(LenientValue::WrongType, LenientValue::Valid),
        _ => parse(text)?.unwrap_or_else(|| LenientValue::WrongType(Box::default())),
    };
    match read {
        LenientValue::Valid(value) => Ok(value),
        LenientValue::Null => T::gap().ok_or_else(|| E::custom(T::EXPECTED)),
        LenientValue::WrongType(_) => Err(E::custom(T::EXPECTED)),
    }
}

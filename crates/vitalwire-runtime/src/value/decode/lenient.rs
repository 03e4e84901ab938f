//! The visitors behind every leaf: one that takes whatever comes, one for what has to fit.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::lists::Required;
use super::number::{self, Object};
use super::reading::mode;
use super::{Decode, Kind, as_text, raw};

/// A value that may be of the wrong type.
pub enum Lenient<T> {
    /// It was of the expected type.
    Fits(T),
    /// It was `null`.
    Null,
    /// It was something else, kept as JSON text.
    Other(Box<str>),
}

pub(super) struct LenientVisitor<T>(PhantomData<T>);

impl<T> LenientVisitor<T> {
    #[inline]
    pub(super) fn new() -> Self {
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
            return as_text::value(deserializer);
        }
        deserializer.deserialize_any(LenientVisitor::new())
    }
}

/// A value that must be of the expected type. An error never holds what was there instead.
pub struct Strict<T>(pub T);

/// Reads an item of a list, which must be of the expected type; a null may be a gap.
pub(super) struct ItemSeed<T> {
    as_text: bool,
    item: PhantomData<T>,
}

impl<T> ItemSeed<T> {
    /// Of lists that are read now: looking how is not for each number of a series.
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
        strictly(deserializer, self.as_text, T::gap)
    }
}

struct StrictVisitor<T> {
    /// What a null is.
    null: fn() -> Option<T>,
}

#[cold]
fn unexpected<T: Decode, E: Error>() -> E {
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
        T::array(items)?.map_err(|_| unexpected::<T, A::Error>())
    }

    #[inline]
    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<T, A::Error> {
        match number::object(members)? {
            Object::Members(members) => T::object(members)?.map_err(|_| unexpected::<T, A::Error>()),
            Object::Number(text) => number::visit(&text, self)?.ok_or_else(unexpected::<T, A::Error>),
        }
    }
}

impl<'de, T: Decode> Deserialize<'de> for Strict<T> {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize(deserializer).map(Self)
    }
}

/// Reads a value that must be of the expected type.
#[inline]
pub fn deserialize<'de, T: Decode, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    strictly(deserializer, mode().as_text(), || None)
}

#[inline]
fn strictly<'de, T: Decode, D: Deserializer<'de>>(deserializer: D, as_text: bool, null: fn() -> Option<T>) -> Result<T, D::Error> {
    if T::KIND == Kind::Any || T::KIND == Kind::Leaf && as_text {
        return match as_text::value(deserializer)? {
            Lenient::Fits(value) => Ok(value),
            Lenient::Null => null().ok_or_else(unexpected::<T, D::Error>),
            Lenient::Other(_) => Err(unexpected::<T, D::Error>()),
        };
    }
    deserializer.deserialize_any(StrictVisitor { null })
}

/// A list that must be one, without the items that cannot be decoded; `null` is an empty one. It fails where it stands, so that an
/// error names its place.
pub struct NullIsEmpty<T>(pub Vec<T>);

impl<'de, T: Decode> Deserialize<'de> for NullIsEmpty<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Lenient::<Required<T>>::deserialize(deserializer)? {
            Lenient::Fits(Required(items)) => Ok(Self(items)),
            Lenient::Null => Ok(Self(Vec::new())),
            Lenient::Other(_) => Err(unexpected::<Vec<T>, D::Error>()),
        }
    }
}

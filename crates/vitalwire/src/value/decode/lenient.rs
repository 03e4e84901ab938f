//! The visitors behind every leaf: one that takes whatever comes, one for what has to fit.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::lists::Strictly;
use super::{Decode, Kind, careful, raw};

/// A value that may be of the wrong type.
pub(crate) enum Lenient<T> {
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

impl<'de, T: Decode<'de>> Visitor<'de> for LenientVisitor<T> {
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
        Ok(T::object(members)?.map_or_else(Lenient::Other, Lenient::Fits))
    }
}

impl<'de, T: Decode<'de>> Deserialize<'de> for Lenient<T> {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if T::KIND == Kind::Any || T::KIND == Kind::Leaf && careful::is_careful() {
            return careful::leaf(deserializer);
        }
        deserializer.deserialize_any(LenientVisitor::new())
    }
}

/// A value that must be of the expected type. An error never holds what was there instead.
pub(crate) struct Strict<T>(pub(crate) T);

struct StrictVisitor<T>(PhantomData<T>);

#[cold]
fn unexpected<'de, T: Decode<'de>, E: Error>() -> E {
    E::custom(T::EXPECTED)
}

impl<'de, T: Decode<'de>> Visitor<'de> for StrictVisitor<T> {
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
        Err(unexpected::<T, E>())
    }

    #[inline]
    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<T, A::Error> {
        T::array(items)?.map_err(|_| unexpected::<T, A::Error>())
    }

    #[inline]
    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<T, A::Error> {
        T::object(members)?.map_err(|_| unexpected::<T, A::Error>())
    }
}

impl<'de, T: Decode<'de>> Deserialize<'de> for Strict<T> {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize(deserializer).map(Self)
    }
}

/// A list that must be one, of items that fit; `null` is an empty one. It fails where it stands, so that an error names its place.
pub(crate) struct NullIsEmpty<T>(pub(crate) Vec<T>);

impl<'de, T: Decode<'de>> Deserialize<'de> for NullIsEmpty<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Lenient::<Strictly<T>>::deserialize(deserializer)? {
            Lenient::Fits(Strictly(items)) => Ok(Self(items)),
            Lenient::Null => Ok(Self(Vec::new())),
            Lenient::Other(_) => Err(unexpected::<Vec<T>, D::Error>()),
        }
    }
}

/// Reads a value that must be of the expected type.
#[inline]
pub(crate) fn deserialize<'de, T: Decode<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    if T::KIND == Kind::Any {
        return match careful::leaf(deserializer)? {
            Lenient::Fits(value) => Ok(value),
            Lenient::Null | Lenient::Other(_) => Err(unexpected::<T, D::Error>()),
        };
    }
    deserializer.deserialize_any(StrictVisitor(PhantomData))
}

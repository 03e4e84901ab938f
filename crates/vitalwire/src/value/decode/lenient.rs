//! The one visitor behind every leaf.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use super::Decode;

/// A value that may be of the wrong type.
pub(crate) enum Lenient<T> {
    /// It was of the expected type.
    Fits(T),
    /// It was `null`.
    Null,
    /// It was something else, kept as it was.
    Other(Value),
}

struct LenientVisitor<T>(PhantomData<T>);

/// Gives a plain value to a type that takes everything, else keeps it.
fn other<'de, T: Decode<'de>>(value: Value) -> Lenient<T> {
    T::any(value).map_or_else(Lenient::Other, Lenient::Fits)
}

impl<'de, T: Decode<'de>> Visitor<'de> for LenientVisitor<T> {
    type Value = Lenient<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
        Ok(T::boolean(value).map_or_else(|| other(Value::Bool(value)), Lenient::Fits))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        Ok(T::integer(value).map_or_else(|| other(value.into()), Lenient::Fits))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        let fits = i64::try_from(value).map_or_else(|_| T::unsigned(value), T::integer);
        Ok(fits.map_or_else(|| other(value.into()), Lenient::Fits))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
        Ok(T::number(value).map_or_else(|| other(value.into()), Lenient::Fits))
    }

    fn visit_str<E>(self, value: &str) -> Result<Self::Value, E> {
        Ok(T::text(value).map_or_else(|| other(value.into()), Lenient::Fits))
    }

    fn visit_string<E>(self, value: String) -> Result<Self::Value, E> {
        Ok(T::owned_text(value).map_or_else(|value| other(value.into()), Lenient::Fits))
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Lenient::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Self::Value, A::Error> {
        Ok(T::array(items)?.map_or_else(other, Lenient::Fits))
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<Self::Value, A::Error> {
        Ok(T::object(members)?.map_or_else(other, Lenient::Fits))
    }
}

impl<'de, T: Decode<'de>> Deserialize<'de> for Lenient<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(LenientVisitor(PhantomData))
    }
}

/// A value that must be of the expected type.
pub(crate) struct Strict<T>(pub(crate) T);

impl<'de, T: Decode<'de>> Deserialize<'de> for Strict<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize(deserializer).map(Self)
    }
}

/// A list that must be one; `null` is an empty one. It fails where it stands, so that an error names its place.
pub(crate) struct NullIsEmpty<T>(pub(crate) Vec<T>);

impl<'de, T: Decode<'de>> Deserialize<'de> for NullIsEmpty<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Lenient::<Vec<T>>::deserialize(deserializer)? {
            Lenient::Fits(items) => Ok(Self(items)),
            Lenient::Null => Ok(Self(Vec::new())),
            Lenient::Other(_) => Err(D::Error::custom(<Vec<T> as Decode>::EXPECTED)),
        }
    }
}

/// Reads a value that must be of the expected type; the error never holds what was there instead.
pub(crate) fn deserialize<'de, T: Decode<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    match Lenient::deserialize(deserializer)? {
        Lenient::Fits(value) => Ok(value),
        Lenient::Null | Lenient::Other(_) => Err(D::Error::custom(T::EXPECTED)),
    }
}

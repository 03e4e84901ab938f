//! Reading JSON into models.
//!
//! One rule for every member (architecture, rule 5): a value of the wrong type in an optional member is kept in `extra` under its
//! name and the record survives; a required member that is missing or wrong is an error that names the place; nothing is
//! coerced. serde cannot go back after a failed attempt, so each leaf takes whatever comes ([`Lenient`]) and tells which it was.

mod body;
mod budget;
mod duplicates;
mod key;
mod lenient;
mod member;
mod primitives;
mod unknown;

pub(crate) use body::{DecodeFailure, UNEVEN, from_slice, seeded};
pub(crate) use budget::charge;
pub(crate) use duplicates::last_of_each;
pub(crate) use key::{Key, KeySeed};
pub(crate) use lenient::{Lenient, NullIsEmpty, Strict, deserialize};
pub(crate) use member::{keep, list, optional, require, required, required_list};

use serde::de::{MapAccess, SeqAccess};
use serde_json::Value;

/// How a type reads each kind of JSON value. What it does not override it does not accept.
pub(crate) trait Decode<'de>: Sized {
    /// What an error says: `expected ...`. One of a fixed set of texts (see `body.rs`), never with a value in it.
    const EXPECTED: &'static str;

    /// From a text.
    fn text(_: &str) -> Option<Self> {
        None
    }

    /// From a text that is owned already; gives it back where it does not fit.
    fn owned_text(text: String) -> Result<Self, String> {
        match Self::text(&text) {
            Some(fits) => Ok(fits),
            None => Err(text),
        }
    }

    /// From true or false.
    fn boolean(_: bool) -> Option<Self> {
        None
    }

    /// From an integer.
    fn integer(_: i64) -> Option<Self> {
        None
    }

    /// From an integer above `i64::MAX`.
    fn unsigned(_: u64) -> Option<Self> {
        None
    }

    /// From a number with a point or exponent.
    fn number(_: f64) -> Option<Self> {
        None
    }

    /// From an array; `Ok(Err(value))` where the type is no list.
    fn array<A: SeqAccess<'de>>(items: A) -> Result<Result<Self, Value>, A::Error> {
        unknown::array(items).map(Err)
    }

    /// From an object; `Ok(Err(value))` where the type is no object.
    fn object<A: MapAccess<'de>>(members: A) -> Result<Result<Self, Value>, A::Error> {
        unknown::object(members).map(Err)
    }

    /// From any value at all, for types that take everything; gives it back where it does not fit.
    fn any(value: Value) -> Result<Self, Value> {
        Err(value)
    }
}

/// `serde::Deserialize` for a type that implements [`Decode`]: strict, so that a list of it or a body of it fails where it does not fit.
macro_rules! deserialize_by_decode {
    ($name:ident $(<$set:ident> where $also:ident: $bound:ident)?) => {
        impl<'de $(, $set: $bound)?> serde::Deserialize<'de> for $name $(<$set>)? {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::value::decode::deserialize(deserializer)
            }
        }
    };
}
pub(crate) use deserialize_by_decode;

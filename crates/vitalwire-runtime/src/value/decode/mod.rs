//! Decoding of JSON into models.
//!
//! All fields follow the same rules (architecture, rule 5). Nothing is coerced.
//!
//! * Optional field of the wrong type: kept in `extra` under its name; the record survives.
//! * Required field that is missing or of the wrong type: an error with its location.
//! * List item that cannot be decoded: skipped; the other items stay.
//!
//! serde cannot return to a value after a failed attempt, so each leaf accepts any value ([`Lenient`]) and reports whether it fits.

mod as_text;
mod body;
mod byte_order_mark;
mod duplicates;
mod failure;
mod interrupt;
mod key;
mod lenient;
mod lists;
mod members;
mod number;
mod place;
mod primitives;
mod raw;
mod skipped;
mod state;
mod strict;
mod undeclared;

pub(crate) use as_text::{container_first, is_leaf, text_first};
pub(crate) use body::seeded;
pub use body::{Decoded, decode, from_slice};
pub use byte_order_mark::without_byte_order_mark;
pub(crate) use duplicates::last_of_each;
pub use failure::DecodeFailure;
pub(crate) use interrupt::{check_at, interruptible};
pub(crate) use key::{Key, KeySeed, Order};
pub use lenient::Lenient;
pub use lists::NullIsEmpty;
pub(crate) use lists::list;
pub use members::{Members, require};
pub(crate) use number::{Object, object, visit as visit_number};
pub(crate) use place::{Step, enter, within};
pub(crate) use raw::ItemText;
pub(crate) use skipped::{Mark, count as skipped_count};
pub use skipped::{SkippedItem, SkippedItems};
pub use state::Declared;
pub(crate) use state::{Mode, Rules, charge, mode};
pub use strict::{Strict, deserialize};
pub(crate) use undeclared::UndeclaredFields;

use serde::de::{MapAccess, SeqAccess};

/// Kind of JSON value that a type is decoded from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A single value.
    Leaf,
    /// A list or an object.
    Container,
    /// Any value, kept as its text.
    Any,
}

/// Decoding of a type from each kind of JSON value. Kinds that a type does not override are of the wrong type.
pub trait Decode: Sized {
    /// Text of the error for a wrong type: `expected ...`. One of the fixed texts in `failure.rs`.
    const EXPECTED: &'static str;

    /// Kind of JSON value of the type.
    const KIND: Kind = Kind::Leaf;

    /// Whether a list of this type is a series. An object usually has several series of the same length.
    const SERIES: bool = false;

    /// Returns the value for a null in a list. If `None`, a null is of the wrong type.
    fn gap() -> Option<Self> {
        None
    }

    /// Decodes a string.
    fn text(_: &str) -> Option<Self> {
        None
    }

    /// Decodes a boolean.
    fn boolean(_: bool) -> Option<Self> {
        None
    }

    /// Decodes an integer.
    fn integer(_: i64) -> Option<Self> {
        None
    }

    /// Decodes an unsigned integer.
    #[inline]
    fn unsigned(value: u64) -> Option<Self> {
        i64::try_from(value).ok().and_then(Self::integer)
    }

    /// Decodes a number with a decimal point or exponent.
    fn number(_: f64) -> Option<Self> {
        None
    }

    /// Decodes an array. Returns `Ok(Err(text))` if the type is not a list.
    fn array<'de, A: SeqAccess<'de>>(items: A) -> Result<Result<Self, Box<str>>, A::Error> {
        raw::array(items).map(Err)
    }

    /// Decodes an object. Returns `Ok(Err(text))` if the type is not an object.
    fn object<'de, A: MapAccess<'de>>(members: A) -> Result<Result<Self, Box<str>>, A::Error> {
        raw::object(members).map(Err)
    }

    /// Decodes the JSON text of any value except null, for types that accept all values.
    fn json(text: Box<str>) -> Result<Self, Box<str>> {
        Err(text)
    }
}

/// Implements `serde::Deserialize` for a type that implements [`Decode`]. A value of the wrong type is an error.
#[doc(hidden)]
#[macro_export]
macro_rules! deserialize_by_decode {
    ($name:ident $(<$set:ident> where $also:ident: $bound:ident)?) => {
        impl<'de $(, $set: $bound)?> $crate::serde::Deserialize<'de> for $name $(<$set>)? {
            fn deserialize<D: $crate::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::value::decode::deserialize(deserializer)
            }
        }
    };
}
#[doc(hidden)]
pub use deserialize_by_decode;

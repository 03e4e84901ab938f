//! Reading JSON into models.
//!
//! One rule for every member (architecture, rule 5): a value of the wrong type in an optional member is kept in `extra` under its
//! name and the record survives; a required member that is missing or wrong is an error that names the place; a list item that
//! cannot be decoded is left out and its neighbours stay; nothing is coerced. serde cannot go back after a failed attempt, so each leaf takes whatever comes ([`Lenient`]) and tells which it was.

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
mod reading;
mod skipped;
mod strict;
mod unknown;

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
pub use reading::Declared;
pub(crate) use reading::{Mode, Rules, charge, mode};
pub(crate) use skipped::{Mark, count as skipped_count};
pub use skipped::{SkippedItem, SkippedItems};
pub use strict::{Strict, deserialize};
pub(crate) use unknown::Gathered;

use serde::de::{MapAccess, SeqAccess};

/// What a type is made from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A single value.
    Leaf,
    /// A list or an object.
    Container,
    /// Any value, as its text.
    Any,
}

/// How a type reads each kind of JSON value. What it does not override it does not accept.
pub trait Decode: Sized {
    /// What an error says: `expected ...`. One of a fixed set of texts (see `failure.rs`), never with a value in it.
    const EXPECTED: &'static str;

    /// What it is made from.
    const KIND: Kind = Kind::Leaf;

    /// Whether lists of it are series, which come several of a length.
    const SERIES: bool = false;

    /// What stands for a null among the items of a list; where there is nothing, a null is of the wrong type.
    fn gap() -> Option<Self> {
        None
    }

    /// From a text.
    fn text(_: &str) -> Option<Self> {
        None
    }

    /// From true or false.
    fn boolean(_: bool) -> Option<Self> {
        None
    }

    /// From an integer.
    fn integer(_: i64) -> Option<Self> {
        None
    }

    /// From an integer without a sign.
    #[inline]
    fn unsigned(value: u64) -> Option<Self> {
        i64::try_from(value).ok().and_then(Self::integer)
    }

    /// From a number with a point or exponent.
    fn number(_: f64) -> Option<Self> {
        None
    }

    /// From an array; `Ok(Err(text))` where the type is no list.
    fn array<'de, A: SeqAccess<'de>>(items: A) -> Result<Result<Self, Box<str>>, A::Error> {
        raw::array(items).map(Err)
    }

    /// From an object; `Ok(Err(text))` where the type is no object.
    fn object<'de, A: MapAccess<'de>>(members: A) -> Result<Result<Self, Box<str>>, A::Error> {
        raw::object(members).map(Err)
    }

    /// From the JSON text of any value but null, for types that take every value.
    fn json(text: Box<str>) -> Result<Self, Box<str>> {
        Err(text)
    }
}

/// `serde::Deserialize` for a type that implements [`Decode`]: strict, so that a list of it or a body of it fails where it does not fit.
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

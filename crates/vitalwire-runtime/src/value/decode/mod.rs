//! Decoding of JSON into models.
//!
//! All fields follow the same rules (rule 1 in docs/design.md). Nothing is coerced.
//!
//! * Optional field of the wrong type: kept in `extra` under its name; the record survives.
//! * Required field that is missing or of the wrong type: an error with its location.
//! * List item that cannot be decoded: skipped; the other items stay.
//!
//! serde cannot return to a value after a failed attempt, so each leaf accepts any value ([`LenientValue`]) and reports whether it fits.

mod access;
mod byte_order_mark;
mod decode_body;
mod decode_state;
mod duplicate_names;
mod failure;
mod fast_path;
mod field_reader;
mod from_body;
mod interrupt;
mod json_path;
mod lenient_value;
mod lists;
mod name_lookup;
mod number;
mod primitives;
mod raw_text;
mod skipped;
mod strict_value;
mod undeclared;
mod via_text;

pub use access::{ListAccess, ObjectAccess};
use access::{SerdeList, SerdeObject};
pub use byte_order_mark::without_byte_order_mark;
pub(crate) use decode_body::decode_with_seed;
pub use decode_body::{DecodedValue, decode, decode_by_serde, from_slice};
pub use decode_state::DeclaredNames;
pub(crate) use decode_state::{DecodeMode, DecodeRules, charge, mode};
pub(crate) use duplicate_names::keep_last_values;
pub use failure::DecodeFailure;
pub use fast_path::FastPathError;
pub(crate) use fast_path::{Cursor, Result as FastPathResult, Token};
pub use field_reader::{FieldReader, require};
pub use from_body::FromBody;
pub(crate) use from_body::read_whole;
pub(crate) use interrupt::{check_item, run_interruptibly};
pub(crate) use json_path::{PathStep, enter_step, record_step};
pub use lenient_value::LenientValue;
pub use lists::NullableList;
pub(crate) use lists::{SeriesBuilder, decode_list};
pub use name_lookup::{FieldKey, NameLookup};
pub(crate) use name_lookup::{FieldKeySeed, keep_name};
pub(crate) use number::{ObjectOrNumber, ParsedNumber, object_or_number, parse as parse_number};
pub(crate) use raw_text::ItemText;
pub(crate) use skipped::{DecodeCheckpoint, skipped_count};
pub use skipped::{SkippedItem, SkippedItems};
pub use strict_value::{StrictValue, deserialize};
pub(crate) use undeclared::UndeclaredFields;
pub(crate) use via_text::{is_unreadable_leaf, visit_container_via_text, visit_via_text};

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
    fn array<'de, A: ListAccess<'de>>(items: A) -> Result<Result<Self, Box<str>>, A::Error> {
        items.into_text().map(Err)
    }

    /// Decodes an object. Returns `Ok(Err(text))` if the type is not an object.
    fn object<'de, A: ObjectAccess<'de>>(fields: A) -> Result<Result<Self, Box<str>>, A::Error> {
        fields.into_text().map(Err)
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

//! Reading one member of an object; the generated models call these.

use serde::de::{Error, MapAccess};

use super::budget::charge;
use super::unknown::Unknown;
use super::{Decode, Lenient, NullIsEmpty};
use crate::value::{Extra, ListMember};

/// What the first unknown member of an object takes besides its text: the map has room for eleven at once.
const FIRST_UNKNOWN: usize = 640;

/// Keeps a member nobody declared.
pub(crate) fn keep<'de, A: MapAccess<'de>>(members: &mut A, name: String, extra: &mut Extra) -> Result<(), A::Error> {
    if extra.is_empty() {
        charge(FIRST_UNKNOWN)?;
    }
    let Unknown(value) = members.next_value()?;
    extra.insert(name, value);
    Ok(())
}

/// An optional member; a value of the wrong type goes to `extra`, and a trace event names the place.
pub(crate) fn optional<'de, T: Decode<'de>, A: MapAccess<'de>>(
    members: &mut A,
    slot: &mut Option<T>,
    name: &'static str,
    extra: &mut Extra,
) -> Result<(), A::Error> {
    extra.remove(name);
    *slot = match members.next_value()? {
        Lenient::Fits(value) => Some(value),
        Lenient::Null => None,
        Lenient::Other(value) => {
            tracing::debug!(member = name, expected = T::EXPECTED, "kept a member of an unexpected type in `extra`");
            extra.insert(name, value);
            None
        }
    };
    Ok(())
}

/// An optional list, three-valued.
pub(crate) fn list<'de, T: Decode<'de>, A: MapAccess<'de>>(
    members: &mut A,
    slot: &mut ListMember<T>,
    name: &'static str,
    extra: &mut Extra,
) -> Result<(), A::Error> {
    extra.remove(name);
    *slot = match members.next_value::<Lenient<Vec<T>>>()? {
        Lenient::Fits(items) => ListMember::List(items),
        Lenient::Null => ListMember::Null,
        Lenient::Other(value) => {
            tracing::debug!(member = name, expected = "expected a list", "kept a member of an unexpected type in `extra`");
            extra.insert(name, value);
            ListMember::Absent
        }
    };
    Ok(())
}

/// A required member.
pub(crate) fn required<'de, T: Decode<'de>, A: MapAccess<'de>>(members: &mut A, slot: &mut Option<T>) -> Result<(), A::Error> {
    *slot = Some(members.next_value::<super::Strict<T>>()?.0);
    Ok(())
}

/// A required list; `null` is an empty one.
pub(crate) fn required_list<'de, T: Decode<'de>, A: MapAccess<'de>>(members: &mut A, slot: &mut Option<Vec<T>>) -> Result<(), A::Error> {
    *slot = Some(members.next_value::<NullIsEmpty<T>>()?.0);
    Ok(())
}

/// The value of a required member after all members were read.
pub(crate) fn require<T, E: Error>(slot: Option<T>, name: &'static str) -> Result<T, E> {
    slot.ok_or_else(|| E::missing_field(name))
}

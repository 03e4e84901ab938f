//! Member names, matched without an allocation.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, Visitor};

use super::budget::charge;

/// What a name nobody declared takes besides its text and value, at its height: its place in a list, in the table that finds names
/// that come twice, and in the map it is kept in.
const UNKNOWN: usize = 160;

/// A member's name.
pub(crate) enum Key {
    /// The place of a declared name.
    Known(usize),
    /// A name nobody declared.
    Unknown(String),
}

/// Reads a member's name and looks it up.
#[derive(Clone, Copy)]
pub(crate) struct KeySeed<F>(pub(crate) F);

impl<'de, F: Fn(&str) -> Option<usize>> DeserializeSeed<'de> for KeySeed<F> {
    type Value = Key;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Key, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<F: Fn(&str) -> Option<usize>> Visitor<'_> for KeySeed<F> {
    type Value = Key;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a member name")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Key, E> {
        Ok(match (self.0)(name) {
            Some(index) => Key::Known(index),
            None => {
                charge(UNKNOWN + 2 * name.len())?;
                Key::Unknown(name.to_owned())
            }
        })
    }
}

//! Member names, matched without an allocation.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, Visitor};

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
            None => Key::Unknown(name.to_owned()),
        })
    }
}

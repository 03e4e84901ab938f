//! Member names, matched without an allocation.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, Visitor};

use super::budget::charge;

/// What a name nobody declared takes besides its text and value, at its height: its place in a list, in the table that finds names
/// that come twice, and in the map it is kept in.
const UNKNOWN: usize = 160;

/// Names, and which of them is likely next: members mostly come in one order, so the next one is compared before all are searched.
pub(crate) struct Order<F> {
    names: &'static [&'static str],
    index_of: F,
    next: usize,
}

impl<F: Fn(&str) -> Option<usize>> Order<F> {
    /// Names in the order of the specification, and how to find one of them.
    #[inline]
    pub(crate) fn new(names: &'static [&'static str], index_of: F) -> Self {
        Self { names, index_of, next: 0 }
    }

    /// The place of a name.
    #[inline]
    pub(crate) fn find(&mut self, name: &str) -> Option<usize> {
        let index = match self.names.get(self.next) {
            Some(next) if *next == name => self.next,
            _ => (self.index_of)(name)?,
        };
        self.next = index + 1;
        Some(index)
    }
}

/// A member's name.
pub(crate) enum Key {
    /// The place of a declared name.
    Known(usize),
    /// A name nobody declared.
    Unknown(String),
}

/// Reads a member's name and looks it up.
pub(crate) struct KeySeed<'a, F>(pub(crate) &'a mut Order<F>);

impl<'de, F: Fn(&str) -> Option<usize>> DeserializeSeed<'de> for KeySeed<'_, F> {
    type Value = Key;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Key, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<F: Fn(&str) -> Option<usize>> Visitor<'_> for KeySeed<'_, F> {
    type Value = Key;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a member name")
    }

    #[inline]
    fn visit_str<E: Error>(self, name: &str) -> Result<Key, E> {
        match self.0.find(name) {
            Some(index) => Ok(Key::Known(index)),
            None => unknown(name),
        }
    }
}

#[cold]
fn unknown<E: Error>(name: &str) -> Result<Key, E> {
    charge(UNKNOWN + 2 * name.len())?;
    Ok(Key::Unknown(name.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_any_order() {
        const NAMES: [&str; 3] = ["a", "b", "c"];
        let mut order = Order::new(&NAMES, |name| NAMES.iter().position(|known| *known == name));
        let found: Vec<Option<usize>> = ["a", "b", "c", "c", "a", "x", "b", "a", "c"].into_iter().map(|name| order.find(name)).collect();
        assert_eq!(found, [Some(0), Some(1), Some(2), Some(2), Some(0), None, Some(1), Some(0), Some(2)]);
    }
}

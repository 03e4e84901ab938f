//! Lookup of field names without allocation.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, Visitor};

use super::place::{Step, within};
use super::state::charge;

/// Peak memory of an unknown name besides its text and value, in bytes: its entries in the list, in the table of duplicates, and in the
/// final map.
const UNKNOWN: usize = 160;

/// Number of likely next names to compare before the full lookup. More than one, because optional fields may be left out.
const AHEAD: usize = 3;

/// Declared names with a prediction of the next one. Fields mostly come in one order, so the next name is compared before the full lookup.
pub(crate) struct Order<F> {
    names: &'static [&'static str],
    index_of: F,
    next: usize,
}

impl<F: Fn(&str) -> Option<usize>> Order<F> {
    /// Creates an order from the names of the specification and a lookup function.
    #[inline]
    pub(crate) fn new(names: &'static [&'static str], index_of: F) -> Self {
        Self { names, index_of, next: 0 }
    }

    /// Returns the index of a name.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "run for every name of a body; measured")]
    pub(crate) fn find(&mut self, name: &str) -> Option<usize> {
        let mut ahead = self.next;
        // A loop, because the compiler does not inline the iterator version.
        let index = loop {
            match self.names.get(ahead) {
                Some(next) if ahead < self.next + AHEAD => {
                    if same(next, name) {
                        break ahead;
                    }
                    ahead += 1;
                }
                _ => break (self.index_of)(name)?,
            }
        };
        self.next = index + 1;
        Some(index)
    }

    /// Returns the step to the field that was found last.
    pub(crate) fn last_step(&self) -> Step {
        self.names.get(self.next.wrapping_sub(1)).map_or(Step::Unknown, |name| Step::Member(name))
    }

    /// Records that an error is inside the field that was found last.
    #[cold]
    pub(crate) fn within_last(&self) {
        within(self.last_step());
    }
}

/// Compares two names. For 8 to 32 bytes, compares both ends as integers, which avoids a call.
#[inline]
fn same(one: &str, other: &str) -> bool {
    fn ends<const N: usize>(one: &[u8], other: &[u8]) -> bool {
        one.first_chunk::<N>() == other.first_chunk::<N>() && one.last_chunk::<N>() == other.last_chunk::<N>()
    }
    let (one, other) = (one.as_bytes(), other.as_bytes());
    one.len() == other.len()
        && match one.len() {
            8..=16 => ends::<8>(one, other),
            17..=32 => ends::<16>(one, other),
            _ => one == other,
        }
}

/// A field name.
pub(crate) enum Key {
    /// Index of a declared name.
    Known(usize),
    /// An undeclared name.
    Unknown(String),
}

/// Decodes a field name and looks it up.
pub(crate) struct KeySeed<'a, F>(pub(crate) &'a mut Order<F>);

impl<'de, F: Fn(&str) -> Option<usize>> DeserializeSeed<'de> for KeySeed<'_, F> {
    type Value = Key;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Key, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de, F: Fn(&str) -> Option<usize>> Visitor<'de> for KeySeed<'_, F> {
    type Value = Key;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a member name")
    }

    #[inline]
    fn visit_borrowed_str<E: Error>(self, name: &'de str) -> Result<Key, E> {
        match self.0.find(name) {
            Some(index) => Ok(Key::Known(index)),
            None => unknown(name),
        }
    }

    /// Called for names with escapes.
    #[cold]
    fn visit_str<E: Error>(self, name: &str) -> Result<Key, E> {
        self.0.find(name).map_or_else(|| unknown(name), |index| Ok(Key::Known(index)))
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
    fn names_of_every_length_are_compared_whole() {
        for length in 0..40 {
            let name = "n".repeat(length);
            assert!(same(&name, &name.clone()) && !same(&name, &(name.clone() + "n")));
            for at in 0..length {
                let mut other = name.clone().into_bytes();
                other[at] = b'x';
                assert!(!same(&name, std::str::from_utf8(&other).unwrap()), "{length} {at}");
            }
        }
    }

    #[test]
    fn names_are_found_in_any_order() {
        const NAMES: [&str; 3] = ["a", "b", "c"];
        let mut order = Order::new(&NAMES, |name| NAMES.iter().position(|known| *known == name));
        let found: Vec<Option<usize>> = ["a", "b", "c", "c", "a", "x", "b", "a", "c"].into_iter().map(|name| order.find(name)).collect();
        assert_eq!(found, [Some(0), Some(1), Some(2), Some(2), Some(0), None, Some(1), Some(0), Some(2)]);
    }
}

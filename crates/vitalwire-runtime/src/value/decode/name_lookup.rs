//! Lookup of field names without allocation.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, Visitor};

use super::decode_state::charge;
use super::json_path::{PathStep, record_step};

/// Peak memory of an undeclared name besides its text and value, in bytes. Includes its entries in the list, in the map of duplicates, and
/// in the final map.
const UNKNOWN_NAME_BYTES: usize = 160;

/// Number of likely next names to compare before the full lookup. More than one, because optional fields may be absent.
const LOOKAHEAD: usize = 3;

/// Declared names with a prediction of the next one. Fields mostly come in one order, so the next name is compared before the full lookup.
pub(crate) struct NameLookup<F> {
    names: &'static [&'static str],
    index_of: F,
    next: usize,
}

impl<F: Fn(&str) -> Option<usize>> NameLookup<F> {
    /// Creates a lookup from the names of the specification and a function that finds the index of a name.
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
                Some(next) if ahead < self.next + LOOKAHEAD => {
                    if is_same_name(next, name) {
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
    pub(crate) fn last_step(&self) -> PathStep {
        self.names.get(self.next.wrapping_sub(1)).map_or(PathStep::Undeclared, |name| PathStep::Field(name))
    }

    /// Records that an error is inside the field that was found last.
    #[cold]
    pub(crate) fn record_last_step(&self) {
        record_step(self.last_step());
    }
}

/// Compares two names. For 8 to 32 bytes, compares both ends as integers, which avoids a call.
#[inline]
fn is_same_name(one: &str, other: &str) -> bool {
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

pub(crate) enum FieldKey {
    /// Index of a declared name.
    Known(usize),
    /// An undeclared name.
    Unknown(String),
}

/// Decodes a field name and looks it up.
pub(crate) struct FieldKeySeed<'a, F>(pub(crate) &'a mut NameLookup<F>);

impl<'de, F: Fn(&str) -> Option<usize>> DeserializeSeed<'de> for FieldKeySeed<'_, F> {
    type Value = FieldKey;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<FieldKey, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de, F: Fn(&str) -> Option<usize>> Visitor<'de> for FieldKeySeed<'_, F> {
    type Value = FieldKey;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a field name")
    }

    #[inline]
    fn visit_borrowed_str<E: Error>(self, name: &'de str) -> Result<FieldKey, E> {
        match self.0.find(name) {
            Some(index) => Ok(FieldKey::Known(index)),
            None => unknown_key(name),
        }
    }

    /// Called for names with escapes.
    #[cold]
    fn visit_str<E: Error>(self, name: &str) -> Result<FieldKey, E> {
        self.0.find(name).map_or_else(|| unknown_key(name), |index| Ok(FieldKey::Known(index)))
    }
}

#[cold]
fn unknown_key<E: Error>(name: &str) -> Result<FieldKey, E> {
    charge(UNKNOWN_NAME_BYTES + 2 * name.len())?;
    Ok(FieldKey::Unknown(name.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_every_length_are_compared_completely() {
        for length in 0..40 {
            let name = "n".repeat(length);
            assert!(is_same_name(&name, &name.clone()) && !is_same_name(&name, &(name.clone() + "n")));
            for at in 0..length {
                let mut other = name.clone().into_bytes();
                other[at] = b'x';
                assert!(!is_same_name(&name, std::str::from_utf8(&other).unwrap()), "{length} {at}");
            }
        }
    }

    #[test]
    fn names_are_found_in_any_order() {
        const NAMES: [&str; 3] = ["a", "b", "c"];
        let mut lookup = NameLookup::new(&NAMES, |name| NAMES.iter().position(|known| *known == name));
        let found: Vec<Option<usize>> = ["a", "b", "c", "c", "a", "x", "b", "a", "c"].into_iter().map(|name| lookup.find(name)).collect();
        assert_eq!(found, [Some(0), Some(1), Some(2), Some(2), Some(0), None, Some(1), Some(0), Some(2)]);
    }
}

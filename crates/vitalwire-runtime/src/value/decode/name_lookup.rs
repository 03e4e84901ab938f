//! Lookup of field names without allocation.

use std::borrow::Cow;
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
pub struct NameLookup<F> {
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
                    if is_same_name(next.as_bytes(), name.as_bytes()) {
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

    /// Finds a likely next name at the start of a text, which is a quote. Returns its index, and its length with quotes and colon.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "run for every name of a body; measured")]
    pub(crate) fn predict(&mut self, text: &[u8]) -> Option<(usize, usize)> {
        let text = text.get(1..)?;
        let mut ahead = self.next;
        loop {
            let name = self.names.get(ahead).filter(|_| ahead < self.next + LOOKAHEAD)?;
            if let Some((start, rest)) = text.split_at_checked(name.len())
                && is_same_name(name.as_bytes(), start)
                && rest.starts_with(b"\":")
            {
                self.next = ahead + 1;
                return Some((ahead, name.len() + 3));
            }
            ahead += 1;
        }
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
fn is_same_name(one: &[u8], other: &[u8]) -> bool {
    fn ends<const N: usize>(one: &[u8], other: &[u8]) -> bool {
        one.first_chunk::<N>() == other.first_chunk::<N>() && one.last_chunk::<N>() == other.last_chunk::<N>()
    }
    one.len() == other.len()
        && match one.len() {
            8..=16 => ends::<8>(one, other),
            17..=32 => ends::<16>(one, other),
            _ => one == other,
        }
}

/// A name of a field that was looked up.
pub enum FieldKey<'de> {
    /// Index of a declared name.
    Known(usize),
    /// An undeclared name.
    Unknown(Cow<'de, str>),
}

/// Charges an undeclared name that is kept, and returns it.
#[cold]
pub(crate) fn keep_name<E: Error>(name: Cow<'_, str>) -> Result<String, E> {
    charge(UNKNOWN_NAME_BYTES + 2 * name.len()).map(|()| name.into_owned())
}

/// Decodes a field name and looks it up.
pub(crate) struct FieldKeySeed<'a, F>(pub(crate) &'a mut NameLookup<F>);

impl<'de, F: Fn(&str) -> Option<usize>> DeserializeSeed<'de> for FieldKeySeed<'_, F> {
    type Value = FieldKey<'de>;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<FieldKey<'de>, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de, F: Fn(&str) -> Option<usize>> Visitor<'de> for FieldKeySeed<'_, F> {
    type Value = FieldKey<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a field name")
    }

    #[inline]
    fn visit_borrowed_str<E>(self, name: &'de str) -> Result<FieldKey<'de>, E> {
        Ok(self.0.find(name).map_or(FieldKey::Unknown(Cow::Borrowed(name)), FieldKey::Known))
    }

    /// Called for names with escapes.
    #[cold]
    fn visit_str<E>(self, name: &str) -> Result<FieldKey<'de>, E> {
        Ok(self.0.find(name).map_or_else(|| FieldKey::Unknown(Cow::Owned(name.to_owned())), FieldKey::Known))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_every_length_are_compared_completely() {
        for length in 0..40 {
            let name = "n".repeat(length);
            assert!(is_same_name(name.as_bytes(), name.as_bytes()) && !is_same_name(name.as_bytes(), (name.clone() + "n").as_bytes()));
            for at in 0..length {
                let mut other = name.clone().into_bytes();
                other[at] = b'x';
                assert!(!is_same_name(name.as_bytes(), &other), "{length} {at}");
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

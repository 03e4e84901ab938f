//! Objects with many number fields.

use std::fmt;
use std::marker::PhantomData;

use serde::de::Error;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::decode::{
    Decode, FieldKey, Kind, LenientValue, NameLookup, ObjectAccess, UndeclaredFields, deserialize_by_decode, keep_last_values, keep_name,
};
use super::{Extra, Number, OpenSet};

/// An object with many optional number fields, stored compactly: metrics, statistics or nutritional fields.
///
/// Takes 16 bytes per number that is present. `null` counts as absent. Numbers with unknown names are kept too. Values that are not numbers
/// are in [`NumberMap::extra`]. Integers beyond 2⁵³ are rounded.
#[derive(Clone)]
pub struct NumberMap<K> {
    /// Pairs of index in `K::KNOWN` and value, sorted by index.
    known: Vec<(u16, f64)>,
    unknown: Vec<(Box<str>, f64)>,
    extra: Extra,
    set: PhantomData<fn() -> K>,
}

impl<K: OpenSet> NumberMap<K> {
    /// Returns the number with this name.
    #[must_use]
    pub fn get(&self, name: &K) -> Option<f64> {
        self.get_text(name.as_str())
    }

    /// Returns the number with this wire name.
    #[must_use]
    pub fn get_text(&self, name: &str) -> Option<f64> {
        match K::index_of(name) {
            Some(index) => self.at(index),
            None => self.unknown.iter().find(|(text, _)| &**text == name).map(|(_, value)| *value),
        }
    }

    /// Returns the number of the known name at this index of `K::KNOWN`.
    pub fn at(&self, index: usize) -> Option<f64> {
        let found = self.known.binary_search_by_key(&index, |(position, _)| usize::from(*position)).ok()?;
        self.known.get(found).map(|(_, value)| *value)
    }

    /// Iterates over wire names and numbers: known names in the order of the specification, then unknown names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, f64)> {
        let known = self.known.iter().filter_map(|(position, value)| Some((*K::KNOWN.get(usize::from(*position))?, *value)));
        known.chain(self.unknown.iter().map(|(name, value)| (&**name, *value)))
    }

    /// Returns the number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.known.len() + self.unknown.len()
    }

    /// Whether there are no numbers.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the fields whose value is not a number.
    #[must_use]
    pub fn extra(&self) -> &Extra {
        &self.extra
    }

    fn push(&mut self, name: &str, value: f64) {
        match K::index_of(name) {
            Some(index) => self.push_known(index, value),
            None => self.push_unknown(name, value),
        }
    }

    /// Inserts a number. Fields mostly arrive in order, so the end is tried first.
    #[inline]
    fn push_known(&mut self, index: usize, value: f64) {
        // The code generator rejects sets of more than 65,536 names.
        #[expect(clippy::cast_possible_truncation, reason = "see above")]
        let position = index as u16;
        if self.known.last().is_none_or(|(last, _)| *last < position) {
            self.known.push((position, value));
            return;
        }
        match self.known.binary_search_by_key(&position, |(at, _)| *at) {
            Ok(at) => self.known[at].1 = value,
            Err(at) => self.known.insert(at, (position, value)),
        }
    }

    fn remove(&mut self, index: usize) {
        if let Ok(at) = self.known.binary_search_by_key(&index, |(position, _)| usize::from(*position)) {
            self.known.remove(at);
        }
    }

    fn push_unknown(&mut self, name: &str, value: f64) {
        match self.unknown.iter_mut().find(|(text, _)| &**text == name) {
            Some((_, slot)) => *slot = value,
            None => self.unknown.push((name.into(), value)),
        }
    }
}

impl<K> Default for NumberMap<K> {
    fn default() -> Self {
        Self { known: Vec::new(), unknown: Vec::new(), extra: Extra::new(), set: PhantomData }
    }
}

/// Ignores the order, because JSON objects have none.
impl<K> PartialEq for NumberMap<K> {
    fn eq(&self, other: &Self) -> bool {
        self.known == other.known && are_equal_fields(&self.unknown, &other.unknown, f64::eq) && self.extra == other.extra
    }
}

/// Whether fields with distinct names are equal, in any order.
pub(super) fn are_equal_fields<T>(one: &[(Box<str>, T)], other: &[(Box<str>, T)], same: impl Fn(&T, &T) -> bool) -> bool {
    fn sorted<T>(fields: &[(Box<str>, T)]) -> Vec<&(Box<str>, T)> {
        let mut fields: Vec<_> = fields.iter().collect();
        fields.sort_by(|one, other| one.0.cmp(&other.0));
        fields
    }
    let (one, other) = (sorted(one), sorted(other));
    one.len() == other.len() && one.into_iter().zip(other).all(|(one, other)| one.0 == other.0 && same(&one.1, &other.1))
}

impl<K: OpenSet> FromIterator<(K, f64)> for NumberMap<K> {
    fn from_iter<I: IntoIterator<Item = (K, f64)>>(numbers: I) -> Self {
        let mut map = Self::default();
        for (name, value) in numbers {
            map.push(name.as_str(), value);
        }
        map
    }
}

/// Redacted: shows the number of entries.
impl<K> fmt::Debug for NumberMap<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NumberMap({} numbers)", self.known.len() + self.unknown.len())
    }
}

impl<K: OpenSet> Serialize for NumberMap<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.len() + self.extra.len()))?;
        for (name, value) in self.iter() {
            map.serialize_entry(name, &Number(value))?;
        }
        self.extra.write(&mut map)?;
        map.end()
    }
}

/// A map that is being decoded.
struct MapBuilder<K> {
    map: NumberMap<K>,
    unknown: Vec<(String, LenientValue<f64>)>,
    extra: UndeclaredFields,
}

impl<K: OpenSet> MapBuilder<K> {
    /// Sets the value of a known name. If a name occurs again, the last value counts, whatever its type.
    #[inline]
    fn set_known<E: Error>(&mut self, index: usize, value: LenientValue<f64>) -> Result<(), E> {
        let name = K::KNOWN[index];
        self.extra.discard(name)?;
        match value {
            LenientValue::Valid(value) => self.map.push_known(index, value),
            LenientValue::Null => self.map.remove(index),
            LenientValue::WrongType(text) => {
                self.map.remove(index);
                self.extra.wrong_type(name, &text)?;
            }
        }
        Ok(())
    }

    fn finish<E: Error>(mut self) -> Result<NumberMap<K>, E> {
        for (name, value) in keep_last_values(self.unknown) {
            match value {
                LenientValue::Valid(value) => self.map.unknown.push((name.into_boxed_str(), value)),
                LenientValue::Null => {}
                LenientValue::WrongType(text) => self.extra.keep(&name, &text)?,
            }
        }
        self.map.extra = self.extra.finish();
        Ok(self.map)
    }
}

impl<K: OpenSet> Decode for NumberMap<K> {
    const EXPECTED: &'static str = "expected an object";
    const KIND: Kind = Kind::Container;

    fn object<'de, A: ObjectAccess<'de>>(mut fields: A) -> Result<Result<Self, Box<str>>, A::Error> {
        let mut builder = MapBuilder { map: Self::default(), unknown: Vec::new(), extra: UndeclaredFields::default() };
        let mut lookup = NameLookup::new(K::KNOWN, K::index_of);
        while let Some(key) = fields.next_key(&mut lookup)? {
            let value = fields.lenient::<f64>()?;
            match key {
                FieldKey::Known(index) => builder.set_known(index, value)?,
                FieldKey::Unknown(name) => builder.unknown.push((keep_name(name)?, value)),
            }
        }
        builder.finish().map(Ok)
    }
}

deserialize_by_decode!(NumberMap<K> where K: OpenSet);

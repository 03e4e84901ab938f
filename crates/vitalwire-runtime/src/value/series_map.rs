//! Series of numbers by name.

use std::fmt;
use std::marker::PhantomData;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::decode::{
    Decode, FieldKey, Kind, LenientValue, NameLookup, ObjectAccess, UndeclaredFields, deserialize_by_decode, keep_last_values, keep_name,
};
use super::list_member::are_equal_items;
use super::number_map::are_equal_fields;
use super::{Extra, Number, OpenSet};

/// An object with a list of numbers for each name: the samples of a night.
///
/// A null in a series becomes NaN, so that the other items keep their positions. It is serialized as null. A series with an item of another
/// type is kept in [`SeriesMap::extra`] as a whole.
#[derive(Clone)]
pub struct SeriesMap<K> {
    series: Vec<(Box<str>, Vec<f64>)>,
    extra: Extra,
    set: PhantomData<fn() -> K>,
}

impl<K: OpenSet> SeriesMap<K> {
    /// Returns the series with this name.
    #[must_use]
    pub fn get(&self, name: &K) -> Option<&[f64]> {
        self.get_text(name.as_str())
    }

    /// Returns the series with this wire name.
    #[must_use]
    pub fn get_text(&self, name: &str) -> Option<&[f64]> {
        self.series.iter().find(|(text, _)| &**text == name).map(|(_, values)| values.as_slice())
    }

    /// Iterates over wire names and series, in the order received.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &[f64])> {
        self.series.iter().map(|(name, values)| (&**name, values.as_slice()))
    }

    /// Returns the number of series.
    #[must_use]
    pub fn len(&self) -> usize {
        self.series.len()
    }

    /// Whether there are no series.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.series.is_empty()
    }

    /// Returns the fields whose value is not a series.
    #[must_use]
    pub fn extra(&self) -> &Extra {
        &self.extra
    }
}

/// Iterates over wire names and series, in the order received. Drops the fields whose value is not a series.
impl<K> IntoIterator for SeriesMap<K> {
    type Item = (Box<str>, Vec<f64>);
    type IntoIter = std::vec::IntoIter<Self::Item>;

    fn into_iter(self) -> Self::IntoIter {
        self.series.into_iter()
    }
}

impl<K> Default for SeriesMap<K> {
    fn default() -> Self {
        Self { series: Vec::new(), extra: Extra::new(), set: PhantomData }
    }
}

/// Ignores the order, because JSON objects have none. Treats gaps (NaN) as equal.
impl<K> PartialEq for SeriesMap<K> {
    fn eq(&self, other: &Self) -> bool {
        let same = |one: &Vec<f64>, other: &Vec<f64>| are_equal_items(one, other);
        are_equal_fields(&self.series, &other.series, same) && self.extra == other.extra
    }
}

/// Redacted: shows the number of series.
impl<K> fmt::Debug for SeriesMap<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SeriesMap({} series)", self.series.len())
    }
}

impl<K: OpenSet> Serialize for SeriesMap<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.len() + self.extra.len()))?;
        for (name, values) in self.iter() {
            map.serialize_entry(name, &Number(values))?;
        }
        self.extra.write(&mut map)?;
        map.end()
    }
}

impl<K: OpenSet> Decode for SeriesMap<K> {
    const EXPECTED: &'static str = "expected an object";
    const KIND: Kind = Kind::Container;

    fn object<'de, A: ObjectAccess<'de>>(mut fields: A) -> Result<Result<Self, Box<str>>, A::Error> {
        let mut all = Vec::new();
        let mut lookup = NameLookup::new(K::KNOWN, K::index_of);
        while let Some(key) = fields.next_key(&mut lookup)? {
            let name = match key {
                FieldKey::Known(index) => K::KNOWN[index].to_owned(),
                FieldKey::Unknown(name) => keep_name(name)?,
            };
            all.push((name, fields.list::<f64>()?));
        }
        let mut map = Self::default();
        let mut extra = UndeclaredFields::default();
        // If a name occurs again, the last value counts, whatever its type.
        for (name, values) in keep_last_values(all) {
            match values {
                LenientValue::Valid(values) => map.series.push((name.into_boxed_str(), values)),
                LenientValue::Null => {}
                LenientValue::WrongType(text) => extra.keep(&name, &text)?,
            }
        }
        map.extra = extra.finish();
        Ok(Ok(map))
    }
}

deserialize_by_decode!(SeriesMap<K> where K: OpenSet);

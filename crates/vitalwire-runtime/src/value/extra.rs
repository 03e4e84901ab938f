//! Unknown fields of a response.

use std::fmt;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::json::{self, RawText};

/// Unknown fields of an object, and known fields with a value of an unexpected type.
///
/// Values are kept as JSON text, so integers of any length and numbers beyond a double are written back unchanged. Two objects are equal if
/// they have the same names with equal values; white space does not matter.
#[derive(Clone, Default)]
pub struct Extra(
    /// Boxed, because most records have no unknown fields.
    Option<Box<UnknownFields>>,
);

#[derive(Clone)]
struct UnknownFields {
    /// Name of each field, directly followed by the JSON text of its value.
    text: Box<str>,
    /// Sorted by name.
    spans: Box<[FieldSpan]>,
}

/// Position of a field in the text: its start, and the lengths of its name and value.
#[derive(Clone, Copy)]
pub(super) struct FieldSpan {
    pub(super) start: u32,
    pub(super) name: u32,
    pub(super) value: u32,
}

impl FieldSpan {
    pub(super) fn name_in<'a>(&self, text: &'a str) -> &'a str {
        let start = self.start as usize;
        text.get(start..start + self.name as usize).unwrap_or_default()
    }

    fn value_in<'a>(&self, text: &'a str) -> &'a str {
        let start = self.start as usize + self.name as usize;
        text.get(start..start + self.value as usize).unwrap_or_default()
    }
}

impl Extra {
    /// Creates an empty set of fields. Allocates no memory.
    #[must_use]
    pub const fn new() -> Self {
        Self(None)
    }

    /// Creates a set from a text and positions in it. The names must be sorted and distinct.
    pub(super) fn from_parts(text: String, spans: Vec<FieldSpan>) -> Self {
        if spans.is_empty() {
            // Keep one representation of the empty set.
            return Self::new();
        }
        Self(Some(Box::new(UnknownFields { text: text.into(), spans: spans.into() })))
    }

    /// Returns the value of a field. Returns `None` if it is absent, or if a [`Value`] cannot represent it: a number beyond a double, a
    /// lone surrogate, or more than 127 levels. Use [`Extra::get_text`] for these.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Value> {
        json::parse_value(self.get_text(name)?)
    }

    /// Returns the value of a field as JSON text.
    #[must_use]
    pub fn get_text(&self, name: &str) -> Option<&str> {
        let fields = self.0.as_ref()?;
        let at = fields.spans.binary_search_by(|span| span.name_in(&fields.text).cmp(name)).ok()?;
        fields.spans.get(at).map(|span| span.value_in(&fields.text))
    }

    /// Iterates over the fields as name and JSON text, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let fields = self.0.iter().flat_map(|fields| fields.spans.iter().map(|span| (span, &fields.text)));
        fields.map(|(span, text)| (span.name_in(text), span.value_in(text)))
    }

    /// Returns the number of fields.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |fields| fields.spans.len())
    }

    /// Whether there are no fields.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Serializes all fields into an open object.
    pub fn write<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        self.iter().try_for_each(|(name, text)| object.serialize_entry(name, &RawText(text)))
    }
}

/// Serializes the fields as an object.
impl Serialize for Extra {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(Some(self.len()))?;
        self.write(&mut object)?;
        object.end()
    }
}

impl PartialEq for Extra {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len()
            && self.iter().zip(other.iter()).all(|(own, other)| own.0 == other.0 && json::is_same_value(own.1, other.1))
    }
}

/// Redacted: shows the number of fields. Unknown names may be personal data too.
impl fmt::Debug for Extra {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Extra({} fields)", self.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::decode::UndeclaredFields;

    fn extra_of(fields: &[(&str, &str)]) -> Extra {
        let mut undeclared = UndeclaredFields::default();
        fields.iter().try_for_each(|(name, text)| undeclared.keep::<serde::de::value::Error>(name, text)).unwrap();
        undeclared.finish()
    }

    #[test]
    fn fields_are_sorted_and_the_last_duplicate_wins() {
        let extra = extra_of(&[("b", "1"), ("", "2"), ("é", "3"), ("b", "[4]"), ("a", "null")]);
        assert_eq!(extra.iter().collect::<Vec<_>>(), [("", "2"), ("a", "null"), ("b", "[4]"), ("é", "3")]);
        assert_eq!(
            (extra.len(), extra.get("b"), extra.get("a"), extra.get("c")),
            (4, Some(serde_json::json!([4])), Some(Value::Null), None)
        );
        assert_eq!(serde_json::to_string(&extra).unwrap(), r#"{"":2,"a":null,"b":[4],"é":3}"#);
    }

    #[test]
    fn sets_with_equal_values_are_equal() {
        assert!(extra_of(&[("a", "[1, 2.0]"), ("b", "{\"x\":1,\"y\":2}")]) == extra_of(&[("b", "{ \"y\":2,\"x\":1 }"), ("a", "[1,2.0]")]));
        assert!(
            extra_of(&[("a", "1")]) != extra_of(&[("a", "2")])
                && extra_of(&[("a", "1")]) != extra_of(&[("b", "1")])
                && extra_of(&[("a", "1")]) != Extra::new()
        );
        // Values that no [`Value`] can represent are compared as text.
        assert!(extra_of(&[("a", "1e400")]) == extra_of(&[("a", "1e400")]) && extra_of(&[("a", "1e400")]) != extra_of(&[("a", "1e401")]));
    }

    #[test]
    fn an_empty_set_takes_one_machine_word() {
        assert_eq!(size_of::<Extra>(), size_of::<usize>());
    }
}

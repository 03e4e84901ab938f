//! Numbers, in case another crate of the program enables serde_json's `arbitrary_precision`.
//!
//! serde_json then represents a number as an object with one field. Its name is [`NUMBER_KEY`], and its value is the text of the number.
//! Every visitor that accepts objects handles that here.

use std::fmt;
use std::sync::LazyLock;

use serde::Deserialize;
use serde::de::value::{BorrowedStrDeserializer, StringDeserializer};
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};

use super::Decode;

/// Name of the field. A test compares it with serde_json's own.
const NUMBER_KEY: &str = "$serde_json::private::Number";

/// Whether `arbitrary_precision` is enabled, detected from how serde_json decodes a number.
static ARBITRARY_PRECISION: LazyLock<bool> =
    LazyLock::new(|| serde_json::from_str::<IsArbitraryPrecision>("0.10").is_ok_and(|found| found.0));

struct IsArbitraryPrecision(bool);

impl<'de> Deserialize<'de> for IsArbitraryPrecision {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Probe;

        impl<'de> Visitor<'de> for Probe {
            type Value = IsArbitraryPrecision;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number")
            }

            fn visit_f64<E>(self, _: f64) -> Result<IsArbitraryPrecision, E> {
                Ok(IsArbitraryPrecision(false))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<IsArbitraryPrecision, A::Error> {
                while fields.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(IsArbitraryPrecision(true))
            }
        }

        deserializer.deserialize_any(Probe)
    }
}

/// An object of the deserializer, which may be a number.
pub(crate) enum ObjectOrNumber<'de, A> {
    /// An object.
    Object(ObjectFields<'de, A>),
    /// A number, as its text.
    Number(String),
}

/// Distinguishes an object from a number.
#[inline]
pub(crate) fn object_or_number<'de, A: MapAccess<'de>>(fields: A) -> Result<ObjectOrNumber<'de, A>, A::Error> {
    if *ARBITRARY_PRECISION { detect_number(fields) } else { Ok(ObjectOrNumber::Object(ObjectFields { first: None, fields })) }
}

#[cold]
fn detect_number<'de, A: MapAccess<'de>>(mut fields: A) -> Result<ObjectOrNumber<'de, A>, A::Error> {
    Ok(match fields.next_key_seed(FieldNameSeed)? {
        Some(name) if name.as_str() == NUMBER_KEY => {
            let text: String = fields.next_value()?;
            // An object in the body may have that name too. serde_json treats it as a number as well.
            if !is_number(&text) || fields.next_key::<IgnoredAny>()?.is_some() {
                return Err(A::Error::custom(<f64 as Decode>::EXPECTED));
            }
            ObjectOrNumber::Number(text)
        }
        name => ObjectOrNumber::Object(ObjectFields { first: Some(name), fields }),
    })
}

/// Whether the text is a JSON number.
fn is_number(text: &str) -> bool {
    text.starts_with(|first: char| first == '-' || first.is_ascii_digit())
        && text.ends_with(|last: char| last.is_ascii_digit())
        && serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// Whether an object that begins with this name is a number.
pub(super) fn is_number_key(name: &str) -> bool {
    name == NUMBER_KEY && *ARBITRARY_PRECISION
}

/// The fields of an object whose first name may already be read. `Some(None)` means that it has no fields.
pub(crate) struct ObjectFields<'de, A> {
    first: Option<Option<FieldName<'de>>>,
    fields: A,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for ObjectFields<'de, A> {
    type Error = A::Error;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        match self.first.take() {
            None => self.fields.next_key_seed(seed),
            Some(None) => Ok(None),
            Some(Some(FieldName::Borrowed(name))) => seed.deserialize(BorrowedStrDeserializer::new(name)).map(Some),
            Some(Some(FieldName::Owned(name))) => seed.deserialize(StringDeserializer::new(name)).map(Some),
        }
    }

    #[inline]
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.fields.next_value_seed(seed)
    }
}

/// A name, borrowed if it has no escapes.
enum FieldName<'de> {
    Borrowed(&'de str),
    Owned(String),
}

impl FieldName<'_> {
    fn as_str(&self) -> &str {
        match self {
            Self::Borrowed(name) => name,
            Self::Owned(name) => name,
        }
    }
}

struct FieldNameSeed;

impl<'de> DeserializeSeed<'de> for FieldNameSeed {
    type Value = FieldName<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<FieldName<'de>, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for FieldNameSeed {
    type Value = FieldName<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a field name")
    }

    fn visit_borrowed_str<E>(self, name: &'de str) -> Result<FieldName<'de>, E> {
        Ok(FieldName::Borrowed(name))
    }

    fn visit_str<E>(self, name: &str) -> Result<FieldName<'de>, E> {
        Ok(FieldName::Owned(name.to_owned()))
    }
}

/// Passes the text of a number to a visitor, as serde_json does without the feature. Returns `None` if the number exceeds a double.
#[cold]
pub(super) fn visit<'de, V: Visitor<'de>, E: Error>(text: &str, visitor: V) -> Result<Option<V::Value>, E> {
    match parse(text) {
        Some(ParsedNumber::Unsigned(value)) => visitor.visit_u64(value).map(Some),
        Some(ParsedNumber::Signed(value)) => visitor.visit_i64(value).map(Some),
        Some(ParsedNumber::Double(value)) => visitor.visit_f64(value).map(Some),
        None => Ok(None),
    }
}

/// A number, classified as by serde_json.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ParsedNumber {
    Unsigned(u64),
    Signed(i64),
    Double(f64),
}

impl ParsedNumber {
    /// Decodes the number. Returns `None` if it is of the wrong type.
    #[inline]
    pub(super) fn decode<T: Decode>(self) -> Option<T> {
        match self {
            Self::Unsigned(value) => T::unsigned(value),
            Self::Signed(value) => T::integer(value),
            Self::Double(value) => T::number(value),
        }
    }

    /// Returns the nearest double.
    #[expect(clippy::cast_precision_loss, reason = "number fields are doubles; all JSON parsers round in the same way")]
    #[inline]
    pub(crate) fn to_double(self) -> f64 {
        match self {
            Self::Unsigned(value) => value as f64,
            Self::Signed(value) => value as f64,
            Self::Double(value) => value,
        }
    }

    /// Returns the number if it is an integer, also one such as `72.0`.
    #[inline]
    pub(crate) fn to_integer(self) -> Option<i64> {
        match self {
            Self::Unsigned(value) => i64::try_from(value).ok(),
            Self::Signed(value) => Some(value),
            Self::Double(value) => <i64 as Decode>::number(value),
        }
    }
}

/// Parses an integer that fits 64 bits, except -0, as an integer, and any other number as the nearest double.
pub(crate) fn parse(text: &str) -> Option<ParsedNumber> {
    if let Ok(value) = text.parse() {
        return Some(ParsedNumber::Unsigned(value));
    }
    match text.parse() {
        Ok(value) if value < 0 => return Some(ParsedNumber::Signed(value)),
        _ => {}
    }
    text.parse().ok().filter(|value: &f64| value.is_finite()).map(ParsedNumber::Double)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_parsed_as_without_arbitrary_precision() {
        for (text, parsed) in [
            ("0", Some(ParsedNumber::Unsigned(0))),
            ("18446744073709551615", Some(ParsedNumber::Unsigned(u64::MAX))),
            ("18446744073709551616", Some(ParsedNumber::Double(18_446_744_073_709_551_616.0))),
            ("-9223372036854775808", Some(ParsedNumber::Signed(i64::MIN))),
            ("-9223372036854775809", Some(ParsedNumber::Double(-9_223_372_036_854_775_808.0))),
            ("-0", Some(ParsedNumber::Double(-0.0))),
            ("72.0", Some(ParsedNumber::Double(72.0))),
            ("1e2", Some(ParsedNumber::Double(100.0))),
            ("0.1", Some(ParsedNumber::Double(0.1))),
            ("1e-400", Some(ParsedNumber::Double(0.0))),
            ("1e400", None),
        ] {
            assert_eq!(parse(text), parsed, "{text}");
        }
        assert!(matches!(parse("-0"), Some(ParsedNumber::Double(zero)) if zero.is_sign_negative()));
    }

    /// Checks the name of the field that represents a number. With the feature, a body with that name looks like a number.
    #[test]
    fn the_key_matches_serde_json() {
        struct First;

        impl<'de> Visitor<'de> for First {
            type Value = Option<String>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number")
            }

            fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
                Ok(None)
            }

            fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Self::Value, A::Error> {
                let name = fields.next_key()?;
                fields.next_value::<String>()?;
                Ok(name)
            }
        }

        let name = serde_json::Deserializer::from_str("0.10").deserialize_any(First).unwrap();
        assert_eq!(name.is_some(), *ARBITRARY_PRECISION);
        assert!(name.is_none_or(|name| name == NUMBER_KEY));
    }
}

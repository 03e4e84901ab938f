//! Numbers, in case another crate of the program enables serde_json's `arbitrary_precision`.
//!
//! serde_json then represents a number as an object with one field. Its name is [`TOKEN`], and its value is the text of the number. Every
//! visitor that accepts objects handles that here.

use std::fmt;
use std::sync::LazyLock;

use serde::Deserialize;
use serde::de::value::{BorrowedStrDeserializer, StringDeserializer};
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};

use super::Decode;

/// Name of the field. A test compares it with serde_json's own.
const TOKEN: &str = "$serde_json::private::Number";

/// Whether `arbitrary_precision` is enabled, detected from how serde_json decodes a number.
static ARBITRARY: LazyLock<bool> = LazyLock::new(|| serde_json::from_str::<IsObject>("0.10").is_ok_and(|found| found.0));

struct IsObject(bool);

impl<'de> Deserialize<'de> for IsObject {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Probe;

        impl<'de> Visitor<'de> for Probe {
            type Value = IsObject;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number")
            }

            fn visit_f64<E>(self, _: f64) -> Result<IsObject, E> {
                Ok(IsObject(false))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<IsObject, A::Error> {
                while members.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(IsObject(true))
            }
        }

        deserializer.deserialize_any(Probe)
    }
}

/// An object of the deserializer, which may be a number.
pub(crate) enum Object<'de, A> {
    /// An object.
    Members(ObjectMembers<'de, A>),
    /// A number, as its text.
    Number(String),
}

/// Distinguishes an object from a number.
#[inline]
pub(crate) fn object<'de, A: MapAccess<'de>>(members: A) -> Result<Object<'de, A>, A::Error> {
    if *ARBITRARY { detect(members) } else { Ok(Object::Members(ObjectMembers { first: None, members })) }
}

#[cold]
fn detect<'de, A: MapAccess<'de>>(mut members: A) -> Result<Object<'de, A>, A::Error> {
    Ok(match members.next_key_seed(NameSeed)? {
        Some(name) if name.as_str() == TOKEN => {
            let text: String = members.next_value()?;
            // An object in the body may have that name too. serde_json treats it as a number as well.
            if !is_number(&text) || members.next_key::<IgnoredAny>()?.is_some() {
                return Err(A::Error::custom(<f64 as Decode>::EXPECTED));
            }
            Object::Number(text)
        }
        name => Object::Members(ObjectMembers { first: Some(name), members }),
    })
}

/// Whether the text is a JSON number.
fn is_number(text: &str) -> bool {
    text.starts_with(|first: char| first == '-' || first.is_ascii_digit())
        && text.ends_with(|last: char| last.is_ascii_digit())
        && serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// Whether an object that begins with this name is a number.
pub(super) fn is_token(name: &str) -> bool {
    name == TOKEN && *ARBITRARY
}

/// The fields of an object whose first name may already be read. `Some(None)` means that it has no fields.
pub(crate) struct ObjectMembers<'de, A> {
    first: Option<Option<Name<'de>>>,
    members: A,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for ObjectMembers<'de, A> {
    type Error = A::Error;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        match self.first.take() {
            None => self.members.next_key_seed(seed),
            Some(None) => Ok(None),
            Some(Some(Name::Borrowed(name))) => seed.deserialize(BorrowedStrDeserializer::new(name)).map(Some),
            Some(Some(Name::Owned(name))) => seed.deserialize(StringDeserializer::new(name)).map(Some),
        }
    }

    #[inline]
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.members.next_value_seed(seed)
    }
}

/// A name, borrowed if it has no escapes.
enum Name<'de> {
    Borrowed(&'de str),
    Owned(String),
}

impl Name<'_> {
    fn as_str(&self) -> &str {
        match self {
            Self::Borrowed(name) => name,
            Self::Owned(name) => name,
        }
    }
}

struct NameSeed;

impl<'de> DeserializeSeed<'de> for NameSeed {
    type Value = Name<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Name<'de>, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for NameSeed {
    type Value = Name<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a member name")
    }

    fn visit_borrowed_str<E>(self, name: &'de str) -> Result<Name<'de>, E> {
        Ok(Name::Borrowed(name))
    }

    fn visit_str<E>(self, name: &str) -> Result<Name<'de>, E> {
        Ok(Name::Owned(name.to_owned()))
    }
}

/// Passes the text of a number to a visitor, as serde_json does without the feature. Returns `None` if the number exceeds a double.
#[cold]
pub(crate) fn visit<'de, V: Visitor<'de>, E: Error>(text: &str, visitor: V) -> Result<Option<V::Value>, E> {
    match parse(text) {
        Some(Parsed::Unsigned(value)) => visitor.visit_u64(value).map(Some),
        Some(Parsed::Signed(value)) => visitor.visit_i64(value).map(Some),
        Some(Parsed::Double(value)) => visitor.visit_f64(value).map(Some),
        None => Ok(None),
    }
}

#[derive(Debug, PartialEq)]
enum Parsed {
    Unsigned(u64),
    Signed(i64),
    Double(f64),
}

/// Parses an integer that fits 64 bits, except -0, as an integer, and any other number as the nearest double.
fn parse(text: &str) -> Option<Parsed> {
    if let Ok(value) = text.parse() {
        return Some(Parsed::Unsigned(value));
    }
    match text.parse() {
        Ok(value) if value < 0 => return Some(Parsed::Signed(value)),
        _ => {}
    }
    text.parse().ok().filter(|value: &f64| value.is_finite()).map(Parsed::Double)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_what_they_are_without_the_feature() {
        for (text, parsed) in [
            ("0", Some(Parsed::Unsigned(0))),
            ("18446744073709551615", Some(Parsed::Unsigned(u64::MAX))),
            ("18446744073709551616", Some(Parsed::Double(18_446_744_073_709_551_616.0))),
            ("-9223372036854775808", Some(Parsed::Signed(i64::MIN))),
            ("-9223372036854775809", Some(Parsed::Double(-9_223_372_036_854_775_808.0))),
            ("-0", Some(Parsed::Double(-0.0))),
            ("72.0", Some(Parsed::Double(72.0))),
            ("1e2", Some(Parsed::Double(100.0))),
            ("0.1", Some(Parsed::Double(0.1))),
            ("1e-400", Some(Parsed::Double(0.0))),
            ("1e400", None),
        ] {
            assert_eq!(parse(text), parsed, "{text}");
        }
        assert!(matches!(parse("-0"), Some(Parsed::Double(zero)) if zero.is_sign_negative()));
    }

    /// Name of the field that represents a number. Only without the feature can a body with that name be told from a number.
    #[test]
    fn the_token_is_the_one_serde_json_knows() {
        struct First;

        impl<'de> Visitor<'de> for First {
            type Value = Option<String>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number")
            }

            fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
                Ok(None)
            }

            fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self::Value, A::Error> {
                let name = members.next_key()?;
                members.next_value::<String>()?;
                Ok(name)
            }
        }

        let name = serde_json::Deserializer::from_str("0.10").deserialize_any(First).unwrap();
        assert_eq!(name.is_some(), *ARBITRARY);
        assert!(name.is_none_or(|name| name == TOKEN));
    }
}

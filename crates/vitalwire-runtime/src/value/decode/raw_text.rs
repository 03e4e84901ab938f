//! Undeclared values as JSON text.
//!
//! serde_json returns the original text (`RawValue`), so integers of any length and numbers beyond a double are preserved. The values of
//! other deserializers are serialized as JSON.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Number;

use super::decode_state::charge;
use super::number;

/// Name by which serde_json recognizes a request for the text. A test compares it with serde_json's own.
pub(super) const RAW_VALUE_NAME: &str = "$serde_json::private::RawValue";

/// Reads any value as its text.
pub(super) fn read_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let mut text = String::new();
    RawTextSeed(&mut text).deserialize(deserializer)?;
    Ok(text)
}

/// Reads any list item as its text.
pub(crate) struct ItemText;

impl<'de> DeserializeSeed<'de> for ItemText {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        read_text(deserializer)
    }
}

/// Serializes an array whose start was already read.
#[cold]
pub(super) fn array_text<'de, A: SeqAccess<'de>>(items: A) -> Result<Box<str>, A::Error> {
    let mut text = String::new();
    RawTextSeed(&mut text).visit_seq(items)?;
    Ok(text.into())
}

/// Serializes an object whose start was already read.
#[cold]
pub(super) fn object_text<'de, A: MapAccess<'de>>(fields: A) -> Result<Box<str>, A::Error> {
    let mut text = String::new();
    text.push('{');
    RawTextSeed(&mut text).append_fields(0, false, fields)?;
    Ok(text.into())
}

/// Serializes a double. JSON has no infinities, and no parser produces one.
#[cold]
pub(super) fn number_text(value: f64) -> String {
    Number::from_f64(value).map_or_else(|| "null".to_owned(), |number| number.to_string())
}

/// Serializes a string.
#[cold]
pub(super) fn quote(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Appends the text of any value: the original text from serde_json, or compact JSON of the value.
pub(super) struct RawTextSeed<'a>(pub(super) &'a mut String);

impl RawTextSeed<'_> {
    #[inline]
    fn push<E: Error>(self, text: &str) -> Result<(), E> {
        charge(text.len())?;
        self.0.push_str(text);
        Ok(())
    }

    /// Appends the fields of an object. If `more` is set, the first name is already written.
    fn append_fields<'de, A: MapAccess<'de>>(self, start: usize, mut more: bool, mut fields: A) -> Result<(), A::Error> {
        while more || fields.next_key_seed(NameSeed(self.0))?.is_some() {
            more = false;
            fields.next_value_seed(RawTextSeed(self.0))?;
            self.0.push(',');
        }
        close_bracket(self.0, start, '}');
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for RawTextSeed<'_> {
    type Value = ();

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_newtype_struct(RAW_VALUE_NAME, self)
    }
}

impl<'de> Visitor<'de> for RawTextSeed<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        self.push(if value { "true" } else { "false" })
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        self.push(&value.to_string())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        self.push(&value.to_string())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        self.push(&number_text(value))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<(), E> {
        self.push(&quote(value))
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.push("null")
    }

    fn visit_none<E: Error>(self) -> Result<(), E> {
        self.push("null")
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.deserialize(deserializer)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let start = self.0.len();
        self.0.push('[');
        while items.next_element_seed(RawTextSeed(self.0))?.is_some() {
            self.0.push(',');
        }
        close_bracket(self.0, start, ']');
        Ok(())
    }

    /// Handles serde_json's response to a request for the text, which is an object with one field; numbers may arrive in the same form. Any
    /// other object is serialized.
    #[inline]
    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        let start = self.0.len();
        match fields.next_key_seed(FirstNameSeed(self.0))? {
            Some(true) => fields.next_value_seed(StringSeed(self.0)),
            Some(false) => self.append_fields(start, true, fields),
            None => {
                self.0.push_str("{}");
                Ok(())
            }
        }
    }
}

/// Appends a name and a colon.
struct NameSeed<'a>(&'a mut String);

/// Detects serde_json's response object. Appends the beginning of any other object.
struct FirstNameSeed<'a>(&'a mut String);

/// Appends a text unchanged.
struct StringSeed<'a>(&'a mut String);

/// Implements a seed that reads a string.
macro_rules! text_seed {
    ($name:ident -> $value:ty, |$seed:ident, $text:ident| $take:expr) => {
        impl<'de> DeserializeSeed<'de> for $name<'_> {
            type Value = $value;

            #[inline]
            fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<$value, D::Error> {
                deserializer.deserialize_str(self)
            }
        }

        impl Visitor<'_> for $name<'_> {
            type Value = $value;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text")
            }

            #[inline]
            fn visit_str<E: Error>(self, $text: &str) -> Result<$value, E> {
                let $seed = self;
                $take
            }
        }
    };
}

text_seed!(StringSeed -> (), |seed, text| RawTextSeed(seed.0).push(text));
text_seed!(NameSeed -> (), |seed, name| {
    RawTextSeed(seed.0).push(&quote(name))?;
    seed.0.push(':');
    Ok(())
});
text_seed!(FirstNameSeed -> bool, |seed, name| {
    if name == RAW_VALUE_NAME || number::is_number_key(name) {
        return Ok(true);
    }
    seed.0.push('{');
    NameSeed(seed.0).visit_str(name).map(|()| false)
});

/// Appends the closing bracket, in place of a trailing comma.
pub(super) fn close_bracket(text: &mut String, start: usize, bracket: char) {
    if text.len() > start + 1 {
        text.pop();
    }
    text.push(bracket);
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde::de::value::{BorrowedStrDeserializer, Error as ValueError, MapDeserializer, SeqDeserializer};
    use serde_json::value::RawValue;

    use super::*;

    /// A deserializer that records the name of the requested newtype.
    struct NewtypeProbe;

    impl<'de> Deserializer<'de> for NewtypeProbe {
        type Error = ValueError;

        fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, ValueError> {
            Err(ValueError::custom("expected a request for a newtype"))
        }

        fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, _: V) -> Result<V::Value, ValueError> {
            Err(ValueError::custom(name))
        }

        serde::forward_to_deserialize_any! {
            bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit unit_struct seq tuple tuple_struct
            map struct enum identifier ignored_any
        }
    }

    #[test]
    fn the_name_matches_serde_json() {
        assert_eq!(Box::<RawValue>::deserialize(NewtypeProbe).unwrap_err().to_string(), RAW_VALUE_NAME);
    }

    #[test]
    fn the_text_of_serde_json_is_kept_unchanged() {
        for sent in ["1e400", "123456789012345678901234567890", "-0.10", "[ 1, {\"a\" :null} ]", "\"\\u00e9\"", "{}", "null"] {
            let mut parser = serde_json::Deserializer::from_str(sent);
            assert_eq!(read_text(&mut parser).unwrap(), sent);
        }
        let value = serde_json::json!({"b": [1, "x"]});
        assert_eq!(read_text(value).unwrap(), r#"{"b":[1,"x"]}"#);
    }

    /// An object with a field of the token's name is still an object: its text is not parsed as JSON.
    #[test]
    fn the_name_in_a_body_is_an_ordinary_name() {
        let body = format!(r#"{{"a":{{"{RAW_VALUE_NAME}":"]"}},"detail":{{"{RAW_VALUE_NAME}":"]"}}}}"#);
        let user: crate::error::ProblemDetails = serde_json::from_str(&body).unwrap();
        assert_eq!(serde_json::to_string(&user).unwrap(), body);
        assert_eq!(user.extra.get_text("detail").unwrap(), format!(r#"{{"{RAW_VALUE_NAME}":"]"}}"#));
    }

    #[test]
    fn values_of_other_deserializers_are_serialized() {
        let list = SeqDeserializer::<_, ValueError>::new([1.5, -2.0].into_iter());
        assert_eq!(read_text(list).unwrap(), "[1.5,-2.0]");
        let empty = SeqDeserializer::<_, ValueError>::new(std::iter::empty::<u8>());
        assert_eq!(read_text(empty).unwrap(), "[]");
        let object = MapDeserializer::<_, ValueError>::new([("a\"", 1_u64), ("b", 2)].into_iter());
        assert_eq!(read_text(object).unwrap(), r#"{"a\"":1,"b":2}"#);
        let none = MapDeserializer::<_, ValueError>::new(std::iter::empty::<(&str, u8)>());
        assert_eq!(read_text(none).unwrap(), "{}");
        assert_eq!(read_text(BorrowedStrDeserializer::<ValueError>::new("\n")).unwrap(), r#""\n""#);
    }
}

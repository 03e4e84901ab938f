//! Undeclared values as JSON text.
//!
//! serde_json returns the original text (`RawValue`), so integers of any length and numbers beyond a double are preserved. The values of
//! other deserializers are serialized as JSON.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Number;

use super::number;
use super::state::charge;

/// Name by which serde_json recognizes a request for the text. A test compares it with serde_json's own.
const TOKEN: &str = "$serde_json::private::RawValue";

/// Reads any value as its text.
pub(super) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let mut text = String::new();
    RawInto(&mut text).deserialize(deserializer)?;
    Ok(text)
}

/// Reads any list item as its text.
pub(crate) struct ItemText;

impl<'de> DeserializeSeed<'de> for ItemText {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        text(deserializer)
    }
}

/// Serializes an array whose start was already read.
#[cold]
pub(super) fn array<'de, A: SeqAccess<'de>>(items: A) -> Result<Box<str>, A::Error> {
    let mut text = String::new();
    RawInto(&mut text).visit_seq(items)?;
    Ok(text.into())
}

/// Serializes an object whose start was already read.
#[cold]
pub(super) fn object<'de, A: MapAccess<'de>>(members: A) -> Result<Box<str>, A::Error> {
    let mut text = String::new();
    text.push('{');
    RawInto(&mut text).members(0, false, members)?;
    Ok(text.into())
}

/// Serializes a double. JSON has no infinities, and no parser produces one.
#[cold]
pub(super) fn number(value: f64) -> String {
    Number::from_f64(value).map_or_else(|| "null".to_owned(), |number| number.to_string())
}

/// Serializes a string.
#[cold]
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Appends the text of any value: the original text from serde_json, or compact JSON of the value.
pub(super) struct RawInto<'a>(pub(super) &'a mut String);

impl RawInto<'_> {
    #[inline]
    fn push<E: Error>(self, text: &str) -> Result<(), E> {
        charge(text.len())?;
        self.0.push_str(text);
        Ok(())
    }

    /// Appends the fields of an object. If `more` is set, the first name is already written.
    fn members<'de, A: MapAccess<'de>>(self, start: usize, mut more: bool, mut members: A) -> Result<(), A::Error> {
        while more || members.next_key_seed(NameInto(self.0))?.is_some() {
            more = false;
            members.next_value_seed(RawInto(self.0))?;
            self.0.push(',');
        }
        close(self.0, start, '}');
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for RawInto<'_> {
    type Value = ();

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_newtype_struct(TOKEN, self)
    }
}

impl<'de> Visitor<'de> for RawInto<'_> {
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
        self.push(&number(value))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<(), E> {
        self.push(&quoted(value))
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
        while items.next_element_seed(RawInto(self.0))?.is_some() {
            self.0.push(',');
        }
        close(self.0, start, ']');
        Ok(())
    }

    /// Handles serde_json's response to a request for the text, which is an object with one field; numbers may arrive in the same form. Any
    /// other object is serialized.
    #[inline]
    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let start = self.0.len();
        match members.next_key_seed(TokenOr(self.0))? {
            Some(true) => members.next_value_seed(TextInto(self.0)),
            Some(false) => self.members(start, true, members),
            None => {
                self.0.push_str("{}");
                Ok(())
            }
        }
    }
}

/// Appends a name and a colon.
struct NameInto<'a>(&'a mut String);

/// Detects serde_json's response object. Appends the beginning of any other object.
struct TokenOr<'a>(&'a mut String);

/// Appends a text unchanged.
struct TextInto<'a>(&'a mut String);

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

text_seed!(TextInto -> (), |seed, text| RawInto(seed.0).push(text));
text_seed!(NameInto -> (), |seed, name| {
    RawInto(seed.0).push(&quoted(name))?;
    seed.0.push(':');
    Ok(())
});
text_seed!(TokenOr -> bool, |seed, name| {
    if name == TOKEN || number::is_token(name) {
        return Ok(true);
    }
    seed.0.push('{');
    NameInto(seed.0).visit_str(name).map(|()| false)
});

/// Appends the closing bracket, in place of a trailing comma.
fn close(text: &mut String, start: usize, bracket: char) {
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
    struct Named;

    impl<'de> Deserializer<'de> for Named {
        type Error = ValueError;

        fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, ValueError> {
            Err(ValueError::custom("not asked for a newtype"))
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
    fn the_token_is_the_one_serde_json_knows() {
        assert_eq!(Box::<RawValue>::deserialize(Named).unwrap_err().to_string(), TOKEN);
    }

    #[test]
    fn serde_json_gives_the_text_itself() {
        for sent in ["1e400", "123456789012345678901234567890", "-0.10", "[ 1, {\"a\" :null} ]", "\"\\u00e9\"", "{}", "null"] {
            let mut parser = serde_json::Deserializer::from_str(sent);
            assert_eq!(text(&mut parser).unwrap(), sent);
        }
        let value = serde_json::json!({"b": [1, "x"]});
        assert_eq!(text(value).unwrap(), r#"{"b":[1,"x"]}"#);
    }

    /// An object with a field of the token's name is still an object: its text is not parsed as JSON.
    #[test]
    fn the_token_in_a_body_is_a_name() {
        let body = format!(r#"{{"a":{{"{TOKEN}":"]"}},"detail":{{"{TOKEN}":"]"}}}}"#);
        let user: crate::error::ProblemDetails = serde_json::from_str(&body).unwrap();
        assert_eq!(serde_json::to_string(&user).unwrap(), body);
        assert_eq!(user.extra.get_text("detail").unwrap(), format!(r#"{{"{TOKEN}":"]"}}"#));
    }

    #[test]
    fn other_deserializers_give_values_that_are_written() {
        let list = SeqDeserializer::<_, ValueError>::new([1.5, -2.0].into_iter());
        assert_eq!(text(list).unwrap(), "[1.5,-2.0]");
        let empty = SeqDeserializer::<_, ValueError>::new(std::iter::empty::<u8>());
        assert_eq!(text(empty).unwrap(), "[]");
        let object = MapDeserializer::<_, ValueError>::new([("a\"", 1_u64), ("b", 2)].into_iter());
        assert_eq!(text(object).unwrap(), r#"{"a\"":1,"b":2}"#);
        let none = MapDeserializer::<_, ValueError>::new(std::iter::empty::<(&str, u8)>());
        assert_eq!(text(none).unwrap(), "{}");
        assert_eq!(text(BorrowedStrDeserializer::<ValueError>::new("\n")).unwrap(), r#""\n""#);
    }
}

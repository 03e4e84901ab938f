//! Values that nobody declared, as JSON text.
//!
//! serde_json hands out the text itself (`RawValue`), so that integers of any length and numbers beyond a double stay what they are.
//! Other deserializers hand out values, which are written as JSON.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Number;

use super::number;
use super::reading::charge;

/// What serde_json knows a request for the text by; a test holds it against serde_json's own.
const TOKEN: &str = "$serde_json::private::RawValue";

/// Reads any value as its text.
pub(super) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let mut text = String::new();
    RawInto(&mut text).deserialize(deserializer)?;
    Ok(text)
}

/// Reads any value of a list as its text.
pub(crate) struct ItemText;

impl<'de> DeserializeSeed<'de> for ItemText {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        text(deserializer)
    }
}

/// Writes an array that was begun.
#[cold]
pub(super) fn array<'de, A: SeqAccess<'de>>(items: A) -> Result<Box<str>, A::Error> {
    let mut text = String::new();
    RawInto(&mut text).visit_seq(items)?;
    Ok(text.into())
}

/// Writes an object that was begun.
#[cold]
pub(super) fn object<'de, A: MapAccess<'de>>(members: A) -> Result<Box<str>, A::Error> {
    let mut text = String::new();
    text.push('{');
    RawInto(&mut text).members(0, false, members)?;
    Ok(text.into())
}

/// A double as JSON text. JSON has no infinities, and no parser gives one.
#[cold]
pub(super) fn number(value: f64) -> String {
    Number::from_f64(value).map_or_else(|| "null".to_owned(), |number| number.to_string())
}

/// A text as JSON text.
#[cold]
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Appends the text of any value: serde_json's own, or a value as compact JSON.
pub(super) struct RawInto<'a>(pub(super) &'a mut String);

impl RawInto<'_> {
    #[inline]
    fn push<E: Error>(self, text: &str) -> Result<(), E> {
        charge(text.len())?;
        self.0.push_str(text);
        Ok(())
    }

    /// Members of an object whose start, and names before `:`, are written.
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

    /// serde_json answers a request for the text with an object of one member whose value is the text, and so it may hand out a number.
    /// Any other object is one.
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

/// Sees to whether an object is serde_json's answer; the beginning of any other object is appended.
struct TokenOr<'a>(&'a mut String);

/// Appends a text as it is.
struct TextInto<'a>(&'a mut String);

/// A seed that takes a text.
macro_rules! of_text {
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

of_text!(TextInto -> (), |seed, text| RawInto(seed.0).push(text));
of_text!(NameInto -> (), |seed, name| {
    RawInto(seed.0).push(&quoted(name))?;
    seed.0.push(':');
    Ok(())
});
of_text!(TokenOr -> bool, |seed, name| {
    if name == TOKEN || number::is_token(name) {
        return Ok(true);
    }
    seed.0.push('{');
    NameInto(seed.0).visit_str(name).map(|()| false)
});

/// In place of the last comma, or right after the bracket that opened.
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

    /// A deserializer that only tells by which name a newtype was asked for.
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

    /// An object that names its member like the token is an object: its text is not taken for JSON.
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

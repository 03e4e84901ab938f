//! Values of any type, and number formatting.

use std::collections::BTreeMap;
use std::fmt;

use serde::ser::Error;
use serde::{Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

use super::ListMember;
use super::decode::{Decode, Kind, deserialize_by_decode};

/// A value of any JSON type, for fields whose type the interface leaves open. Kept as JSON text.
#[derive(Clone)]
pub struct Json(Box<str>);

impl Json {
    /// Returns the JSON text.
    #[must_use]
    pub fn as_text(&self) -> &str {
        &self.0
    }

    /// Parses the value. Returns `None` if a [`Value`] cannot represent it: a number beyond a double, a lone surrogate, or more than 127
    /// levels.
    #[must_use]
    pub fn to_value(&self) -> Option<Value> {
        parse_value(&self.0)
    }
}

impl From<Value> for Json {
    fn from(value: Value) -> Self {
        Self(value.to_string().into())
    }
}

/// Returns `null`.
impl Default for Json {
    fn default() -> Self {
        Self::from(Value::Null)
    }
}

/// Compares values: white space and the order of fields do not matter.
impl PartialEq for Json {
    fn eq(&self, other: &Self) -> bool {
        is_same_value(&self.0, &other.0)
    }
}

/// Redacted: the value may be health data.
impl fmt::Debug for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Json(..)")
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RawText(&self.0).serialize(serializer)
    }
}

impl Decode for Json {
    const EXPECTED: &'static str = "expected a value";
    const KIND: Kind = Kind::Any;

    fn json(text: Box<str>) -> Result<Self, Box<str>> {
        Ok(Self(text))
    }
}

deserialize_by_decode!(Json);

/// JSON text that is serialized unchanged.
pub(super) struct RawText<'a>(pub(super) &'a str);

impl Serialize for RawText<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serde_json::from_str::<&RawValue>(self.0).map_err(S::Error::custom)?.serialize(serializer)
    }
}

/// Parses a JSON text, if a [`Value`] can represent it.
pub(super) fn parse_value(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok()
}

/// Maximum depth of comparison by value: the maximum depth of a [`Value`].
const MAX_DEPTH: usize = 127;

/// Whether two JSON texts are the same value. Integers, and texts that no [`Value`] can represent, must be equal as text, because a `Value`
/// would round them.
pub(super) fn is_same_value(one: &str, other: &str) -> bool {
    is_same_value_within(one, other, MAX_DEPTH)
}

fn is_same_value_within(one: &str, other: &str, levels: usize) -> bool {
    let (one, other) = (one.trim_ascii(), other.trim_ascii());
    if one == other || levels == 0 {
        return one == other;
    }
    let nested = |(one, other): (&RawValue, &RawValue)| is_same_value_within(one.get(), other.get(), levels - 1);
    match (one.as_bytes(), other.as_bytes()) {
        ([b'{', ..], [b'{', ..]) => {
            let read = |text| serde_json::from_str::<BTreeMap<String, &RawValue>>(text);
            let (Ok(one), Ok(other)) = (read(one), read(other)) else { return false };
            one.len() == other.len() && one.into_iter().zip(other).all(|(one, other)| one.0 == other.0 && nested((one.1, other.1)))
        }
        ([b'[', ..], [b'[', ..]) => {
            let read = |text| serde_json::from_str::<Vec<&RawValue>>(text);
            let (Ok(one), Ok(other)) = (read(one), read(other)) else { return false };
            one.len() == other.len() && one.into_iter().zip(other).all(nested)
        }
        _ if is_integer(one) && is_integer(other) => false,
        ([b'-' | b'0'..=b'9', ..], [b'-' | b'0'..=b'9', ..]) => {
            // Do not use [`Value`]: with serde_json's `arbitrary_precision`, it keeps numbers as text.
            let double = |text: &str| text.parse().ok().filter(|number: &f64| number.is_finite());
            double(one).is_some_and(|one| double(other) == Some(one))
        }
        _ => parse_value(one).is_some_and(|one| parse_value(other).is_some_and(|other| one == other)),
    }
}

fn is_integer(text: &str) -> bool {
    text.strip_prefix('-').unwrap_or(text).bytes().all(|byte| byte.is_ascii_digit())
}

/// Serializes a double, or a list of doubles, as the shortest decimal of the same value. Whole numbers have no decimal point.
pub struct Number<T>(pub T);

/// Limit for writing whole doubles as integers. serde_json would write them with a decimal point; above the limit, it uses an exponent.
const MAX_WHOLE: f64 = 1e16;

impl Serialize for Number<f64> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(number) = *self;
        if number.fract() == 0.0 && number.abs() < MAX_WHOLE {
            #[expect(clippy::cast_possible_truncation, reason = "a whole number below 10^16 fits")]
            return serializer.serialize_i64(number as i64);
        }
        serializer.serialize_f64(number)
    }
}

impl Serialize for Number<&[f64]> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|number| Number(*number)))
    }
}

impl Serialize for Number<&Vec<f64>> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Number(self.0.as_slice()).serialize(serializer)
    }
}

/// Serializes absent as null, as [`ListMember`] does: the object around it omits absent fields.
impl Serialize for Number<&ListMember<f64>> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            ListMember::List(numbers) => Number(numbers).serialize(serializer),
            ListMember::Absent | ListMember::Null => serializer.serialize_none(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_equal_values_are_the_same_value() {
        for (one, other) in [
            ("[1, {\"a\": \"é\", \"b\": null}]", " [1,{\"b\":null,\"a\":\"\\u00e9\"}]"),
            ("1.0", "1.00"),
            ("10e1", "1e2"),
            ("[123456789012345678901234567890]", "[ 123456789012345678901234567890 ]"),
            ("{\"a\":1,\"a\":2}", "{\"a\":2}"),
        ] {
            assert!(is_same_value(one, other), "{one}");
        }
        for (one, other) in [
            ("123456789012345678901234567890", "123456789012345678901234567891"),
            ("{\"a\":[9007199254740993000000]}", "{\"a\":[9007199254740992000000]}"),
            ("-1", "1"),
            ("[1,2]", "[2,1]"),
            ("[1]", "[1,1]"),
            ("{\"a\":1}", "{\"a\":1,\"b\":1}"),
            ("\"1\"", "1"),
            ("[]", "{}"),
            ("1e400", "1e401"),
            ("\"\\ud800\"", "\"\\ud801\""),
        ] {
            assert!(!is_same_value(one, other), "{one}");
        }
    }

    #[test]
    fn deeply_nested_texts_do_not_overflow_the_stack() {
        let deep = |inner: &str| format!("{}{inner}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(is_same_value(&deep("1"), &deep("1")) && !is_same_value(&deep("1"), &deep("2")));
    }
}

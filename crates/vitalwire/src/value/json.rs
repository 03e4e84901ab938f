//! Values of any type, and numbers as they are written.

use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::Value;

use super::ListMember;
use super::decode::{Decode, Kind, deserialize_by_decode};
use super::extra::RawText;

/// A value of any JSON type, for members whose type the interface leaves open; kept as its JSON text.
#[derive(Clone)]
pub struct Json(Box<str>);

impl Json {
    /// The JSON text.
    #[must_use]
    pub fn as_text(&self) -> &str {
        &self.0
    }

    /// The value. `None` where a [`Value`] cannot hold it: a number beyond a double, half a surrogate pair, or more than 127 levels.
    #[must_use]
    pub fn to_value(&self) -> Option<Value> {
        value(&self.0)
    }
}

impl From<Value> for Json {
    fn from(value: Value) -> Self {
        Self(value.to_string().into())
    }
}

/// `null`.
impl Default for Json {
    fn default() -> Self {
        Self::from(Value::Null)
    }
}

/// By value: white space and the order of members do not matter.
impl PartialEq for Json {
    fn eq(&self, other: &Self) -> bool {
        same(&self.0, &other.0)
    }
}

/// Redacted.
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

impl Decode<'_> for Json {
    const EXPECTED: &'static str = "expected a value";
    const KIND: Kind = Kind::Any;

    fn json(text: Box<str>) -> Result<Self, Box<str>> {
        Ok(Self(text))
    }
}

deserialize_by_decode!(Json);

/// The value of a JSON text, where one can hold it.
pub(super) fn value(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok()
}

/// Whether two JSON texts are the same value. Texts that no value can hold are the same only letter by letter.
pub(super) fn same(one: &str, other: &str) -> bool {
    one == other || value(one).is_some_and(|one| value(other).is_some_and(|other| one == other))
}

/// Writes doubles as the shortest decimal that reads back the same, and whole ones without a point: one, or a list of them.
pub(crate) struct Number<T>(pub(crate) T);

/// Whole doubles below this bound fit an integer, and serde_json would write them with a point; above, it writes an exponent.
const POINTED: f64 = 1e16;

impl Serialize for Number<f64> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(number) = *self;
        if number.fract() == 0.0 && number.abs() < POINTED {
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

/// As a list member itself, absent ones are left out by the object around them.
impl Serialize for Number<&ListMember<f64>> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            ListMember::List(numbers) => Number(numbers).serialize(serializer),
            ListMember::Absent | ListMember::Null => serializer.serialize_none(),
        }
    }
}

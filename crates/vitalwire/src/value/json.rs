//! Values of any type, and numbers as they are written.

use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::Value;

use super::ListMember;
use super::decode::{Decode, deserialize_by_decode};

/// A value of any JSON type, for members whose type the interface leaves open.
#[derive(Clone, PartialEq, Default)]
pub struct Json(Value);

impl Json {
    /// The value.
    #[must_use]
    pub fn as_value(&self) -> &Value {
        &self.0
    }
}

impl From<Value> for Json {
    fn from(value: Value) -> Self {
        Self(value)
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
        self.0.serialize(serializer)
    }
}

impl<'de> Decode<'de> for Json {
    const EXPECTED: &'static str = "expected a value";

    fn any(value: Value) -> Result<Self, Value> {
        Ok(Self(value))
    }
}

deserialize_by_decode!(Json);

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

//! Values of any type, and numbers as they are written.

use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::Value;

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

/// Writes a double as the shortest decimal that reads back the same, and a whole one without a point.
pub(crate) struct Number(pub(crate) f64);

/// Doubles below this bound hold every integer exactly (2^53).
const EXACT: f64 = 9_007_199_254_740_992.0;

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(number) = *self;
        if number.fract() == 0.0 && number.abs() < EXACT {
            #[expect(clippy::cast_possible_truncation, reason = "a whole number below 2^53 fits")]
            return serializer.serialize_i64(number as i64);
        }
        serializer.serialize_f64(number)
    }
}

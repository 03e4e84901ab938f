//! Arguments of cases, converted to the types that calls take.

use std::fmt;

use serde_json::{Map, Value};
use vitalwire::value::{Base64, Date, Timestamp};

/// An error in a case: an unknown operation or argument, or an argument of the wrong type. Contains no values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseError(String);

impl CaseError {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

impl fmt::Display for CaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for CaseError {}

pub(super) struct Arguments<'a> {
    operation: &'static str,
    values: &'a Map<String, Value>,
}

impl<'a> Arguments<'a> {
    /// Rejects names that the operation does not have.
    pub(super) fn new(operation: &'static str, values: &'a Map<String, Value>, names: &[&str]) -> Result<Self, CaseError> {
        match values.keys().find(|name| !names.contains(&name.as_str())) {
            Some(name) => Err(CaseError(format!("`{operation}` has no argument `{name}`"))),
            None => Ok(Self { operation, values }),
        }
    }

    pub(super) fn required<T: ArgumentType>(&self, name: &str) -> Result<T, CaseError> {
        self.optional(name)?.ok_or_else(|| CaseError(format!("`{}` requires the argument `{name}`", self.operation)))
    }

    /// Returns an optional argument. Null does not omit it.
    pub(super) fn optional<T: ArgumentType>(&self, name: &str) -> Result<Option<T>, CaseError> {
        let Some(value) = self.values.get(name) else { return Ok(None) };
        let wrong_type = || CaseError(format!("the argument `{name}` of `{}` must be of type {}", self.operation, T::NAME));
        T::from_json(value).map(Some).ok_or_else(wrong_type)
    }
}

/// A type to which an argument of a case can be converted.
pub(super) trait ArgumentType: Sized {
    /// The type's name in error messages.
    const NAME: &'static str;

    /// Converts a value. Returns `None` if it has another type.
    fn from_json(value: &Value) -> Option<Self>;
}

impl ArgumentType for String {
    const NAME: &'static str = "text";

    fn from_json(value: &Value) -> Option<Self> {
        value.as_str().map(str::to_owned)
    }
}

impl ArgumentType for bool {
    const NAME: &'static str = "boolean";

    fn from_json(value: &Value) -> Option<Self> {
        value.as_bool()
    }
}

impl ArgumentType for i64 {
    const NAME: &'static str = "64-bit integer";

    fn from_json(value: &Value) -> Option<Self> {
        value.as_i64()
    }
}

/// Numbers that JSON cannot represent are texts. A client must reject them.
impl ArgumentType for f64 {
    const NAME: &'static str = "number, `NaN`, `Infinity` or `-Infinity`";

    fn from_json(value: &Value) -> Option<Self> {
        match value {
            Value::Number(number) => number.as_f64(),
            Value::String(text) if text == "NaN" => Some(Self::NAN),
            Value::String(text) if text == "Infinity" => Some(Self::INFINITY),
            Value::String(text) if text == "-Infinity" => Some(Self::NEG_INFINITY),
            _ => None,
        }
    }
}

impl ArgumentType for Timestamp {
    const NAME: &'static str = "date-time";

    fn from_json(value: &Value) -> Option<Self> {
        value.as_str()?.parse().ok()
    }
}

impl ArgumentType for Date {
    const NAME: &'static str = "date";

    fn from_json(value: &Value) -> Option<Self> {
        value.as_str()?.parse().ok()
    }
}

impl ArgumentType for Base64 {
    const NAME: &'static str = "base64";

    fn from_json(value: &Value) -> Option<Self> {
        crate::bytes::decode_argument(value.as_str()?).map(Self::from)
    }
}

impl ArgumentType for Value {
    const NAME: &'static str = "value";

    fn from_json(value: &Value) -> Option<Self> {
        Some(value.clone())
    }
}

impl<T: ArgumentType> ArgumentType for Vec<T> {
    const NAME: &'static str = "list";

    fn from_json(value: &Value) -> Option<Self> {
        value.as_array()?.iter().map(T::from_json).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn object(value: Value) -> Map<String, Value> {
        value.as_object().cloned().unwrap()
    }

    #[test]
    fn each_type_is_converted() {
        let values = object(json!({
            "text": "a", "yes": true, "count": 9_007_199_254_740_993_i64, "size": 1.5, "nan": "NaN", "bytes": "AP8=",
            "at": "2025-03-01T22:30:00.5+01:00", "day": "2024-02-29", "list": ["a", "b"]
        }));
        let names = ["text", "yes", "count", "size", "nan", "bytes", "at", "day", "list", "absent"];
        let values = Arguments::new("op", &values, &names).unwrap();
        assert_eq!(values.required::<String>("text").unwrap(), "a");
        assert!(values.required::<bool>("yes").unwrap());
        assert_eq!(values.required::<i64>("count").unwrap(), 9_007_199_254_740_993);
        assert_eq!(values.required::<f64>("size"), Ok(1.5));
        assert!(values.required::<f64>("nan").unwrap().is_nan());
        assert_eq!(values.required::<Base64>("bytes").unwrap().as_bytes(), [0, 255]);
        // 2025-03-01T21:30:00Z is 20148 days and 21.5 hours after 1970.
        let at: Timestamp = values.required("at").unwrap();
        assert_eq!((at.unix_seconds(), at.subsec_nanoseconds()), (20_148 * 86_400 + 77_400, 500_000_000));
        assert_eq!(values.required::<Date>("day").unwrap().ymd(), (2024, 2, 29));
        assert_eq!(values.required::<Vec<String>>("list").unwrap(), ["a", "b"]);
        assert_eq!(values.optional::<String>("absent").unwrap(), None);
    }

    #[test]
    fn errors_contain_no_values() {
        let values = object(json!({"day": "SECRET", "list": ["a", 1], "none": null}));
        let unknown = Arguments::new("op", &values, &["day", "list"]).err().unwrap();
        assert_eq!(unknown.to_string(), "`op` has no argument `none`");
        let values = Arguments::new("op", &values, &["day", "list", "none", "other"]).unwrap();
        let text = |error: CaseError| error.to_string();
        assert_eq!(values.required::<Date>("day").map_err(text).unwrap_err(), "the argument `day` of `op` must be of type date");
        assert!(values.required::<Vec<String>>("list").is_err());
        assert!(values.optional::<String>("none").is_err());
        assert_eq!(values.required::<bool>("other").map_err(text).unwrap_err(), "`op` requires the argument `other`");
    }
}

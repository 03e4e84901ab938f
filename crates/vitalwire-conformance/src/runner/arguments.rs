//! Arguments of cases, converted to the types that calls take.

use std::fmt;

use serde_json::{Map, Value};
use vitalwire::value::{Base64, Date, Timestamp};

/// An error in a case: an unknown operation or argument, or an argument of the wrong type. Contains no values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseError(String);

impl CaseError {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

impl fmt::Display for CaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for CaseError {}

/// The arguments of one operation.
pub(super) struct Arguments<'a> {
    operation: &'static str,
    given: &'a Map<String, Value>,
}

impl<'a> Arguments<'a> {
    /// Rejects names that the operation does not have.
    pub(super) fn of(operation: &'static str, given: &'a Map<String, Value>, names: &[&str]) -> Result<Self, CaseError> {
        match given.keys().find(|name| !names.contains(&name.as_str())) {
            Some(name) => Err(CaseError(format!("`{operation}` has no argument `{name}`"))),
            None => Ok(Self { operation, given }),
        }
    }

    /// Returns a required argument.
    pub(super) fn required<T: Given>(&self, name: &str) -> Result<T, CaseError> {
        self.optional(name)?.ok_or_else(|| CaseError(format!("`{}` needs the argument `{name}`", self.operation)))
    }

    /// Returns an optional argument. Null does not omit it.
    pub(super) fn optional<T: Given>(&self, name: &str) -> Result<Option<T>, CaseError> {
        let Some(value) = self.given.get(name) else { return Ok(None) };
        let wrong = || CaseError(format!("the argument `{name}` of `{}` is no {}", self.operation, T::WANTED));
        T::given(value).map(Some).ok_or_else(wrong)
    }
}

/// A type of an argument.
pub(super) trait Given: Sized {
    /// The type's name in error messages.
    const WANTED: &'static str;

    /// Converts a value. Returns `None` if it has another type.
    fn given(value: &Value) -> Option<Self>;
}

impl Given for String {
    const WANTED: &'static str = "text";

    fn given(value: &Value) -> Option<Self> {
        value.as_str().map(str::to_owned)
    }
}

impl Given for bool {
    const WANTED: &'static str = "boolean";

    fn given(value: &Value) -> Option<Self> {
        value.as_bool()
    }
}

impl Given for i64 {
    const WANTED: &'static str = "64-bit integer";

    fn given(value: &Value) -> Option<Self> {
        value.as_i64()
    }
}

/// Numbers that JSON cannot represent are texts. A client must reject them.
impl Given for f64 {
    const WANTED: &'static str = "number, `NaN`, `Infinity` or `-Infinity`";

    fn given(value: &Value) -> Option<Self> {
        match value {
            Value::Number(number) => number.as_f64(),
            Value::String(text) if text == "NaN" => Some(Self::NAN),
            Value::String(text) if text == "Infinity" => Some(Self::INFINITY),
            Value::String(text) if text == "-Infinity" => Some(Self::NEG_INFINITY),
            _ => None,
        }
    }
}

impl Given for Timestamp {
    const WANTED: &'static str = "date-time";

    fn given(value: &Value) -> Option<Self> {
        value.as_str()?.parse().ok()
    }
}

impl Given for Date {
    const WANTED: &'static str = "date";

    fn given(value: &Value) -> Option<Self> {
        value.as_str()?.parse().ok()
    }
}

impl Given for Base64 {
    const WANTED: &'static str = "base64";

    fn given(value: &Value) -> Option<Self> {
        crate::bytes::argument(value.as_str()?).map(Self::from)
    }
}

impl Given for Value {
    const WANTED: &'static str = "value";

    fn given(value: &Value) -> Option<Self> {
        Some(value.clone())
    }
}

impl<T: Given> Given for Vec<T> {
    const WANTED: &'static str = "list of what it takes";

    fn given(value: &Value) -> Option<Self> {
        value.as_array()?.iter().map(T::given).collect()
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
    fn each_type_is_read() {
        let given = object(json!({
            "text": "a", "yes": true, "count": 9_007_199_254_740_993_i64, "size": 1.5, "nan": "NaN", "bytes": "AP8=",
            "at": "2025-03-01T22:30:00.5+01:00", "day": "2024-02-29", "list": ["a", "b"]
        }));
        let names = ["text", "yes", "count", "size", "nan", "bytes", "at", "day", "list", "absent"];
        let given = Arguments::of("op", &given, &names).unwrap();
        assert_eq!(given.required::<String>("text").unwrap(), "a");
        assert!(given.required::<bool>("yes").unwrap());
        assert_eq!(given.required::<i64>("count").unwrap(), 9_007_199_254_740_993);
        assert_eq!(given.required::<f64>("size"), Ok(1.5));
        assert!(given.required::<f64>("nan").unwrap().is_nan());
        assert_eq!(given.required::<Base64>("bytes").unwrap().as_bytes(), [0, 255]);
        // 2025-03-01T21:30:00Z is 20148 days and 21.5 hours after 1970.
        let at: Timestamp = given.required("at").unwrap();
        assert_eq!((at.unix_seconds(), at.subsec_nanoseconds()), (20_148 * 86_400 + 77_400, 500_000_000));
        assert_eq!(given.required::<Date>("day").unwrap().ymd(), (2024, 2, 29));
        assert_eq!(given.required::<Vec<String>>("list").unwrap(), ["a", "b"]);
        assert_eq!(given.optional::<String>("absent").unwrap(), None);
    }

    #[test]
    fn mistakes_are_told_without_values() {
        let given = object(json!({"day": "SECRET", "list": ["a", 1], "none": null}));
        let unknown = Arguments::of("op", &given, &["day", "list"]).err().unwrap();
        assert_eq!(unknown.to_string(), "`op` has no argument `none`");
        let given = Arguments::of("op", &given, &["day", "list", "none", "other"]).unwrap();
        let text = |error: CaseError| error.to_string();
        assert_eq!(given.required::<Date>("day").map_err(text).unwrap_err(), "the argument `day` of `op` is no date");
        assert!(given.required::<Vec<String>>("list").is_err());
        assert!(given.optional::<String>("none").is_err());
        assert_eq!(given.required::<bool>("other").map_err(text).unwrap_err(), "`op` needs the argument `other`");
    }
}

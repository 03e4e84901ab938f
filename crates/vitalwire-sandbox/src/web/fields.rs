//! Reads JSON request bodies. Malformed JSON is rejected with 400, and an invalid field with 422 and its name.

use bytes::Bytes;
use http::StatusCode;
use serde_json::{Map, Value};

use crate::values::text;
use crate::web::problem::{ErrorItem, ErrorList, Problem};

/// Fields of a JSON object and the errors found so far.
pub(crate) struct Fields {
    fields: Map<String, Value>,
    errors: ErrorList,
}

impl Fields {
    pub(crate) fn parse(body: &Bytes) -> Result<Self, Problem> {
        let value: Value = serde_json::from_slice(text::without_byte_order_mark(body))
            .map_err(|_| Problem::new(StatusCode::BAD_REQUEST, "validation failed"))?;
        match value {
            Value::Object(fields) => Ok(Self { fields, errors: ErrorList::default() }),
            _ => Err(Problem::invalid(ErrorItem::new("body", "expected an object", Value::Null))),
        }
    }

    pub(crate) fn reject(&mut self, name: &str, message: &str) {
        self.errors.add(|| ErrorItem::new(format!("body.{name}"), message, Value::Null));
    }

    /// Whether no errors were found so far.
    pub(crate) fn is_valid(&self) -> bool {
        self.errors.is_empty()
    }

    /// Fails if any errors were found.
    pub(crate) fn finish(self) -> Result<(), Problem> {
        self.errors.finish()
    }

    /// Rejects all fields that were not taken. For control routes, where an unknown name is a typing error.
    pub(crate) fn reject_rest(&mut self) {
        for name in std::mem::take(&mut self.fields).keys().take(ErrorList::MAX) {
            let name: String = name.chars().take(64).collect();
            self.reject(&name, "unknown field");
        }
    }

    /// Takes a field, including a null.
    pub(crate) fn take_or_null(&mut self, name: &str) -> Option<Value> {
        self.fields.remove(name)
    }

    /// Takes a field. Null counts as absent.
    pub(crate) fn take(&mut self, name: &str) -> Option<Value> {
        self.fields.remove(name).filter(|value| !value.is_null())
    }

    /// Takes an optional text by move, because uploads are large.
    pub(crate) fn text(&mut self, name: &str) -> Option<String> {
        match self.take(name)? {
            Value::String(text) => Some(text),
            _ => {
                self.reject(name, "expected a string");
                None
            }
        }
    }

    pub(crate) fn required_text(&mut self, name: &str) -> Option<String> {
        if self.fields.get(name).is_none_or(Value::is_null) {
            self.reject(name, "required field is missing");
            return None;
        }
        self.text(name)
    }

    /// Takes a boolean. Defaults to false.
    pub(crate) fn flag(&mut self, name: &str) -> bool {
        match self.take(name) {
            None => false,
            Some(Value::Bool(flag)) => flag,
            Some(_) => {
                self.reject(name, "expected true or false");
                false
            }
        }
    }

    pub(crate) fn required_number(&mut self, name: &str) -> Option<f64> {
        self.required(name, Value::as_f64, "expected a number")
    }

    pub(crate) fn required_integer(&mut self, name: &str) -> Option<i64> {
        self.required(name, Value::as_i64, "expected an integer")
    }

    fn required<T>(&mut self, name: &str, read: impl Fn(&Value) -> Option<T>, expected: &str) -> Option<T> {
        let value = self.take(name);
        let found = value.as_ref().and_then(read);
        if found.is_none() {
            self.reject(name, if value.is_none() { "required field is missing" } else { expected });
        }
        found
    }

    /// Takes an optional instant.
    pub(crate) fn instant(&mut self, name: &str) -> Option<jiff::Timestamp> {
        let written = self.text(name)?;
        let instant = text::parse_instant(&written);
        if instant.is_none() {
            self.reject(name, "expected a date-time like 2025-01-31T08:00:00Z");
        }
        instant
    }

    /// Takes a list of names and returns them in the order of `known`, without duplicates. Defaults to an empty list.
    pub(crate) fn names(&mut self, name: &str, known: &[&'static str]) -> Vec<&'static str> {
        let list = match self.take(name) {
            None => return Vec::new(),
            Some(Value::Array(list)) => list,
            Some(_) => {
                self.reject(name, "expected a list");
                return Vec::new();
            }
        };
        for (at, entry) in list.iter().enumerate() {
            if !entry.as_str().is_some_and(|text| known.contains(&text)) {
                self.errors.add(|| ErrorItem::new(format!("body.{name}[{at}]"), "unknown name", Value::Null));
            }
            if self.errors.is_full() {
                break;
            }
        }
        known.iter().copied().filter(|known| list.iter().any(|entry| entry == known)).collect()
    }

    /// Takes an optional two-letter code in lower case.
    pub(crate) fn code(&mut self, name: &str) -> Option<String> {
        let text = self.text(name)?;
        if text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_lowercase()) {
            Some(text)
        } else {
            self.reject(name, "expected two lower-case letters");
            None
        }
    }
}

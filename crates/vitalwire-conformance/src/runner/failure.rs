//! Errors as canonical JSON.

use std::time::Duration;

use serde_json::{Map, Value};
use vitalwire::Error;

use super::canonical;

/// An error, and the last record of a wait.
#[derive(Debug)]
pub struct CallFailure {
    /// The error. Its texts are searched for canaries.
    pub error: Error,
    /// The canonical JSON of the last record, if there was one.
    pub last: Option<Value>,
}

impl From<Error> for CallFailure {
    fn from(error: Error) -> Self {
        Self { error, last: None }
    }
}

impl CallFailure {
    /// Returns the error as canonical JSON, built with its getters: `{"error", "code", "status"?, "problem"?, "retry_after_ms"?,
    /// "request_id"?, "attempts", "may_have_taken_effect"?, "is_transient", "path_template"?, "record_id"?, "argument"?, "json_path"?,
    /// "body"?, "last"?}`.
    #[must_use]
    pub fn canonical(&self) -> Value {
        let error = &self.error;
        let mut object = Map::new();
        let mut put = |name: &str, value: Option<Value>| {
            if let Some(value) = value {
                object.insert(name.to_owned(), value);
            }
        };
        put("error", Some(Value::from(error.kind().as_str())));
        put("code", Some(Value::from(error.code())));
        put("status", error.status().map(Value::from));
        put("problem", error.problem().map(|problem| canonical::to_canonical(problem).0));
        put("retry_after_ms", error.retry_after().map(milliseconds));
        put("request_id", error.request_id().map(Value::from));
        put("attempts", Some(Value::from(error.attempts())));
        put("may_have_taken_effect", error.may_have_taken_effect().then_some(Value::Bool(true)));
        put("is_transient", Some(Value::Bool(error.is_transient())));
        put("path_template", error.path_template().map(Value::from));
        put("record_id", error.record_id().map(Value::from));
        put("argument", error.argument().map(Value::from));
        put("json_path", error.json_path().map(Value::from));
        put("body", error.body().map(|body| crate::bytes::hex(body).into()));
        put("last", self.last.clone());
        Value::Object(object)
    }
}

/// Returns whole milliseconds.
fn milliseconds(time: Duration) -> Value {
    u64::try_from(time.as_millis()).map_or(Value::Null, Value::from)
}

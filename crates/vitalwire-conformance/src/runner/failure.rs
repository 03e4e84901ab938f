//! Errors as canonical JSON.

use std::time::Duration;

use serde_json::{Value, json};
use vitalwire::Error;

use super::canonical;
use crate::canonical::without_nulls;

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
        without_nulls(json!({
            "error": error.kind().as_str(),
            "code": error.code(),
            "status": error.status(),
            "problem": error.problem().map(|problem| canonical::to_canonical(problem).0),
            "retry_after_ms": error.retry_after().map(milliseconds),
            "request_id": error.request_id(),
            "attempts": error.attempts(),
            "is_transient": error.is_transient(),
            "may_have_taken_effect": error.may_have_taken_effect().then_some(true),
            "path_template": error.path_template(),
            "record_id": error.record_id(),
            "argument": error.argument(),
            "json_path": error.json_path(),
            "body": error.body().map(|body| crate::bytes::hex(body)),
            "last": self.last,
        }))
    }
}

/// Returns whole milliseconds.
fn milliseconds(time: Duration) -> Value {
    u64::try_from(time.as_millis()).map_or(Value::Null, Value::from)
}

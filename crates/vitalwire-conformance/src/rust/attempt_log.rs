//! The client's attempt listener.

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};
use vitalwire::client::Attempt;

use crate::canonical::without_nulls;

/// Records the attempts that the client reports, in the posted form.
#[derive(Clone, Debug, Default)]
pub(super) struct AttemptLog(Arc<Mutex<Vec<Value>>>);

impl AttemptLog {
    pub(super) fn add(&self, event: &Attempt) {
        let attempt = without_nulls(json!({
            "operation": event.operation,
            "http_method": event.http_method,
            "path_template": event.path_template,
            "attempt": event.attempt,
            "status": event.status,
            "error": event.error.map(|kind| kind.as_str()),
            "next_delay_ms": event.next_delay.map(|delay| u64::try_from(delay.as_millis()).unwrap_or(u64::MAX)),
            "request_id": event.request_id,
        }));
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(attempt);
    }

    pub(super) fn all(&self) -> Vec<Value> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

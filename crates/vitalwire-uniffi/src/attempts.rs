//! The listener for attempts.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use vitalwire::client::Attempt as CoreAttempt;

use crate::error::ApiError;
use crate::generated::ErrorKind;
use crate::value::Timestamp;

/// An attempt of a call. It contains no health data and no token; its only id is the request id.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct Attempt {
    /// Id of the operation, such as `get_sleep`.
    pub operation: String,
    /// HTTP method, such as `GET`.
    pub http_method: String,
    /// Path of the operation with the names of its parameters, not their values.
    pub path_template: String,
    /// Number of the attempt, from 1.
    pub attempt: u32,
    /// HTTP status; absent if no response arrived.
    pub status: Option<u16>,
    /// Kind of the error; absent after a success.
    pub error: Option<ErrorKind>,
    /// Start of the attempt.
    pub started_at: Timestamp,
    /// Duration of the attempt, in milliseconds.
    pub elapsed_ms: u64,
    /// Delay before the next attempt, in milliseconds; absent after the last attempt.
    pub next_delay_ms: Option<u64>,
    /// Request id of the response; absent if there is none, or if it does not look like an id.
    pub request_id: Option<String>,
    /// Log line with all fields except the start and the request id.
    pub text: String,
}

impl fmt::Debug for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl From<&CoreAttempt> for Attempt {
    fn from(event: &CoreAttempt) -> Self {
        let started = event.started_at.duration_since(UNIX_EPOCH).unwrap_or_default();
        Self {
            operation: event.operation.to_owned(),
            http_method: event.http_method.to_owned(),
            path_template: event.path_template.to_owned(),
            attempt: event.attempt,
            status: event.status,
            error: event.error.map(Into::into),
            started_at: Timestamp { seconds: i64::try_from(started.as_secs()).unwrap_or_default(), nanoseconds: started.subsec_nanos() },
            elapsed_ms: millis(event.elapsed),
            next_delay_ms: event.next_delay.map(millis),
            request_id: event.request_id.clone(),
            text: text(event),
        }
    }
}

/// Formats an attempt: `GET /v3/userinfo (get_user_info), attempt 1: 503 service in 12 ms, next after 140 ms`.
fn text(event: &CoreAttempt) -> String {
    let status = event.status.map_or_else(String::new, |status| format!(" {status}"));
    let error = event.error.map_or_else(String::new, |error| format!(" {error}"));
    let next = event.next_delay.map_or_else(String::new, |delay| format!(", next after {} ms", millis(delay)));
    let (method, path, operation, attempt) = (event.http_method, event.path_template, event.operation, event.attempt);
    format!("{method} {path} ({operation}), attempt {attempt}:{status}{error} in {} ms{next}", millis(event.elapsed))
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Callback for attempts, implemented by the application. It runs on the thread that runs the call and must return quickly.
#[uniffi::export(foreign)]
pub trait AttemptListener: Send + Sync {
    /// Called after each attempt. Exceptions are dropped.
    fn attempted(&self, attempt: Attempt) -> Result<(), ApiError>;
}

/// Adapts a listener to the core's callback.
pub(crate) fn callback(listener: Arc<dyn AttemptListener>) -> impl Fn(&CoreAttempt) + Send + Sync + 'static {
    move |event| {
        // A failing listener must not fail the call.
        let _ = listener.attempted(event.into());
    }
}

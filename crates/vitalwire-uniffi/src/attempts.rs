//! What happens to a call, for the application.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use vitalwire::client::AttemptEvent;

use crate::error::ApiError;
use crate::generated::ErrorKind;
use crate::value::Timestamp;

/// One attempt of a call. It holds no value, no token and no id but the request's.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct Attempt {
    /// The operation, such as `get_sleep`.
    pub operation: String,
    /// `GET`, `POST` and their like.
    pub http_method: String,
    /// The path with its parameters' names.
    pub path_template: String,
    /// 1 for the first.
    pub attempt: u32,
    /// The HTTP status, if the service responded.
    pub status: Option<u16>,
    /// The kind of error; absent for a success.
    pub error: Option<ErrorKind>,
    /// Start of the attempt.
    pub started_at: Timestamp,
    /// Duration of the attempt, in milliseconds.
    pub elapsed_ms: u64,
    /// Pause before the next attempt, in milliseconds; absent if this was the last.
    pub next_delay_ms: Option<u64>,
    /// The id that the service gave this request, if it is shaped like an id.
    pub request_id: Option<String>,
    /// All of it but start and id in a line, for a log.
    pub text: String,
}

impl fmt::Debug for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl From<&AttemptEvent> for Attempt {
    fn from(event: &AttemptEvent) -> Self {
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

/// `GET /v3/userinfo (get_user_info), attempt 1: 503 service in 12 ms, next after 140 ms`
fn text(event: &AttemptEvent) -> String {
    let status = event.status.map_or_else(String::new, |status| format!(" {status}"));
    let error = event.error.map_or_else(String::new, |error| format!(" {error}"));
    let next = event.next_delay.map_or_else(String::new, |delay| format!(", next after {} ms", millis(delay)));
    let (method, path, operation, attempt) = (event.http_method, event.path_template, event.operation, event.attempt);
    format!("{method} {path} ({operation}), attempt {attempt}:{status}{error} in {} ms{next}", millis(event.elapsed))
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Is told of every attempt; implemented by the application. It is called by the thread that drives the call, which goes on when it returns.
#[uniffi::export(foreign)]
pub trait AttemptListener: Send + Sync {
    /// An attempt has ended. What this throws is dropped.
    fn attempted(&self, attempt: Attempt) -> Result<(), ApiError>;
}

/// The application's listener as the core's hook.
pub(crate) fn hook(listener: Arc<dyn AttemptListener>) -> impl Fn(&AttemptEvent) + Send + Sync + 'static {
    move |event| {
        // The application's failure is not the call's.
        let _ = listener.attempted(event.into());
    }
}

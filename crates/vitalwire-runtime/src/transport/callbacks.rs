//! Attempt callbacks, and spans for tracing. They contain no health data, record ids, tokens or URLs.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tokio::time::Instant;
use tracing::Span;
use tracing::field::Empty;

use super::{BaseUrl, ClientState};
use crate::error::{Error, ErrorKind, displayable_id};
use crate::operation::{OperationMeta, ResponseMetadata};

/// One attempt of a call, passed to callbacks set with [`ClientBuilder::on_attempt`](crate::client::ClientBuilder::on_attempt).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Attempt {
    /// Id of the operation, for example `get_sleep`; `raw` for raw access.
    pub operation: &'static str,
    /// HTTP method, such as `GET`.
    pub http_method: &'static str,
    /// Path with the names of its parameters.
    pub path_template: &'static str,
    /// Number of the attempt, from 1.
    pub attempt: u32,
    /// HTTP status; `None` if the service did not respond.
    pub status: Option<u16>,
    /// Kind of the error; `None` for a success.
    pub error: Option<ErrorKind>,
    /// Start time of the attempt.
    pub started_at: SystemTime,
    /// Duration of the attempt.
    pub elapsed: Duration,
    /// Delay before the next attempt; `None` if this was the last.
    pub next_delay: Option<Duration>,
    /// Request id of the service, if it has the format of an id.
    pub request_id: Option<String>,
}

type AttemptCallback = Arc<dyn Fn(&Attempt) + Send + Sync>;

#[derive(Clone, Default)]
pub(crate) struct AttemptCallbacks(Vec<AttemptCallback>);

impl AttemptCallbacks {
    pub(crate) fn add(&mut self, callback: impl Fn(&Attempt) + Send + Sync + 'static) {
        self.0.push(Arc::new(callback));
    }

    /// Whether there is a callback or a subscriber.
    fn is_active(&self) -> bool {
        !self.0.is_empty() || tracing::enabled!(tracing::Level::DEBUG)
    }

    /// Emits a tracing event and calls every callback.
    fn notify(&self, event: &Attempt) {
        tracing::debug!(
            operation = event.operation,
            path = event.path_template,
            attempt = event.attempt,
            status = event.status,
            error = event.error.map(ErrorKind::as_str),
            elapsed_ms = millis(event.elapsed),
            next_delay_ms = event.next_delay.map(millis),
            request_id = event.request_id,
            "attempt"
        );
        for callback in &self.0 {
            // A panic of a callback does not affect the call. Its message could contain anything and is discarded.
            let _ = catch_unwind(AssertUnwindSafe(|| callback(event)));
        }
    }
}

/// Start of an attempt, on the monotonic clock and on the system clock. `None` if nothing is notified: reading the clocks takes time.
pub(super) struct AttemptStart(Option<(Instant, SystemTime)>);

impl AttemptStart {
    pub(super) fn now(client: &ClientState) -> Self {
        Self(client.callbacks.is_active().then(|| (Instant::now(), SystemTime::now())))
    }

    /// Ends the measurement of an attempt.
    pub(super) fn end<'a>(self, client: &'a ClientState, meta: &'a OperationMeta, attempt: u32) -> CompletedAttempt<'a> {
        let times = self.0.map(|(instant, time)| (time, instant.elapsed()));
        CompletedAttempt { callbacks: &client.callbacks, meta, attempt, times }
    }
}

pub(super) struct CompletedAttempt<'a> {
    callbacks: &'a AttemptCallbacks,
    meta: &'a OperationMeta,
    attempt: u32,
    /// Start and duration; `None` if nothing is notified.
    times: Option<(SystemTime, Duration)>,
}

#[derive(Clone, Copy)]
pub(super) enum AttemptOutcome<'a> {
    Response(&'a ResponseMetadata),
    /// A response with an error status that counts as a success.
    AcceptedError(&'a Error),
    Failure(&'a Error),
}

impl CompletedAttempt<'_> {
    /// Calls the callbacks with the outcome and the delay before the next attempt.
    pub(super) fn notify(&self, outcome: AttemptOutcome<'_>, next_delay: Option<Duration>) {
        let Some((started_at, elapsed)) = self.times else { return };
        let (status, error, request_id) = match outcome {
            AttemptOutcome::Response(meta) => (Some(meta.status), None, meta.request_id.as_deref()),
            AttemptOutcome::AcceptedError(error) => (error.status(), None, error.request_id()),
            AttemptOutcome::Failure(error) => (error.status(), Some(error.kind()), error.request_id()),
        };
        self.callbacks.notify(&Attempt {
            operation: self.meta.id,
            http_method: self.meta.http_method,
            path_template: self.meta.path,
            attempt: self.attempt,
            status,
            error,
            started_at,
            elapsed,
            next_delay,
            request_id: request_id.and_then(displayable_id).map(str::to_owned),
        });
    }
}

/// Creates the span of one attempt, with the names of OpenTelemetry's HTTP client conventions. Tracing exporters read the fields that
/// begin with `otel`.
pub(super) fn attempt_span(meta: &OperationMeta, base_url: &BaseUrl, attempt: u32) -> Span {
    let span = tracing::info_span!(
        "vitalwire.attempt",
        "otel.kind" = "client",
        "otel.name" = Empty,
        "otel.status_code" = Empty,
        "http.request.method" = http_method(meta),
        "http.request.resend_count" = Empty,
        "http.response.status_code" = Empty,
        "server.address" = base_url.host(),
        "server.port" = base_url.port(),
        "url.template" = meta.path,
        "error.type" = Empty,
    );
    if !span.is_disabled() {
        span.record("otel.name", format!("{} {}", http_method(meta), meta.path));
        if attempt > 1 {
            span.record("http.request.resend_count", attempt - 1);
        }
    }
    span
}

/// Records the outcome of an attempt in its span.
pub(super) fn record_outcome(span: &Span, outcome: Result<u16, &Error>) {
    if span.is_disabled() {
        return;
    }
    let (Ok(status) | Err(status)) = outcome.map(Some).map_err(Error::status);
    if let Some(status) = status {
        span.record("http.response.status_code", status);
    }
    if let Err(error) = outcome {
        span.record("otel.status_code", "ERROR");
        match status {
            // The conventions require the status as the error type, if there is one.
            Some(status) if status >= 400 => span.record("error.type", status.to_string()),
            _ => span.record("error.type", error.kind().as_str()),
        };
    }
}

/// Returns the method as the OpenTelemetry conventions name it.
fn http_method(meta: &OperationMeta) -> &'static str {
    if meta.http_method.bytes().all(|byte| byte.is_ascii_uppercase()) { meta.http_method } else { "_OTHER" }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

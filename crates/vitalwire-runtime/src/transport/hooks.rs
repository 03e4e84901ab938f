//! What happens to a call, for the application: hooks, and spans for tracing. Without health data, ids of records, tokens and URLs.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tokio::time::Instant;
use tracing::Span;
use tracing::field::Empty;

use super::{BaseUrl, Shared};
use crate::error::{Error, ErrorKind, harmless_id};
use crate::operation::{OperationMeta, ResponseMetadata};

/// One attempt of a call, as passed to the hooks set by [`ClientBuilder::on_attempt`](crate::client::ClientBuilder::on_attempt).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AttemptEvent {
    /// The operation's id, for example `get_sleep`; `raw` for raw access.
    pub operation: &'static str,
    /// `GET`, `POST`, …
    pub http_method: &'static str,
    /// The path with its parameters' names.
    pub path_template: &'static str,
    /// 1 for the first.
    pub attempt: u32,
    /// The HTTP status, if the service responded.
    pub status: Option<u16>,
    /// The kind of error; `None` for a success.
    pub error: Option<ErrorKind>,
    /// Start of the attempt.
    pub started_at: SystemTime,
    /// Duration of the attempt.
    pub elapsed: Duration,
    /// Pause before the next attempt; `None` if this was the last.
    pub next_delay: Option<Duration>,
    /// The id that the service gave this request, if it is shaped like an id.
    pub request_id: Option<String>,
}

type Hook = Arc<dyn Fn(&AttemptEvent) + Send + Sync>;

/// All hooks of a client.
#[derive(Clone, Default)]
pub(crate) struct Hooks(Vec<Hook>);

impl Hooks {
    pub(crate) fn add(&mut self, hook: impl Fn(&AttemptEvent) + Send + Sync + 'static) {
        self.0.push(Arc::new(hook));
    }

    /// Emits a tracing event, and calls every hook. Nothing is made for nobody.
    pub(crate) fn notify(&self, event: impl FnOnce() -> AttemptEvent) {
        if self.0.is_empty() && !tracing::enabled!(tracing::Level::DEBUG) {
            return;
        }
        let event = event();
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
        for hook in &self.0 {
            // A hook's panic is not the call's. Its text could hold anything.
            let _ = catch_unwind(AssertUnwindSafe(|| hook(&event)));
        }
    }
}

/// The start of an attempt, on both clocks.
pub(super) struct Started {
    instant: Instant,
    time: SystemTime,
}

impl Started {
    pub(super) fn now() -> Self {
        Self { instant: Instant::now(), time: SystemTime::now() }
    }

    /// The attempt has ended.
    pub(super) fn end<'a>(self, client: &'a Shared, meta: &'a OperationMeta, attempt: u32) -> Ended<'a> {
        Ended { hooks: &client.hooks, meta, attempt, elapsed: self.instant.elapsed(), started_at: self.time }
    }
}

/// An attempt that has ended.
pub(super) struct Ended<'a> {
    hooks: &'a Hooks,
    meta: &'a OperationMeta,
    attempt: u32,
    started_at: SystemTime,
    elapsed: Duration,
}

/// How an attempt ended.
#[derive(Clone, Copy)]
pub(super) enum Outcome<'a> {
    Answered(&'a ResponseMetadata),
    /// An answer with the status of an error that means success.
    Done(&'a Error),
    Failed(&'a Error),
}

impl Ended<'_> {
    /// Tells the hooks what comes next.
    pub(super) fn notify(&self, outcome: Outcome<'_>, next_delay: Option<Duration>) {
        self.hooks.notify(|| {
            let (status, error, request_id) = match outcome {
                Outcome::Answered(meta) => (Some(meta.status), None, meta.request_id.as_deref()),
                Outcome::Done(answer) => (answer.status(), None, answer.request_id()),
                Outcome::Failed(error) => (error.status(), Some(error.kind()), error.request_id()),
            };
            AttemptEvent {
                operation: self.meta.id,
                http_method: self.meta.http_method,
                path_template: self.meta.path,
                attempt: self.attempt,
                status,
                error,
                started_at: self.started_at,
                elapsed: self.elapsed,
                next_delay,
                request_id: request_id.and_then(harmless_id).map(str::to_owned),
            }
        });
    }
}

/// The span of one attempt, by OpenTelemetry's names for HTTP client spans. Exporters of tracing read what begins with `otel`.
pub(super) fn span(meta: &OperationMeta, base_url: &BaseUrl, attempt: u32) -> Span {
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

/// Writes into an attempt's span how it ended.
pub(super) fn end(span: &Span, outcome: Result<u16, &Error>) {
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
            // The conventions ask for the status where it is the error.
            Some(status) if status >= 400 => span.record("error.type", status.to_string()),
            _ => span.record("error.type", error.kind().as_str()),
        };
    }
}

/// The method as the conventions know it.
fn http_method(meta: &OperationMeta) -> &'static str {
    if meta.http_method.bytes().all(|byte| byte.is_ascii_uppercase()) { meta.http_method } else { "_OTHER" }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

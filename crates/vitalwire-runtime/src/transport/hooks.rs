//! Attempt hooks: events for the application, without health data or tokens.

use std::sync::Arc;
use std::time::Duration;

use crate::error::ErrorKind;

/// One attempt of a call, as passed to the hooks set by [`ClientBuilder::on_attempt`](crate::client::ClientBuilder::on_attempt).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AttemptEvent {
    /// The operation's id, for example `get_sleep`; `raw` for raw access.
    pub operation: &'static str,
    /// The path with its parameters' names.
    pub path_template: &'static str,
    /// 1 for the first.
    pub attempt: u32,
    /// The HTTP status, if the service responded.
    pub status: Option<u16>,
    /// The kind of error; `None` for a success.
    pub error: Option<ErrorKind>,
    /// Duration of the attempt.
    pub elapsed: Duration,
    /// Pause before the next attempt; `None` if this was the last.
    pub next_delay: Option<Duration>,
}

type Hook = Arc<dyn Fn(&AttemptEvent) + Send + Sync>;

/// All hooks of a client.
#[derive(Clone, Default)]
pub(crate) struct Hooks(Vec<Hook>);

impl Hooks {
    pub(crate) fn add(&mut self, hook: impl Fn(&AttemptEvent) + Send + Sync + 'static) {
        self.0.push(Arc::new(hook));
    }

    /// Calls every hook, and emits a tracing event.
    pub(crate) fn notify(&self, event: &AttemptEvent) {
        tracing::debug!(
            operation = event.operation,
            path = event.path_template,
            attempt = event.attempt,
            status = event.status,
            error = event.error.map(ErrorKind::as_str),
            elapsed_ms = millis(event.elapsed),
            next_delay_ms = event.next_delay.map(millis),
            "attempt"
        );
        for hook in &self.0 {
            hook(event);
        }
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

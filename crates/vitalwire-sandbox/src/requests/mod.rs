//! Request log, without bodies, tokens, query values or ids of persons.

mod attempts;
mod body;
mod entry;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::MatchedPath;
use http::Method;
use jiff::Timestamp;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::sync::{Semaphore, watch};

use self::attempts::AttemptCounter;
pub(crate) use self::attempts::FAULT_HEADER;
pub(crate) use self::body::log_response;
pub(crate) use self::entry::LogEntry;

/// Maximum number of entries. The oldest are removed first.
const MAX_REQUESTS: usize = 1_000;
/// Maximum number of live streams. Each holds a connection.
const MAX_STREAMS: usize = 32;

/// A completed request.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LoggedRequest {
    /// Sequence number, from 1, in the order in which requests ended.
    pub number: u64,
    /// Arrival time by the machine's clock.
    pub at: Timestamp,
    /// HTTP method.
    pub method: Method,
    /// Operation id in the specifications.
    pub operation: Option<&'static str>,
    /// Response status. `None` if no response was begun.
    pub status: Option<u16>,
    /// Attempt number within the call, from 1.
    pub attempt: u32,
    /// Time until the response was written to the socket.
    pub duration: Duration,
    /// Number of bytes of the response body written to the socket.
    pub bytes: u64,
    /// Kind of the fault that was applied.
    pub fault: Option<&'static str>,
    /// Whether the client closed the connection before the response was written.
    pub closed_early: bool,
    /// Value of the response header `x-request-id`.
    pub request_id: String,
    path: Option<MatchedPath>,
}

impl LoggedRequest {
    /// Returns the path as a template, such as `/v3/lab_reports/{lab_report_id}`. `None` if the sandbox has no such path.
    pub fn path(&self) -> Option<&str> {
        self.path.as_ref().map(MatchedPath::as_str)
    }

    pub(crate) fn json(&self) -> Value {
        json!({
            "number": self.number,
            "at": self.at.to_string(),
            "method": self.method.as_str(),
            "path": self.path(),
            "operation": self.operation,
            "status": self.status,
            "attempt": self.attempt,
            "duration_ms": (self.duration.as_secs_f64() * 1e6).round() / 1e3,
            "bytes": self.bytes,
            "fault": self.fault,
            "closed_early": self.closed_early,
            "request_id": self.request_id,
        })
    }
}

/// The last 1,000 requests of the service, without those to control routes.
///
/// A request counts as a retry if it follows a failed attempt within 60 seconds. Both must have the same method, path, query, user and
/// content length. An attempt failed if it got no response, a fault or the status 401, 408, 429 or 5xx, or if its connection closed early.
/// Requests with the same `x-sandbox-call` header within 60 seconds are attempts of one call in any case.
#[derive(Debug)]
pub struct Requests {
    buffer: Mutex<LogBuffer>,
    /// Number of changes.
    changed: watch::Sender<u64>,
    attempts: AttemptCounter,
    streams: Arc<Semaphore>,
}

#[derive(Debug, Default)]
struct LogBuffer {
    last: u64,
    /// Number of times the log was cleared.
    cleared: u64,
    entries: VecDeque<LoggedRequest>,
}

impl Default for Requests {
    fn default() -> Self {
        Self {
            buffer: Mutex::default(),
            changed: watch::Sender::new(0),
            attempts: AttemptCounter::default(),
            streams: Arc::new(Semaphore::new(MAX_STREAMS)),
        }
    }
}

impl Requests {
    fn buffer(&self) -> MutexGuard<'_, LogBuffer> {
        self.buffer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the requests with numbers above `number`, oldest first. Pass 0 for all requests in the log.
    pub fn after(&self, number: u64) -> Vec<LoggedRequest> {
        let buffer = self.buffer();
        let begin = buffer.entries.partition_point(|entry| entry.number <= number);
        buffer.entries.range(begin..).cloned().collect()
    }

    /// Returns the number of the last request, which is the number of requests since the start or the last [`Self::clear`].
    pub fn last(&self) -> u64 {
        self.buffer().last
    }

    /// Removes all requests and attempts. The next request has number 1.
    pub fn clear(&self) {
        let mut buffer = self.buffer();
        *buffer = LogBuffer { cleared: buffer.cleared + 1, ..LogBuffer::default() };
        drop(buffer);
        self.attempts.clear();
        self.changed.send_modify(|changes| *changes += 1);
    }

    /// Returns how often the log was cleared.
    pub(crate) fn clear_count(&self) -> u64 {
        self.buffer().cleared
    }

    fn push(&self, mut entry: LoggedRequest) {
        let mut buffer = self.buffer();
        buffer.last += 1;
        entry.number = buffer.last;
        if buffer.entries.len() == MAX_REQUESTS {
            buffer.entries.pop_front();
        }
        buffer.entries.push_back(entry);
        drop(buffer);
        self.changed.send_modify(|changes| *changes += 1);
    }

    /// Returns a receiver that changes with every request and when the log is cleared.
    pub(crate) fn subscribe(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    pub(crate) fn reserve_stream(&self) -> Option<tokio::sync::OwnedSemaphorePermit> {
        Arc::clone(&self.streams).try_acquire_owned().ok()
    }
}

#[cfg(test)]
mod tests;

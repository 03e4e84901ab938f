//! The request log: what was asked and how it ended, without a body, a token, a query value or an id of anybody.

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

use self::attempts::Attempts;
pub(crate) use self::body::log_response;
pub(crate) use self::entry::LogEntry;

/// The oldest are forgotten first.
const MAX_REQUESTS: usize = 1_000;
/// Live streams: each holds a connection.
const MAX_STREAMS: usize = 32;

/// A request that is over.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LoggedRequest {
    /// Counts up from 1, in the order in which requests ended.
    pub number: u64,
    /// When it arrived, by the machine's clock.
    pub at: Timestamp,
    /// Its method.
    pub method: Method,
    /// The operation's id in the specs.
    pub operation: Option<&'static str>,
    /// The status of the answer, if one was begun.
    pub status: Option<u16>,
    /// Which attempt of the same call it was, from 1.
    pub attempt: u32,
    /// Time until the answer was written to the socket.
    pub duration: Duration,
    /// Bytes of the answer's body written to the socket.
    pub bytes: u64,
    /// The kind of the fault it met.
    pub fault: Option<&'static str>,
    /// The client closed the connection before the answer was written.
    pub closed_early: bool,
    /// As in the answer's `x-request-id`.
    pub request_id: String,
    path: Option<MatchedPath>,
}

impl LoggedRequest {
    /// The path as a template: `/v3/lab_reports/{lab_report_id}`. `None` where no path of the sandbox matched.
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

/// The log of the last 1,000 requests of the service (those to the control routes are not in it).
///
/// A request counts as a further attempt of the same call if it comes within 60 seconds after one that failed (no answer, 401, 408, 429,
/// 5xx, a fault, or closed early) with the same method, path, query, user and length; or, whatever came of them, if both carry the same
/// `x-sandbox-call` header.
#[derive(Debug)]
pub struct Requests {
    ring: Mutex<Ring>,
    /// Counts changes.
    changed: watch::Sender<u64>,
    attempts: Attempts,
    streams: Arc<Semaphore>,
}

#[derive(Debug, Default)]
struct Ring {
    last: u64,
    /// How often the log was cleared.
    cleared: u64,
    entries: VecDeque<LoggedRequest>,
}

impl Default for Requests {
    fn default() -> Self {
        Self {
            ring: Mutex::default(),
            changed: watch::Sender::new(0),
            attempts: Attempts::default(),
            streams: Arc::new(Semaphore::new(MAX_STREAMS)),
        }
    }
}

impl Requests {
    fn ring(&self) -> MutexGuard<'_, Ring> {
        self.ring.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The requests that ended after the one of that number, oldest first; 0 for all that are remembered.
    pub fn after(&self, number: u64) -> Vec<LoggedRequest> {
        let ring = self.ring();
        let begin = ring.entries.partition_point(|entry| entry.number <= number);
        ring.entries.range(begin..).cloned().collect()
    }

    /// The number of the last request: as many have ended since the start, or since the log was cleared.
    pub fn last(&self) -> u64 {
        self.ring().last
    }

    /// Forgets all requests and attempts. The next request has the number 1.
    pub fn clear(&self) {
        let mut ring = self.ring();
        *ring = Ring { cleared: ring.cleared + 1, ..Ring::default() };
        drop(ring);
        self.attempts.clear();
        self.changed.send_modify(|changes| *changes += 1);
    }

    /// How often the log was cleared.
    pub(crate) fn cleared(&self) -> u64 {
        self.ring().cleared
    }

    fn push(&self, mut entry: LoggedRequest) {
        let mut ring = self.ring();
        ring.last += 1;
        entry.number = ring.last;
        if ring.entries.len() == MAX_REQUESTS {
            ring.entries.pop_front();
        }
        ring.entries.push_back(entry);
        drop(ring);
        self.changed.send_modify(|changes| *changes += 1);
    }

    /// Changes with every request, and when the log is cleared.
    pub(crate) fn watch(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// Room for one more live stream.
    pub(crate) fn stream(&self) -> Option<tokio::sync::OwnedSemaphorePermit> {
        Arc::clone(&self.streams).try_acquire_owned().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry() -> LoggedRequest {
        LoggedRequest {
            number: 0,
            at: Timestamp::UNIX_EPOCH,
            method: Method::GET,
            operation: None,
            status: Some(200),
            attempt: 1,
            duration: Duration::from_nanos(1_234_567),
            bytes: 5,
            fault: None,
            closed_early: false,
            request_id: String::new(),
            path: None,
        }
    }

    #[test]
    fn the_oldest_are_forgotten_and_numbers_go_on() {
        let requests = Requests::default();
        assert!(requests.after(0).is_empty());
        for _ in 0..MAX_REQUESTS + 5 {
            requests.push(entry());
        }
        let all = requests.after(0);
        assert_eq!((all.len(), all[0].number, requests.last()), (MAX_REQUESTS, 6, 1_005));
        let late: Vec<u64> = requests.after(1_003).iter().map(|entry| entry.number).collect();
        assert_eq!(late, [1_004, 1_005]);
        assert!(requests.after(u64::MAX).is_empty());
        let changed = requests.watch();
        requests.clear();
        assert!(changed.has_changed().unwrap() && requests.after(0).is_empty());
        requests.push(entry());
        assert_eq!((requests.last(), requests.after(0)[0].number), (1, 1));
    }

    #[test]
    fn durations_are_milliseconds() {
        assert_eq!(entry().json()["duration_ms"], 1.235);
    }
}

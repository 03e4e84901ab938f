//! [`LogEntry`]: the log entry of a request in progress.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{MatchedPath, Request};
use http::Method;
use jiff::Timestamp;

use super::attempts::CallIdentity;
use super::{LoggedRequest, Requests};
use crate::spec::Operation;

/// Log entry that is added to the log when it is dropped.
#[derive(Debug)]
pub(crate) struct LogEntry {
    log: Arc<Requests>,
    entry: LoggedRequest,
    call: CallIdentity,
    started: Instant,
    complete: bool,
}

impl LogEntry {
    pub(crate) fn new(log: &Arc<Requests>, request: &Request, operation: Option<&'static Operation>, request_id: String) -> Self {
        let call = CallIdentity::new(request);
        // An unknown method may be long and contain anything.
        let known = [Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::PATCH, Method::DELETE, Method::OPTIONS, Method::TRACE];
        let method = known.into_iter().find(|known| known == request.method());
        let entry = LoggedRequest {
            number: 0,
            at: Timestamp::now(),
            method: method.or_else(|| Method::from_bytes(b"OTHER").ok()).unwrap_or_default(),
            operation: operation.map(|operation| operation.id),
            status: None,
            attempt: log.attempts.attempt_number(&call),
            duration: std::time::Duration::ZERO,
            bytes: 0,
            fault: None,
            closed_early: false,
            request_id,
            path: request.extensions().get::<MatchedPath>().cloned(),
        };
        Self { log: Arc::clone(log), entry, call, started: Instant::now(), complete: false }
    }

    /// Returns the attempt number within the call.
    pub(crate) fn attempt(&self) -> u32 {
        self.entry.attempt
    }

    pub(crate) fn id(&self) -> &str {
        &self.entry.request_id
    }

    pub(crate) fn set_fault(&mut self, fault: &'static str) {
        self.entry.fault = Some(fault);
    }

    pub(crate) fn set_status(&mut self, status: http::StatusCode) {
        self.entry.status = Some(status.as_u16());
    }

    pub(crate) fn add_bytes(&mut self, bytes: usize) {
        self.entry.bytes += bytes as u64;
    }

    /// Marks the response as complete. A later close is not an early one.
    pub(crate) fn mark_complete(&mut self) {
        self.complete = true;
    }

    /// Whether the request is a HEAD. Its response has no body, whatever the headers say.
    pub(super) fn is_head(&self) -> bool {
        self.entry.method == Method::HEAD
    }
}

impl Drop for LogEntry {
    fn drop(&mut self) {
        self.entry.duration = self.started.elapsed();
        self.entry.closed_early = !self.complete;
        let status = self.entry.status;
        let failed = !self.complete || self.entry.fault.is_some() || status.is_none_or(|status| matches!(status, 401 | 408 | 429 | 500..));
        self.log.attempts.record_outcome(&self.call, self.entry.attempt, failed);
        self.log.push(self.entry.clone());
    }
}

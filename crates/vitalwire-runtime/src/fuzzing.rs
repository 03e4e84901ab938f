//! Access to internals for fuzz targets. Not part of the API: anything here may change at any time.

use std::time::{Duration, SystemTime};

use http::{HeaderMap, HeaderValue, header};

use crate::error::{self, Error, ErrorKind, ProblemDetails};
use crate::operation::Interface;
use crate::transport::{self, RetryPolicy};

/// Parses the problem details of an error response.
#[must_use]
pub fn parse_problem(body: &[u8]) -> Option<ProblemDetails> {
    error::parse_problem(body)
}

/// Creates the error of a rejected request with these problem details.
#[must_use]
pub fn rejected_request_error(problem: Option<ProblemDetails>, interface: &'static Interface) -> Error {
    Error::new(ErrorKind::InvalidRequest).with_problem(problem, interface.details)
}

/// Parses the value of a `Retry-After` header. Returns `None` if the bytes are not a valid header value.
#[must_use]
pub fn parse_retry_after(value: &[u8], now: SystemTime) -> Option<Duration> {
    let mut headers = HeaderMap::new();
    headers.insert(header::RETRY_AFTER, HeaderValue::from_bytes(value).ok()?);
    transport::retry_after::parse_retry_after(&headers, now)
}

/// Returns the delay before retry number `retry` with the default policy, and the maximum `Retry-After`. The delay is `None` if `requested`
/// exceeds that maximum.
#[must_use]
pub fn retry_delay(retry: u32, requested: Option<Duration>) -> (Option<Duration>, Duration) {
    let policy = RetryPolicy::default();
    (transport::retry::retry_delay(&policy, retry, requested), policy.retry_after_cap)
}

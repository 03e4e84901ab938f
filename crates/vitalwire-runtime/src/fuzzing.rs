//! Ways into private parts for fuzz targets. No part of the API: anything here may change at any time.

use std::time::{Duration, SystemTime};

use http::{HeaderMap, HeaderValue, header};

use crate::error::{Error, ErrorKind, ProblemDetails, problem_from_body};
use crate::operation::Interface;
use crate::transport::{self, RetryPolicy};

/// The problem details of an error answer.
#[must_use]
pub fn problem(body: &[u8]) -> Option<ProblemDetails> {
    problem_from_body(body)
}

/// The error of a refused request with these problem details.
#[must_use]
pub fn refused(problem: Option<ProblemDetails>, interface: &'static Interface) -> Error {
    Error::new(ErrorKind::InvalidRequest).problem_details(problem, interface.details)
}

/// How long a `Retry-After` header of this value asks to wait; `None` also where the bytes are no header value.
#[must_use]
pub fn retry_after(value: &[u8], now: SystemTime) -> Option<Duration> {
    let mut headers = HeaderMap::new();
    headers.insert(header::RETRY_AFTER, HeaderValue::from_bytes(value).ok()?);
    transport::retry_after::retry_after(&headers, now)
}

/// The wait before retry number `retry` under the default policy, and the longest wait a service may ask for; no wait where it asks
/// for more.
#[must_use]
pub fn retry_delay(retry: u32, asked: Option<Duration>) -> (Option<Duration>, Duration) {
    let policy = RetryPolicy::default();
    (transport::retry::delay(&policy, retry, asked), policy.retry_after_cap)
}

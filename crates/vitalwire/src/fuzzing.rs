//! Ways into private parts for the fuzz targets (`crates/vitalwire-fuzz`). No part of the API: anything here may change at any time.

use std::time::{Duration, SystemTime};

use http::{HeaderMap, HeaderValue, header};
use serde::de::DeserializeOwned;

use crate::client::{ResponseMeta, RetryPolicy};
use crate::error::{Error, problem_from_body};
use crate::generated::meta;
use crate::models::ProblemDetails;
use crate::transport;
use crate::value::decode::{Decode, NullIsEmpty, from_slice};

/// Decodes an answer's body as every typed call does.
///
/// # Errors
/// [`ErrorKind::Decode`](crate::ErrorKind::Decode) where the body is not as described.
pub fn decode<T: DeserializeOwned>(body: &[u8]) -> Result<T, Error> {
    let answered = ResponseMeta::new(&meta::GET_SLEEP, 200, HeaderMap::new());
    from_slice(body).map_err(|failure| Error::decode(&answered, failure.place, failure.reason))
}

/// Decodes the body of an answer that is a list.
///
/// # Errors
/// As [`decode`].
#[expect(private_bounds, reason = "a hook for the generated models, which have it")]
pub fn decode_list<T: for<'de> Decode<'de>>(body: &[u8]) -> Result<Vec<T>, Error> {
    decode(body).map(|NullIsEmpty(items)| items)
}

/// The problem details of an error answer.
#[must_use]
pub fn problem(body: &[u8]) -> Option<ProblemDetails> {
    problem_from_body(body)
}

/// The error of a refused request with these problem details.
#[must_use]
pub fn refused(problem: Option<ProblemDetails>) -> Error {
    Error::new(crate::ErrorKind::InvalidRequest).problem_details(problem)
}

/// How long a `Retry-After` header of this value asks to wait; `None` also where the bytes are no header value.
#[must_use]
pub fn retry_after(value: &[u8], now: SystemTime) -> Option<Duration> {
    let mut headers = HeaderMap::new();
    headers.insert(header::RETRY_AFTER, HeaderValue::from_bytes(value).ok()?);
    transport::retry_after::retry_after(&headers, now)
}

/// The wait before retry number `retry` under the usual policy, and the longest wait a service may ask for; no wait where it asks
/// for more.
#[must_use]
pub fn retry_delay(retry: u32, asked: Option<Duration>) -> (Option<Duration>, Duration) {
    let policy = RetryPolicy::default();
    (transport::retry::delay(&policy, retry, asked), policy.retry_after_cap)
}

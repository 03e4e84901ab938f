//! In-memory mock responses, for tests and previews of an application. The rest of a call is real: client-side validation, tokens,
//! deadlines, retries, decoding, callbacks and cancellation.

mod exchange;
mod folder;
mod script;
#[cfg(test)]
mod tests;

use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};

pub use exchange::{Exchange, RecordedBody, RecordedRequest, RecordedResponse};
use script::Scripts;

use super::attempt::{FailedAttempt, SendResult};
use super::retry::RetryDecision;
use crate::error::{Error, ErrorKind};
use crate::operation::OperationMeta;

/// Base URL of a mocked service if none is set. No request is ever sent to it (RFC 2606 2).
pub(crate) const PLACEHOLDER_URL: &str = "https://mock.invalid";
/// Access token of a mocked service if none is set.
pub(crate) const PLACEHOLDER_TOKEN: &str = "mock";

/// A mock response: status, headers, body and delay.
#[derive(Clone, PartialEq, Eq)]
pub struct MockResponse {
    /// HTTP status; 0 simulates a connection failure.
    pub status: u16,
    /// Response headers.
    pub headers: Vec<(String, String)>,
    /// Body as received. `Debug` shows only its length, because it may be health data.
    pub body: Bytes,
    /// Delay before the response.
    pub delay: Duration,
}

impl MockResponse {
    /// Creates a response with a status and no body.
    #[must_use]
    pub fn status(status: u16) -> Self {
        Self { status, headers: Vec::new(), body: Bytes::new(), delay: Duration::ZERO }
    }

    /// Creates a response with a JSON body and status 200.
    #[must_use]
    pub fn json(text: impl Into<Bytes>) -> Self {
        Self { body: text.into(), ..Self::status(200) }.header(header::CONTENT_TYPE.as_str(), "application/json")
    }

    /// Creates an error response with problem details (RFC 9457).
    #[must_use]
    pub fn problem(status: u16, detail: &str) -> Self {
        let body = serde_json::json!({ "status": status, "detail": detail }).to_string();
        Self { body: body.into(), ..Self::status(status) }.header(header::CONTENT_TYPE.as_str(), "application/problem+json")
    }

    /// Simulates a connection failure.
    #[must_use]
    pub fn no_connection() -> Self {
        Self::status(0)
    }

    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Sets the status.
    #[must_use]
    pub fn with_status(mut self, status: u16) -> Self {
        self.status = status;
        self
    }

    /// Delays the response. The delay counts against the deadlines of the call.
    #[must_use]
    pub fn delay(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// Converts to a response of the HTTP library. Returns `None` if no service could send it.
    fn response(&self) -> Option<reqwest::Response> {
        let mut headers = HeaderMap::with_capacity(self.headers.len());
        for (name, value) in &self.headers {
            headers.append(HeaderName::from_bytes(name.as_bytes()).ok()?, HeaderValue::from_str(value).ok()?);
        }
        let mut response = http::Response::new(self.body.clone());
        // Statuses below 200 are interim responses; statuses above 599 do not exist in HTTP.
        *response.status_mut() = StatusCode::from_u16(self.status).ok().filter(|status| (200..600).contains(&status.as_u16()))?;
        *response.headers_mut() = headers;
        Some(response.into())
    }
}

/// Shows neither the body nor the headers.
impl fmt::Debug for MockResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MockResponse")
            .field("status", &self.status)
            .field("bytes", &self.body.len())
            .field("delay", &self.delay)
            .finish_non_exhaustive()
    }
}

/// A recorded request to a mock response; one for each attempt. The token is not stored.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct MockRequest {
    /// Id of the operation, for example `get_sleep`; `raw` for raw access.
    pub operation: &'static str,
    /// HTTP method, such as `GET`.
    pub http_method: String,
    /// Path below the base URL, percent-encoded.
    pub path: String,
    /// Decoded query, in its original order.
    pub query: Vec<(String, String)>,
    /// Request body; empty if there is none.
    pub body: Bytes,
}

/// Shows neither path, query nor body.
impl fmt::Debug for MockRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MockRequest").field("operation", &self.operation).field("bytes", &self.body.len()).finish_non_exhaustive()
    }
}

/// Mock responses for a client, by operation; see `ClientBuilder::mock_responses`.
///
/// Each attempt of an operation takes the next of its responses; the last one repeats. Clones share their state, so a test can keep one
/// clone and pass the other to a client:
///
/// ```
/// use vitalwire_runtime::transport::{MockResponse, MockResponses};
///
/// let mock = MockResponses::new()
///     .on("get_user_info", MockResponse::status(503))
///     .on("get_user_info", MockResponse::json(r#"{"uid":"u-1"}"#));
/// assert!(mock.requests().is_empty());
/// ```
#[derive(Clone, Default)]
pub struct MockResponses {
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    scripts: Scripts,
    requests: Vec<MockRequest>,
}

impl MockResponses {
    /// Creates an empty set of mock responses. Calls without a response fail with an error that names the operation.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads the exchanges that `vitalwire record` wrote to a folder. A request takes the next exchange with the same method, path and
    /// query.
    ///
    /// # Errors
    /// A configuration error if the folder cannot be read, is empty, or contains an exchange in another format.
    pub fn from_folder(folder: impl AsRef<Path>) -> Result<Self, Error> {
        let responses = Self::new();
        for (request, response) in folder::read(folder.as_ref())? {
            responses.state().scripts.record(&request, response);
        }
        Ok(responses)
    }

    /// Adds a response to an operation, by its id, and returns the set.
    #[must_use]
    pub fn on(self, operation: &str, response: MockResponse) -> Self {
        self.add(operation, response);
        self
    }

    /// Adds a response to an operation, by its id. Clients that use this set see the new response.
    pub fn add(&self, operation: &str, response: MockResponse) {
        self.state().scripts.add(operation, response);
    }

    /// Removes all responses of an operation.
    pub fn clear(&self, operation: &str) {
        self.state().scripts.clear(operation);
    }

    /// Returns all requests so far, one for each attempt.
    #[must_use]
    pub fn requests(&self) -> Vec<MockRequest> {
        self.state().requests.clone()
    }

    /// Responds to a request of the service at `base_url`.
    pub(super) fn respond(
        &self,
        meta: &OperationMeta,
        base_url: &str,
        request: &reqwest::Request,
    ) -> impl Future<Output = SendResult> + Send + use<> {
        let response = self.next(meta, base_url, request);
        let invalid = setup_error(meta, "the mock response must have a valid status and valid headers");
        async move {
            let failed = |error| FailedAttempt { error, retry: RetryDecision::Permanent };
            let response = response.map_err(failed)?;
            if !response.delay.is_zero() {
                tokio::time::sleep(response.delay).await;
            }
            if response.status == 0 {
                let error = Error::with_reason(ErrorKind::Transport, "no connection could be made");
                return Err(FailedAttempt { error, retry: RetryDecision::NotSent });
            }
            response.response().ok_or_else(|| failed(invalid))
        }
    }

    /// Records a request and returns its response.
    fn next(&self, meta: &OperationMeta, base_url: &str, request: &reqwest::Request) -> Result<MockResponse, Error> {
        let address = request.url().as_str();
        let path = address.strip_prefix(base_url).unwrap_or(address).split('?').next().unwrap_or_default();
        let request = MockRequest {
            operation: meta.id,
            http_method: request.method().as_str().to_owned(),
            path: path.to_owned(),
            query: request.url().query_pairs().into_owned().collect(),
            body: request.body().and_then(reqwest::Body::as_bytes).map(Bytes::copy_from_slice).unwrap_or_default(),
        };
        let mut state = self.state();
        let response = state.scripts.next(&request);
        state.requests.push(request);
        response.map_err(|reason| setup_error(meta, reason))
    }

    // The mutex may be poisoned, but a panic leaves no partial update.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Creates the error for a request without a response. It names the operation as the argument, because raw access has no path template.
fn setup_error(meta: &OperationMeta, reason: &'static str) -> Error {
    Error::invalid_setting(format!("mock_responses.{}", meta.id), reason)
}

/// Shows neither responses nor requests.
impl fmt::Debug for MockResponses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MockResponses").field("requests", &self.state().requests.len()).finish_non_exhaustive()
    }
}

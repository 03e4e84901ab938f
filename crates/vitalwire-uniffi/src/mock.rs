//! Mock responses, for tests and previews of an application.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use vitalwire::mock as core;

use crate::call::guarded;
use crate::error::ApiError;
use crate::option::NameAndValue;

/// A mock response: status, headers, body and delay.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct MockResponse {
    /// The body as JSON text; without it there is none.
    #[uniffi(default = None)]
    pub json: Option<String>,
    /// The HTTP status; 0 simulates a connection failure.
    #[uniffi(default = 200)]
    pub status: u16,
    /// The headers.
    #[uniffi(default = [])]
    pub headers: Vec<NameAndValue>,
    /// Delay before the response, in milliseconds. It counts against the deadlines of the call.
    #[uniffi(default = 0)]
    pub delay_ms: u64,
}

/// Shows neither body nor headers.
impl fmt::Debug for MockResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MockResponse(status {}, {} ms)", self.status, self.delay_ms)
    }
}

impl From<MockResponse> for core::MockResponse {
    fn from(given: MockResponse) -> Self {
        let response = match given.json {
            Some(text) => Self::json(text).with_status(given.status),
            None => Self::status(given.status),
        };
        let response = given.headers.iter().fold(response, |response, header| response.header(&header.name, &header.value));
        response.delay(Duration::from_millis(given.delay_ms))
    }
}

/// A request that a mock response answered, one for each attempt, without its token.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct MockRequest {
    /// The operation, such as `get_sleep`.
    pub operation: String,
    /// `GET`, `POST` and so on.
    pub http_method: String,
    /// The path below the base URL, percent-encoded.
    pub path: String,
    /// The query, decoded, in the order in which it was written.
    pub query: Vec<NameAndValue>,
    /// The body; empty if there is none.
    pub body: Vec<u8>,
}

/// Shows no path, query and body.
impl fmt::Debug for MockRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MockRequest({}, {} bytes)", self.operation, self.body.len())
    }
}

impl From<core::MockRequest> for MockRequest {
    fn from(core: core::MockRequest) -> Self {
        Self {
            operation: core.operation.to_owned(),
            http_method: core.http_method,
            path: core.path,
            query: core.query.into_iter().map(|(name, value)| NameAndValue { name, value }).collect(),
            body: core.body.to_vec(),
        }
    }
}

/// Mock responses for a client, by operation. Each attempt of an operation takes the next of its responses; the last one repeats. A call
/// without a response fails with an error of kind `configuration` that names its operation.
#[derive(uniffi::Object)]
pub struct MockResponses(pub(crate) core::MockResponses);

#[uniffi::export]
impl MockResponses {
    /// Creates an empty set.
    #[uniffi::constructor]
    #[must_use]
    pub fn new() -> Arc<Self> {
        Arc::new(Self(core::MockResponses::new()))
    }

    /// Creates a set with a synthetic response to every operation. The people in them do not exist.
    #[uniffi::constructor]
    #[must_use]
    pub fn samples() -> Arc<Self> {
        Arc::new(Self(core::samples()))
    }

    /// Reads the exchanges that `vitalwire record` wrote into a folder. A request takes the next exchange with its method, path and query.
    ///
    /// # Errors
    /// Kind `configuration` if the folder has no such exchanges.
    #[uniffi::constructor]
    pub fn from_folder(folder: String) -> Result<Arc<Self>, ApiError> {
        guarded(|| Ok(Arc::new(Self(core::MockResponses::from_folder(folder)?))))
    }

    /// Adds a response to an operation, such as `get_sleep`.
    pub fn add(&self, operation: String, response: MockResponse) {
        self.0.add(&operation, response.into());
    }

    /// Removes the responses of an operation, so that others can replace them.
    pub fn clear(&self, operation: String) {
        self.0.clear(&operation);
    }

    /// Returns the requests so far, one for each attempt.
    #[must_use]
    pub fn requests(&self) -> Vec<MockRequest> {
        self.0.requests().into_iter().map(Into::into).collect()
    }
}

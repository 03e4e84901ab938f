//! Mock responses, for tests and previews of applications.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use vitalwire::mock as core;

use crate::call::catch_panics;
use crate::error::ApiError;
use crate::option::NameAndValue;

/// A mock response: status, headers, body and delay.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct MockResponse {
    /// The body as JSON text; absent for no body.
    #[uniffi(default = None)]
    pub json: Option<String>,
    /// The HTTP status; 0 simulates a connection failure.
    #[uniffi(default = 200)]
    pub status: u16,
    /// The headers.
    #[uniffi(default = [])]
    pub headers: Vec<NameAndValue>,
    /// Delay before the response, in milliseconds. The delay counts against the timeouts of the call.
    #[uniffi(default = 0)]
    pub delay_ms: u64,
}

/// Omits the body and headers from debug output.
impl fmt::Debug for MockResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MockResponse(status {}, {} ms)", self.status, self.delay_ms)
    }
}

impl From<MockResponse> for core::MockResponse {
    fn from(native: MockResponse) -> Self {
        let response = match native.json {
            Some(text) => Self::json(text).with_status(native.status),
            None => Self::status(native.status),
        };
        let response = native.headers.iter().fold(response, |response, header| response.header(&header.name, &header.value));
        response.delay(Duration::from_millis(native.delay_ms))
    }
}

/// A recorded request of an attempt, without the token.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct MockRequest {
    /// Id of the operation, such as `get_sleep`.
    pub operation: String,
    /// HTTP method, such as `GET`.
    pub http_method: String,
    /// The path below the base URL, percent-encoded.
    pub path: String,
    /// The decoded query parameters, in the order of the request.
    pub query: Vec<NameAndValue>,
    /// The body; empty if there is none.
    pub body: Vec<u8>,
}

/// Omits the path, query and body from debug output.
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

/// Mock responses for a client, by operation.
///
/// Each attempt of an operation takes its next response; the last one repeats. A call without a response fails with an error of kind
/// `configuration` that names the operation.
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

    /// Creates a set with a synthetic response for every operation. All people in the responses are invented.
    #[uniffi::constructor]
    #[must_use]
    pub fn samples() -> Arc<Self> {
        Arc::new(Self(core::samples()))
    }

    /// Creates a set from the exchanges that `vitalwire record` wrote to a folder.
    ///
    /// Each request takes the next exchange with the same method, path and query.
    ///
    /// # Errors
    /// Kind `configuration` if the folder has no such exchanges.
    #[uniffi::constructor]
    pub fn from_folder(folder: String) -> Result<Arc<Self>, ApiError> {
        catch_panics(|| Ok(Arc::new(Self(core::MockResponses::from_folder(folder)?))))
    }

    /// Adds a response to an operation, such as `get_sleep`.
    pub fn add(&self, operation: String, response: MockResponse) {
        self.0.add(&operation, response.into());
    }

    /// Removes all responses of an operation.
    pub fn clear(&self, operation: String) {
        self.0.clear(&operation);
    }

    /// Returns the requests so far, one per attempt.
    #[must_use]
    pub fn requests(&self) -> Vec<MockRequest> {
        self.0.requests().into_iter().map(Into::into).collect()
    }
}

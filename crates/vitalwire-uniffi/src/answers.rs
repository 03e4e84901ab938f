//! Answers from memory, for tests and previews of an application.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use vitalwire::answers as core;

use crate::call::guarded;
use crate::error::ApiError;
use crate::option::NameAndValue;

/// One answer of a service that is not there.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct Answer {
    /// The body as JSON text; without it there is none.
    #[uniffi(default = None)]
    pub json: Option<String>,
    /// The HTTP status; 0 makes no connection, as without a network.
    #[uniffi(default = 200)]
    pub status: u16,
    /// The headers.
    #[uniffi(default = [])]
    pub headers: Vec<NameAndValue>,
    /// Time before the answer, in milliseconds; it counts against the deadlines of the call.
    #[uniffi(default = 0)]
    pub delay_ms: u64,
}

/// Shows neither body nor headers.
impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Answer(status {}, {} ms)", self.status, self.delay_ms)
    }
}

impl From<Answer> for core::Answer {
    fn from(given: Answer) -> Self {
        let answer = match given.json {
            Some(text) => Self::json(text).with_status(given.status),
            None => Self::status(given.status),
        };
        let answer = given.headers.iter().fold(answer, |answer, header| answer.header(&header.name, &header.value));
        answer.after(Duration::from_millis(given.delay_ms))
    }
}

/// One request that was answered from memory: an attempt, without its token.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct Requested {
    /// The operation, such as `get_sleep`.
    pub operation: String,
    /// `GET`, `POST` and their like.
    pub http_method: String,
    /// The path below the base URL, percent-encoded.
    pub path: String,
    /// The query, decoded, in the order in which it was written.
    pub query: Vec<NameAndValue>,
    /// The body; empty if there is none.
    pub body: Vec<u8>,
}

/// Shows no path, query and body.
impl fmt::Debug for Requested {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Requested({}, {} bytes)", self.operation, self.body.len())
    }
}

impl From<core::Requested> for Requested {
    fn from(core: core::Requested) -> Self {
        Self {
            operation: core.operation.to_owned(),
            http_method: core.http_method,
            path: core.path,
            query: core.query.into_iter().map(|(name, value)| NameAndValue { name, value }).collect(),
            body: core.body.to_vec(),
        }
    }
}

/// What a client answers instead of calling a service. The answers of an operation are given in turn, one to each attempt; the last one
/// stays. A call of an operation without an answer is an error of kind `configuration` that names it.
#[derive(uniffi::Object)]
pub struct Answers(pub(crate) core::Answers);

#[uniffi::export]
impl Answers {
    /// Answers without any.
    #[uniffi::constructor]
    #[must_use]
    pub fn new() -> Arc<Self> {
        Arc::new(Self(core::Answers::new()))
    }

    /// A synthetic answer to every operation. Nobody in them exists.
    #[uniffi::constructor]
    #[must_use]
    pub fn samples() -> Arc<Self> {
        Arc::new(Self(core::samples()))
    }

    /// The exchanges that `vitalwire record` wrote into a folder, by path and query, in turn.
    ///
    /// # Errors
    /// Kind `configuration` where the folder holds no such exchanges.
    #[uniffi::constructor]
    pub fn from_folder(folder: String) -> Result<Arc<Self>, ApiError> {
        guarded(|| Ok(Arc::new(Self(core::Answers::from_folder(folder)?))))
    }

    /// Adds the next answer of an operation, such as `get_sleep`.
    pub fn add(&self, operation: String, answer: Answer) {
        self.0.add(&operation, answer.into());
    }

    /// Forgets the answers of an operation, so that others can take their place.
    pub fn clear(&self, operation: String) {
        self.0.clear(&operation);
    }

    /// What was requested so far, attempt by attempt.
    #[must_use]
    pub fn requested(&self) -> Vec<Requested> {
        self.0.requested().into_iter().map(Into::into).collect()
    }
}

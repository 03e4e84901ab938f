//! The error of a wait.

use std::fmt;

use crate::client::Response;
use crate::error::Error;

/// The error of a wait, with the record as last polled. Converts into an [`Error`] with `?`.
pub struct WaitError<T>(Box<WaitErrorData<T>>);

struct WaitErrorData<T> {
    error: Error,
    last: Option<Response<T>>,
}

impl<T> WaitError<T> {
    pub(super) fn new(error: Error) -> Self {
        Self(Box::new(WaitErrorData { error, last: None }))
    }

    pub(super) fn with_last(error: Error, last: Option<Response<T>>) -> Self {
        Self(Box::new(WaitErrorData { error, last }))
    }

    /// Returns the error. Its kind is `timeout` if the wait timed out.
    #[must_use]
    pub fn error(&self) -> &Error {
        &self.0.error
    }

    /// Returns the record as last polled, if it was polled.
    #[must_use]
    pub fn last(&self) -> Option<&Response<T>> {
        self.0.last.as_ref()
    }

    /// Returns the id of the record. A successful upload is not lost: you can wait for this record again.
    #[must_use]
    pub fn record_id(&self) -> Option<&str> {
        self.0.error.record_id()
    }

    /// Returns the error and the record as last polled.
    #[must_use]
    pub fn into_parts(self) -> (Error, Option<Response<T>>) {
        (self.0.error, self.0.last)
    }
}

impl<T> From<WaitError<T>> for Error {
    fn from(error: WaitError<T>) -> Self {
        error.0.error
    }
}

impl<T> fmt::Display for WaitError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.error.fmt(f)
    }
}

/// Redacted: shows the error, and whether a record and its id are known.
impl<T> fmt::Debug for WaitError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WaitError")
            .field("error", &self.0.error)
            .field("last", &self.0.last.is_some())
            .field("record_id", &self.record_id().is_some())
            .finish()
    }
}

impl<T> std::error::Error for WaitError<T> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.error.source()
    }
}

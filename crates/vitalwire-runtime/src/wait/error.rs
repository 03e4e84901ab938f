//! Why waiting ended without a result.

use std::fmt;

use crate::client::Response;
use crate::error::Error;

/// An error, and what was known of the record by then. It turns into an [`Error`] by `?`.
pub struct WaitError<T>(Box<Inner<T>>);

struct Inner<T> {
    error: Error,
    last: Option<Response<T>>,
}

impl<T> WaitError<T> {
    pub(super) fn new(error: Error) -> Self {
        Self(Box::new(Inner { error, last: None }))
    }

    pub(super) fn with(error: Error, last: Option<Response<T>>) -> Self {
        Self(Box::new(Inner { error, last }))
    }

    /// What went wrong; `timeout` when the time was up.
    #[must_use]
    pub fn error(&self) -> &Error {
        &self.0.error
    }

    /// The record as it was read last, if it was.
    #[must_use]
    pub fn last(&self) -> Option<&Response<T>> {
        self.0.last.as_ref()
    }

    /// The id of the record that was made: an upload that was answered is not lost, and can be waited for again.
    #[must_use]
    pub fn record_id(&self) -> Option<&str> {
        self.0.error.record_id()
    }

    /// The error and the record as it was read last.
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

/// Shows the error, and whether there is a record.
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

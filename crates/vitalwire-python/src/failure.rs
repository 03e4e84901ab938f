//! Failures of calls.

use pyo3::prelude::*;
use vitalwire::Error;

use crate::errors;

/// Reason why a call failed: an error of the core or an exception.
pub(crate) enum Failure {
    /// An error of the core.
    Core(Error),
    /// An error with additional fields, such as the last record of a wait.
    Custom(Box<dyn Raise>),
    /// An exception that was already raised, for example by a callback.
    RaisedException(PyErr),
    /// A failure with a note for the exception, if the service caused it.
    Noted(Box<Failure>, String),
}

/// An error that creates its own exception.
pub(crate) trait Raise: Send + 'static {
    fn raise(self: Box<Self>, py: Python<'_>) -> PyErr;
}

impl Failure {
    /// Wraps an error with additional fields.
    pub(crate) fn custom(error: impl Raise) -> Self {
        Self::Custom(Box::new(error))
    }

    /// Adds a note, if any.
    pub(crate) fn with_note(self, note: Option<String>) -> Self {
        match note {
            Some(note) => Self::Noted(Box::new(self), note),
            None => self,
        }
    }

    pub(crate) fn raise(self, py: Python<'_>) -> PyErr {
        match self {
            Self::Core(error) => errors::raise(py, error),
            Self::Custom(error) => error.raise(py),
            Self::RaisedException(exception) => exception,
            Self::Noted(failure, note) => {
                let exception = failure.raise(py);
                let is_response = exception.value(py).getattr("status").is_ok_and(|status| !status.is_none());
                if is_response { errors::with_note(py, exception, &note) } else { exception }
            }
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Core(error)
    }
}

impl From<PyErr> for Failure {
    fn from(exception: PyErr) -> Self {
        Self::RaisedException(exception)
    }
}

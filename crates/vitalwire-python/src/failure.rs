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

    pub(crate) fn raise(self, py: Python<'_>) -> PyErr {
        match self {
            Self::Core(error) => errors::raise(py, error),
            Self::Custom(error) => error.raise(py),
            Self::RaisedException(exception) => exception,
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

//! Why calls of Python have no result.

use pyo3::prelude::*;
use vitalwire::Error;

use crate::errors;

/// Why a call has no result.
pub(crate) enum Failure {
    /// The core's error, which becomes the exception of its kind.
    Core(Error),
    /// An error that knows more than the core's, such as the last known record of a wait.
    Own(Box<dyn Raise>),
    /// An exception that is there already, such as one of a callback.
    Raised(PyErr),
}

/// An error that makes its own exception.
pub(crate) trait Raise: Send + 'static {
    /// The exception.
    fn raise(self: Box<Self>, py: Python<'_>) -> PyErr;
}

impl Failure {
    /// Of an error that makes its own exception.
    pub(crate) fn own(error: impl Raise) -> Self {
        Self::Own(Box::new(error))
    }

    /// The exception.
    pub(crate) fn raise(self, py: Python<'_>) -> PyErr {
        match self {
            Self::Core(error) => errors::raise(py, error),
            Self::Own(error) => error.raise(py),
            Self::Raised(exception) => exception,
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
        Self::Raised(exception)
    }
}

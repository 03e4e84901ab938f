//! Exceptions of syncs.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};
use vitalwire::{Error, ErrorKind};
use vitalwire_sync::{StateError as CoreStateError, SyncError};

use crate::errors;
use crate::failure::{Failure, Raise};
use crate::generated::docs;

/// Returns the class of errors of states.
pub(super) fn state_error(py: Python<'_>) -> PyResult<&Py<PyType>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.get_or_try_init(py, || {
        let members = PyDict::new(py);
        members.set_item("argument", "state")?;
        errors::subclass(py, ErrorKind::InvalidArgument, "StateError", docs!(StateError), members)
    })
}

/// Creates the exception of a sync.
pub(super) fn raise(py: Python<'_>, error: SyncError) -> PyErr {
    match error {
        SyncError::State(error) => create(py, error).unwrap_or_else(|failure| failure),
        SyncError::Client(error) => errors::raise(py, rename_argument(error)),
        // The enum may grow.
        _ => errors::raise(py, Error::internal("the error of a sync is unknown")),
    }
}

fn create(py: Python<'_>, error: CoreStateError) -> PyResult<PyErr> {
    let text = format!("{}: {error}, argument state", ErrorKind::InvalidArgument.as_str());
    let exception = state_error(py)?.bind(py).call1((text,))?;
    exception.setattr("reason", error.as_str())?;
    Ok(PyErr::from_value(exception))
}

/// Renames the argument in an error of the core to Python's keyword.
fn rename_argument(error: Error) -> Error {
    match error.argument() {
        Some("event") => error.with_argument("events"),
        Some("from") => error.with_argument("first"),
        _ => error,
    }
}

/// An error of a sync, raised as a Python exception.
struct RaisedError(SyncError);

impl Raise for RaisedError {
    fn raise(self: Box<Self>, py: Python<'_>) -> PyErr {
        raise(py, self.0)
    }
}

/// Wraps an error of a part.
pub(super) fn fail(error: SyncError) -> Failure {
    Failure::custom(RaisedError(error))
}

//! Cancel tokens, with which other threads or signal handlers cancel a call.

use std::future::Future;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use vitalwire::Error;
use vitalwire::client::{CallOptions, CancelToken as Core};

use crate::failure::Failure;
use crate::generated::docs;

#[doc = docs!(CancelToken)]
#[pyclass(frozen, module = "vitalwire")]
pub(crate) struct CancelToken(Core);

#[pymethods]
impl CancelToken {
    #[new]
    fn new() -> Self {
        Self(Core::new())
    }

    #[doc = docs!(CancelToken.cancel)]
    fn cancel(&self) {
        self.0.cancel();
    }

    #[doc = docs!(CancelToken.cancelled)]
    #[getter]
    fn cancelled(&self) -> bool {
        self.0.is_cancelled()
    }

    fn __repr__(&self) -> String {
        format!("CancelToken(cancelled={})", if self.cancelled() { "True" } else { "False" })
    }
}

/// Optional cancel token of a call.
#[derive(Clone, Default)]
pub(crate) struct Cancellation(Option<Core>);

impl FromPyObject<'_, '_> for Cancellation {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        let Ok(token) = object.cast::<CancelToken>() else { return Err(PyTypeError::new_err("must be a CancelToken")) };
        Ok(Self(Some(token.get().0.clone())))
    }
}

impl Cancellation {
    /// Returns a child that can also be cancelled on its own.
    pub(crate) fn child(&self) -> Core {
        self.0.as_ref().map_or_else(Core::new, Core::child)
    }

    /// Adds the token to the options of a call.
    pub(crate) fn apply_to(&self, options: CallOptions) -> CallOptions {
        match &self.0 {
            Some(token) => options.cancel_token(token),
            None => options,
        }
    }

    /// Runs work and drops it at cancellation. Calls of the core handle the token themselves, so that they can report their progress.
    pub(crate) async fn run<T>(self, work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
        match self.0 {
            Some(token) => token.unless_cancelled(work).await.unwrap_or_else(|| Err(Error::cancelled().into())),
            None => work.await,
        }
    }
}

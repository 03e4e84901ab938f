//! Iterators over the parts of a sync.

use std::future::Future;

use pyo3::exceptions::{PyStopAsyncIteration, PyStopIteration};
use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};
use vitalwire::Error;
use vitalwire::range::{AnyParts, Delivery, RangeError, UndeliveredPart};
use vitalwire_sync::{SyncError, SyncPart as CorePart, SyncStream};

use super::failure;
use super::part::SyncPart;
use crate::caller::Caller;
use crate::coroutine::Coroutine;
use crate::errors;
use crate::failure::Failure;
use crate::generated::docs;
use crate::runtime::CallMode;

/// Result of a part.
type PartResult = Result<CorePart, SyncError>;

/// State of an iterator over parts.
pub(super) struct Reader {
    caller: Caller,
    parts: AnyParts<PartResult>,
}

impl Reader {
    pub(super) fn new(caller: Caller, stream: SyncStream) -> Self {
        Self { caller, parts: stream.shared() }
    }

    fn next(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.parts.check_process().map_err(|error| errors::raise(py, error))?;
        let (mode, work) = (self.caller.mode(), read(self.parts.next_undelivered()));
        self.caller.run(
            py,
            |_| work,
            move |py, part: Option<(CorePart, Delivery<PartResult>)>| match (part, mode) {
                (Some((part, delivery)), _) => {
                    let part = Py::new(py, SyncPart::new(part))?.into_any();
                    delivery.confirm();
                    Ok(part)
                }
                (None, CallMode::Sync) => Err(PyStopIteration::new_err(())),
                (None, CallMode::Async) => Err(PyStopAsyncIteration::new_err(())),
            },
        )
    }

    fn close(&self) {
        self.parts.close();
    }
}

/// Reads the next part. An error counts as delivered at once, because its days stay due.
async fn read(
    next: impl Future<Output = Result<Option<UndeliveredPart<PartResult>>, RangeError>>,
) -> Result<Option<(CorePart, Delivery<PartResult>)>, Failure> {
    let Some(UndeliveredPart { part, delivery }) = next.await.map_err(Error::from)? else { return Ok(None) };
    match part.response.map_err(Error::from)? {
        Ok(part) => Ok(Some((part, delivery))),
        Err(error) => {
            delivery.confirm();
            Err(failure::fail(error))
        }
    }
}

#[doc = docs!(SyncParts)]
#[pyclass(frozen, module = "vitalwire")]
pub(crate) struct SyncParts(pub(super) Reader);

#[doc = docs!(AsyncSyncParts)]
#[pyclass(frozen, module = "vitalwire")]
pub(crate) struct AsyncSyncParts(pub(super) Reader);

/// Defines the methods that the sync and the async iterator share.
macro_rules! methods {
    ($name:ident) => {
        #[pymethods]
        impl $name {
            #[doc = docs!($name.close)]
            fn close(&self) {
                self.0.close();
            }

            fn __enter__(this: Bound<'_, Self>) -> Bound<'_, Self> {
                this
            }

            #[pyo3(signature = (*_exception))]
            fn __exit__(&self, _exception: &Bound<'_, pyo3::types::PyTuple>) {
                self.close();
            }

            fn __repr__(&self) -> &'static str {
                concat!(stringify!($name), "(...)")
            }

            fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
                self.0.caller.visit(&visit)
            }
        }
    };
}

methods!(SyncParts);
methods!(AsyncSyncParts);

#[pymethods]
impl SyncParts {
    fn __iter__(this: Bound<'_, Self>) -> Bound<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.0.next(py)
    }
}

#[pymethods]
impl AsyncSyncParts {
    fn __aiter__(this: Bound<'_, Self>) -> Bound<'_, Self> {
        this
    }

    fn __anext__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.0.next(py)
    }

    #[doc = docs!(AsyncSyncParts.aclose)]
    fn aclose(this: Bound<'_, Self>) -> Coroutine {
        let this = this.unbind();
        Coroutine::ready(move |py| {
            this.get().close();
            Ok(py.None())
        })
    }
}

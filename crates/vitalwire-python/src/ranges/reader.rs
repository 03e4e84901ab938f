//! Iterators over parts of a range and nights of a search.

use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::{PyStopAsyncIteration, PyStopIteration};
use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};
use vitalwire::range::{AnyPart, AnyParts, OnError, Progress, UndeliveredPart};

use super::ObjectFactory;
use super::part::{self, PartError};
use super::progress::Reporter;
use super::token::ResumeToken;
use crate::caller::Caller;
use crate::coroutine::Coroutine;
use crate::errors;
use crate::failure::{Failure, Raise};
use crate::generated::docs;
use crate::runtime::CallMode;

/// State of an iterator over parts.
struct Reader {
    caller: Caller,
    /// Whether a failed part raises its error or is returned with it.
    on_error: OnError,
    reporter: Option<Reporter>,
    parts: AnyParts<ObjectFactory>,
    /// Last reported progress.
    reported: Mutex<Option<Progress>>,
}

impl Reader {
    fn next(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.parts.check_process().map_err(|error| errors::raise(py, error))?;
        self.report_previous(py)?;
        let (mode, on_error, next) = (self.caller.mode(), self.on_error, self.parts.next_undelivered());
        self.caller.run(
            py,
            |_| async move { next.await.map_err(|failure| Failure::custom(PartError::from(failure))) },
            move |py, part: Option<UndeliveredPart<ObjectFactory>>| match (part, mode) {
                (Some(UndeliveredPart { part, delivery }), _) => {
                    let delivered = match part.response {
                        Err(failure) if on_error == OnError::Stop => Err(Box::new(PartError::from(failure)).raise(py)),
                        response => Ok(part::part_object(py, AnyPart { response, ..part })?),
                    };
                    delivery.confirm();
                    delivered
                }
                (None, CallMode::Sync) => Err(PyStopIteration::new_err(())),
                (None, CallMode::Async) => Err(PyStopAsyncIteration::new_err(())),
            },
        )
    }

    /// Reports progress for the previous part, which the caller has processed.
    fn report_previous(&self, py: Python<'_>) -> PyResult<()> {
        let Some(reporter) = &self.reporter else { return Ok(()) };
        let progress = self.parts.progress();
        let before = self.reported.lock().unwrap_or_else(PoisonError::into_inner).replace(progress);
        if progress.done > 0 && before != Some(progress) {
            reporter.report(py, progress).inspect_err(|raised| {
                self.parts.close();
                self.attach_resume_token(py, raised);
            })?;
        }
        if progress.done == progress.total {
            reporter.close(py)?;
        }
        Ok(())
    }

    /// Attaches a resume token for the remaining parts to an exception, if the exception accepts attributes.
    fn attach_resume_token(&self, py: Python<'_>, raised: &PyErr) {
        let _ = raised.value(py).setattr("resume_token", self.resume_token());
    }

    fn visit(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.caller.visit(visit)?;
        self.reporter.as_ref().map_or(Ok(()), |reporter| reporter.visit(visit))
    }

    fn resume_token(&self) -> Option<ResumeToken> {
        self.parts.resume_token().map(ResumeToken)
    }

    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.parts.close();
        self.reporter.as_ref().map_or(Ok(()), |reporter| reporter.close(py))
    }
}

#[doc = docs!(RangeParts)]
#[pyclass(frozen, generic, module = "vitalwire")]
pub(crate) struct RangeParts(Reader);

#[doc = docs!(AsyncRangeParts)]
#[pyclass(frozen, generic, module = "vitalwire")]
pub(crate) struct AsyncRangeParts(Reader);

/// Defines the methods that the sync and the async iterator share.
macro_rules! methods {
    ($name:ident) => {
        impl $name {
            pub(super) fn new(caller: Caller, on_error: OnError, reporter: Option<Reporter>, parts: AnyParts<ObjectFactory>) -> Self {
                Self(Reader { caller, on_error, reporter, parts, reported: Mutex::new(None) })
            }
        }

        #[pymethods]
        impl $name {
            #[doc = docs!($name.resume_token)]
            #[getter]
            fn resume_token(&self) -> Option<ResumeToken> {
                self.0.resume_token()
            }

            #[doc = docs!($name.close)]
            fn close(&self, py: Python<'_>) -> PyResult<()> {
                self.0.close(py)
            }

            fn __enter__(this: Bound<'_, Self>) -> Bound<'_, Self> {
                this
            }

            #[pyo3(signature = (*_exception))]
            fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, pyo3::types::PyTuple>) -> PyResult<()> {
                self.0.close(py)
            }

            fn __repr__(&self) -> &'static str {
                concat!(stringify!($name), "(...)")
            }

            fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
                self.0.visit(&visit)
            }
        }
    };
}

methods!(RangeParts);
methods!(AsyncRangeParts);

#[pymethods]
impl RangeParts {
    fn __iter__(this: Bound<'_, Self>) -> Bound<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.0.next(py).inspect_err(|raised| {
            if errors::is_program_exit(py, raised) {
                self.0.attach_resume_token(py, raised);
            }
        })
    }
}

#[pymethods]
impl AsyncRangeParts {
    fn __aiter__(this: Bound<'_, Self>) -> Bound<'_, Self> {
        this
    }

    fn __anext__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = this.py();
        py.import("vitalwire._progress")?.call_method1("turn", (this, this.get().0.next(py)?))
    }

    #[doc = docs!(AsyncRangeParts.aclose)]
    fn aclose(this: Bound<'_, Self>) -> Coroutine {
        let this = this.unbind();
        Coroutine::ready(move |py| {
            this.get().0.close(py)?;
            Ok(py.None())
        })
    }
}

//! Progress reports of ranges.

use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};
use vitalwire::Error;
use vitalwire::error::ErrorKind;
use vitalwire::range::Progress;

use crate::errors;
use crate::generated::docs;

#[doc = docs!(RangeProgress)]
#[pyclass(frozen, eq, module = "vitalwire")]
#[derive(PartialEq)]
pub(crate) struct RangeProgress {
    #[doc = docs!(RangeProgress.done)]
    #[pyo3(get)]
    done: u32,
    #[doc = docs!(RangeProgress.total)]
    #[pyo3(get)]
    total: u32,
    #[doc = docs!(RangeProgress.items)]
    #[pyo3(get)]
    items: u64,
}

#[pymethods]
impl RangeProgress {
    fn __repr__(&self) -> String {
        format!("RangeProgress(done={}, total={}, items={})", self.done, self.total, self.items)
    }

    fn __hash__(&self) -> u64 {
        (u64::from(self.done) << 32) ^ u64::from(self.total) ^ self.items.rotate_left(16)
    }
}

/// Target of progress reports.
pub(super) enum Reporting {
    /// No reports.
    Silent,
    /// Progress bar or lines of text.
    Shown,
    /// Callback of the caller.
    Callback(Py<PyAny>),
}

impl Reporting {
    /// Returns the same target, for a copy of the range.
    pub(super) fn share(&self, py: Python<'_>) -> Self {
        match self {
            Self::Silent => Self::Silent,
            Self::Shown => Self::Shown,
            Self::Callback(function) => Self::Callback(function.clone_ref(py)),
        }
    }

    /// Creates the receiver of one run.
    pub(super) fn start(&self, py: Python<'_>, operation: &str, total: u32) -> PyResult<Option<Reporter>> {
        Ok(match self {
            Self::Silent => None,
            Self::Callback(function) => Some(Reporter { function: function.clone_ref(py), close: None }),
            Self::Shown => {
                let display = py.import("vitalwire._progress")?.call_method1("show", (operation, total))?;
                Some(Reporter { function: display.getattr("update")?.unbind(), close: Some(display.getattr("close")?.unbind()) })
            }
        })
    }
}

/// Receiver of the progress of one run.
pub(super) struct Reporter {
    function: Py<PyAny>,
    /// Closes the progress display.
    close: Option<Py<PyAny>>,
}

impl Reporter {
    /// Reports progress. An exception of the callback becomes the cause of the error that ends the range.
    pub(super) fn report(&self, py: Python<'_>, progress: Progress) -> PyResult<()> {
        let progress = RangeProgress { done: progress.done, total: progress.total, items: progress.items };
        let Err(raised) = self.function.call1(py, (progress,)) else { return Ok(()) };
        // Exceptions that end programs, such as Ctrl-C, are raised unchanged.
        if errors::is_program_exit(py, &raised) {
            return Err(raised);
        }
        let ended = errors::raise(py, Error::with_reason(ErrorKind::Cancelled, "the progress callback raised an exception"));
        ended.set_cause(py, Some(raised));
        Err(ended)
    }

    /// Visits the callback for the garbage collector.
    pub(super) fn visit(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.function)?;
        visit.call(&self.close)
    }

    /// Closes the progress display.
    pub(super) fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.close.as_ref().map_or(Ok(()), |close| close.call0(py).map(drop))
    }
}

//! Days and requests of a sync.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use vitalwire_sync::{PlannedDays as CoreDays, SyncPlan as Core};

use crate::generated::docs;

#[doc = docs!(SyncPlan)]
#[pyclass(frozen, eq, module = "vitalwire")]
#[derive(PartialEq)]
pub(crate) struct SyncPlan(pub(super) Core);

#[pymethods]
impl SyncPlan {
    #[doc = docs!(SyncPlan.days)]
    #[getter]
    fn days<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let days = self.0.days.iter().map(|days| Py::new(py, PlannedDays(days.clone())));
        PyTuple::new(py, days.collect::<PyResult<Vec<_>>>()?)
    }

    #[doc = docs!(SyncPlan.requests)]
    #[getter]
    fn requests(&self) -> u64 {
        self.0.requests
    }

    fn __repr__(&self) -> String {
        format!("SyncPlan(requests={})", self.0.requests)
    }
}

#[doc = docs!(PlannedDays)]
#[pyclass(frozen, eq, module = "vitalwire")]
#[derive(PartialEq)]
pub(crate) struct PlannedDays(CoreDays);

#[pymethods]
impl PlannedDays {
    #[doc = docs!(PlannedDays.kinds)]
    #[getter]
    fn kinds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.kinds.iter().map(|kind| kind.as_str()))
    }

    #[doc = docs!(PlannedDays.days)]
    #[getter]
    fn days<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let ranges = self.0.days.ranges().map(|days| super::bounds(py, days));
        PyTuple::new(py, ranges.collect::<PyResult<Vec<_>>>()?)
    }

    #[doc = docs!(PlannedDays.requests)]
    #[getter]
    fn requests(&self) -> u64 {
        self.0.requests
    }

    /// Returns a text without days.
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("PlannedDays(kinds={}, requests={})", self.kinds(py)?.repr()?, self.0.requests))
    }
}

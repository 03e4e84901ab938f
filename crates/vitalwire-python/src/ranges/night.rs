//! Nights of a search.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use pyo3::{PyTraverseError, PyVisit};
use vitalwire::value::Date;

use super::part::{response_or_raise, split_result};
use crate::generated::docs;
use crate::{convert, html};

#[doc = docs!(NightResult)]
#[pyclass(frozen, module = "vitalwire")]
pub(crate) struct NightResult {
    #[doc = docs!(NightResult.days)]
    #[pyo3(get)]
    days: Py<PyTuple>,
    sleep: Option<Py<PyAny>>,
    #[doc = docs!(NightResult.failure)]
    #[pyo3(get)]
    failure: Option<Py<PyAny>>,
}

impl NightResult {
    pub(super) fn new(py: Python<'_>, days: &[Date], result: Result<Py<PyAny>, Py<PyAny>>) -> PyResult<Self> {
        let days = days.iter().map(|day| convert::date(py, *day)).collect::<PyResult<Vec<_>>>()?;
        let (sleep, failure) = split_result(result);
        Ok(Self { days: PyTuple::new(py, days)?.unbind(), sleep, failure })
    }
}

#[pymethods]
impl NightResult {
    #[doc = docs!(NightResult.sleep)]
    #[getter]
    fn sleep(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        response_or_raise(py, self.sleep.as_ref(), self.failure.as_ref())
    }

    /// Returns a text without dates or values.
    fn __repr__(&self, py: Python<'_>) -> String {
        let failed = if self.failure.is_some() { ", failed" } else { "" };
        format!("NightResult(days[{}]{failed})", self.days.bind(py).len())
    }

    /// Shows the record in a notebook.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        match &self.sleep {
            Some(sleep) => sleep.call_method0(py, "_repr_html_")?.extract(py),
            None => Ok(html::escape(&self.__repr__(py))),
        }
    }

    /// Visits the error for the garbage collector. An error that was raised refers to frames.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.failure)
    }
}

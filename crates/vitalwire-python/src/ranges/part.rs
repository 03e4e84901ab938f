//! Parts of a range.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use pyo3::{PyTraverseError, PyVisit};
use vitalwire::Error;
use vitalwire::range::{AnyPart, RangeError, ResumeToken as Token};

use super::ObjectFactory;
use super::arguments::rename_argument;
use super::merged::{self, CoreMerged};
use super::night::NightResult;
use super::token::{ResumeToken, bounds};
use crate::errors;
use crate::failure::{Failure, Raise};
use crate::generated::docs;

/// Error of a part or of a range.
pub(super) struct PartError {
    error: Error,
    /// Token for the parts that were not read.
    left: Option<Token>,
    /// Parts that were read before, merged.
    partial_result: Option<CoreMerged>,
}

/// Creates the exception of a range that ended early.
pub(super) fn range_failure(failure: RangeError<CoreMerged>) -> Failure {
    let left = failure.resume_token().cloned();
    let (partial_result, error) = failure.into_parts();
    Failure::custom(PartError { error: rename_argument(error), left, partial_result })
}

impl From<RangeError> for PartError {
    fn from(failure: RangeError) -> Self {
        let left = failure.resume_token().cloned();
        Self { error: failure.into(), left, partial_result: None }
    }
}

/// Creates a `RangePart` or a `NightResult`.
pub(super) fn part_object(py: Python<'_>, part: AnyPart<ObjectFactory>) -> PyResult<Py<PyAny>> {
    let AnyPart { index, range, days, duplicates, response } = part;
    let response = match response {
        Ok(response) => Ok(response(py)?),
        Err(failure) => Err(PartError::from(failure).exception(py)?.into_value(py).into_any()),
    };
    let Some(index) = index else { return Ok(Py::new(py, NightResult::new(py, &days, response)?)?.into_any()) };
    let range = range.map(|range| bounds(py, range).map(Bound::unbind)).transpose()?;
    let (response, failure) = split_result(response);
    Ok(Py::new(py, RangePart { index, range, response, failure, duplicates })?.into_any())
}

impl PartError {
    pub(super) fn exception(self, py: Python<'_>) -> PyResult<PyErr> {
        let exception = errors::raise(py, self.error);
        let value = exception.value(py);
        if let Some(left) = self.left {
            value.setattr("resume_token", ResumeToken(left))?;
        }
        if let Some(partial_result) = self.partial_result {
            value.setattr("partial_result", merged::merged_object(py, partial_result)?)?;
        }
        Ok(exception)
    }
}

impl Raise for PartError {
    fn raise(self: Box<Self>, py: Python<'_>) -> PyErr {
        self.exception(py).unwrap_or_else(|failure| failure)
    }
}

#[doc = docs!(RangePart)]
#[pyclass(frozen, generic, module = "vitalwire")]
pub(crate) struct RangePart {
    #[doc = docs!(RangePart.index)]
    #[pyo3(get)]
    index: u32,
    #[doc = docs!(RangePart.range)]
    #[pyo3(get)]
    range: Option<Py<PyTuple>>,
    response: Option<Py<PyAny>>,
    #[doc = docs!(RangePart.failure)]
    #[pyo3(get)]
    failure: Option<Py<PyAny>>,
    #[doc = docs!(RangePart.duplicates)]
    #[pyo3(get)]
    duplicates: usize,
}

/// Separates response and error of a part.
pub(super) fn split_result(result: Result<Py<PyAny>, Py<PyAny>>) -> (Option<Py<PyAny>>, Option<Py<PyAny>>) {
    match result {
        Ok(response) => (Some(response), None),
        Err(error) => (None, Some(error)),
    }
}

/// Returns the response or raises the error of a part.
pub(super) fn response_or_raise(py: Python<'_>, response: Option<&Py<PyAny>>, error: Option<&Py<PyAny>>) -> PyResult<Py<PyAny>> {
    match (response, error) {
        (Some(response), _) => Ok(response.clone_ref(py)),
        (None, Some(error)) => Err(PyErr::from_value(error.bind(py).clone())),
        (None, None) => Err(PyRuntimeError::new_err("the part has neither a response nor a failure")),
    }
}

#[pymethods]
impl RangePart {
    #[doc = docs!(RangePart.response)]
    #[getter]
    fn response(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        response_or_raise(py, self.response.as_ref(), self.failure.as_ref())
    }

    /// Returns a text without bounds or values.
    fn __repr__(&self) -> String {
        let failed = if self.failure.is_some() { ", failed" } else { "" };
        format!("RangePart(index={}, duplicates={}{failed})", self.index, self.duplicates)
    }

    /// Visits the error for the garbage collector. An error that was raised refers to frames, and these may refer to the part: a cycle.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.failure)
    }
}

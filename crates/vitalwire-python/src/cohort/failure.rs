//! Failures of users.

use pyo3::prelude::*;
use pyo3::types::{PyDate, PyType};
use vitalwire_cohort::{Failure as Core, FailureReason as CoreReason};

use super::arguments;
use crate::arguments::numbers;
use crate::{convert, errors};

/// A failure to read one table of a user for a span of days.
///
/// user: User id or pseudonym, as in the column `user`.
///
/// table: Name of the table.
///
/// first, last: First and last day that could not be read.
///
/// kind: Name of the error kind, such as `authentication`.
///
/// status: HTTP status of the last response. `None` if there was no response.
///
/// message: Error message. Contains no token and no health data.
#[pyclass(frozen, eq, from_py_object, module = "vitalwire.cohort")]
#[derive(Clone, PartialEq)]
pub(crate) struct Failure(pub(super) Core);

impl Failure {
    /// Returns the exception of the failure.
    pub(super) fn to_error(&self, py: Python<'_>) -> PyErr {
        errors::raise_kind(py, &self.0.kind, &self.0.message, self.0.status)
    }
}

#[pymethods]
impl Failure {
    #[new]
    fn new(
        user: String,
        table: &str,
        first: &Bound<'_, PyAny>,
        last: &Bound<'_, PyAny>,
        kind: String,
        #[pyo3(from_py_with = numbers::status)] status: Option<u16>,
        message: String,
    ) -> PyResult<Self> {
        let table = arguments::table(first.py(), "table", table)?;
        let (first, last) = (convert::to_date("first", first)?, convert::to_date("last", last)?);
        Ok(Self(Core { user, table, first, last, kind, status, message }))
    }

    /// User id or pseudonym, as in the column `user`.
    #[getter]
    fn user(&self) -> &str {
        &self.0.user
    }

    /// Name of the table.
    #[getter]
    fn table(&self) -> &'static str {
        self.0.table.as_str()
    }

    /// First day that could not be read.
    #[getter]
    fn first<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDate>> {
        convert::date(py, self.0.first)
    }

    /// Last day that could not be read.
    #[getter]
    fn last<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDate>> {
        convert::date(py, self.0.last)
    }

    /// Name of the error kind, such as `authentication`.
    #[getter]
    fn kind(&self) -> &str {
        &self.0.kind
    }

    /// HTTP status of the last response. `None` if there was no response.
    #[getter]
    fn status(&self) -> Option<u16> {
        self.0.status
    }

    /// Error message. Contains no token and no health data.
    #[getter]
    fn message(&self) -> &str {
        &self.0.message
    }

    fn __hash__(&self) -> u64 {
        crate::hash::of(&(&self.0.user, self.0.table, self.0.first.to_string(), &self.0.kind, &self.0.message))
    }

    fn __repr__(&self) -> String {
        let Core { table, first, last, kind, .. } = &self.0;
        format!("<vitalwire.cohort.Failure: {table}, {first} to {last}, {kind}>")
    }

    #[allow(clippy::type_complexity, reason = "the fields")]
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyType>, (&str, &'static str, Bound<'py, PyDate>, Bound<'py, PyDate>, &str, Option<u16>, &str))> {
        let fields = (self.user(), self.table(), self.first(py)?, self.last(py)?, self.kind(), self.status(), self.message());
        Ok((py.get_type::<Self>(), fields))
    }
}

/// A reason of failures, with the number of tables of users that failed for it.
///
/// kind: Name of the error kind, such as `authentication`.
///
/// status: HTTP status of the last response. `None` if there was no response.
///
/// message: Error message of the first failure. Contains no token and no health data.
///
/// count: Number of tables of users.
#[pyclass(frozen, eq, get_all, module = "vitalwire.cohort")]
#[derive(Clone, PartialEq)]
pub(crate) struct FailureReason {
    /// Name of the error kind, such as `authentication`.
    kind: String,
    /// HTTP status of the last response. `None` if there was no response.
    status: Option<u16>,
    /// Error message of the first failure. Contains no token and no health data.
    message: String,
    /// Number of tables of users.
    count: usize,
}

impl From<CoreReason> for FailureReason {
    fn from(CoreReason { kind, status, message, count }: CoreReason) -> Self {
        Self { kind, status, message, count }
    }
}

#[pymethods]
impl FailureReason {
    #[new]
    fn new(
        kind: String,
        #[pyo3(from_py_with = numbers::status)] status: Option<u16>,
        message: String,
        #[pyo3(from_py_with = numbers::count)] count: usize,
    ) -> Self {
        Self { kind, status, message, count }
    }

    fn __hash__(&self) -> u64 {
        crate::hash::of(&(&self.kind, self.status, self.count))
    }

    fn __repr__(&self) -> String {
        format!("<vitalwire.cohort.FailureReason: {}, {} tables of users>", self.kind, self.count)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (&str, Option<u16>, &str, usize)) {
        (py.get_type::<Self>(), (&self.kind, self.status, &self.message, self.count))
    }
}

//! Failures of users.

use pyo3::prelude::*;
use pyo3::types::{PyDate, PyType};
use vitalwire_cohort::{Failure as Core, FailureReason as CoreReason};

use super::arguments;
use crate::arguments::numbers;
use crate::generated::docs;
use crate::{convert, errors};

#[doc = docs!(Failure)]
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

    #[doc = docs!(Failure.user)]
    #[getter]
    fn user(&self) -> &str {
        &self.0.user
    }

    #[doc = docs!(Failure.table)]
    #[getter]
    fn table(&self) -> &'static str {
        self.0.table.as_str()
    }

    #[doc = docs!(Failure.first)]
    #[getter]
    fn first<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDate>> {
        convert::date(py, self.0.first)
    }

    #[doc = docs!(Failure.last)]
    #[getter]
    fn last<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDate>> {
        convert::date(py, self.0.last)
    }

    #[doc = docs!(Failure.kind)]
    #[getter]
    fn kind(&self) -> &str {
        &self.0.kind
    }

    #[doc = docs!(Failure.status)]
    #[getter]
    fn status(&self) -> Option<u16> {
        self.0.status
    }

    #[doc = docs!(Failure.message)]
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

#[doc = docs!(FailureReason)]
#[pyclass(frozen, eq, get_all, module = "vitalwire.cohort")]
#[derive(Clone, PartialEq)]
pub(crate) struct FailureReason {
    #[doc = docs!(FailureReason.kind)]
    kind: String,
    #[doc = docs!(FailureReason.status)]
    status: Option<u16>,
    #[doc = docs!(FailureReason.message)]
    message: String,
    #[doc = docs!(FailureReason.count)]
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

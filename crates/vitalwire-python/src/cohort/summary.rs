//! Summaries and progress of exports.

use pyo3::prelude::*;
use pyo3::types::{PyDate, PyDict, PyTuple, PyType};
use vitalwire::value::Date;
use vitalwire_cohort::Changes as CoreChanges;
use vitalwire_cohort::dataset::{Progress as CoreProgress, Summary as CoreSummary};

use super::arguments;
use super::failure::FailureReason;
use crate::arguments::numbers;
use crate::convert;
use crate::generated::docs;

#[doc = docs!(Changes)]
#[pyclass(frozen, eq, hash, get_all, module = "vitalwire.cohort")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Changes {
    #[doc = docs!(Changes.added)]
    added: u64,
    #[doc = docs!(Changes.changed)]
    changed: u64,
    #[doc = docs!(Changes.removed)]
    removed: u64,
}

impl From<CoreChanges> for Changes {
    fn from(CoreChanges { added, changed, removed }: CoreChanges) -> Self {
        Self { added, changed, removed }
    }
}

#[pymethods]
impl Changes {
    #[new]
    fn new(
        #[pyo3(from_py_with = numbers::added)] added: u64,
        #[pyo3(from_py_with = numbers::changed)] changed: u64,
        #[pyo3(from_py_with = numbers::removed)] removed: u64,
    ) -> Self {
        Self { added, changed, removed }
    }

    fn __repr__(&self) -> String {
        format!("Changes(added={}, changed={}, removed={})", self.added, self.changed, self.removed)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (u64, u64, u64)) {
        (py.get_type::<Self>(), (self.added, self.changed, self.removed))
    }
}

#[doc = docs!(Summary)]
#[pyclass(frozen, module = "vitalwire.cohort")]
pub(crate) struct Summary {
    #[doc = docs!(Summary.tables)]
    #[pyo3(get)]
    tables: Py<PyDict>,
    #[doc = docs!(Summary.users)]
    #[pyo3(get)]
    users: usize,
    #[doc = docs!(Summary.failures)]
    #[pyo3(get)]
    failures: usize,
    #[doc = docs!(Summary.reasons)]
    #[pyo3(get)]
    reasons: Py<PyTuple>,
    #[doc = docs!(Summary.not_listed)]
    #[pyo3(get)]
    not_listed: usize,
    #[doc = docs!(Summary.removed_users)]
    #[pyo3(get)]
    removed_users: usize,
    last_day: Option<Date>,
}

impl Summary {
    pub(super) fn from_core(py: Python<'_>, core: CoreSummary) -> PyResult<Self> {
        let tables = PyDict::new(py);
        for (table, changes) in core.tables {
            tables.set_item(table.as_str(), Changes::from(changes))?;
        }
        let reasons = core.reasons.into_iter().map(|reason| Py::new(py, FailureReason::from(reason))).collect::<PyResult<Vec<_>>>()?;
        Ok(Self {
            tables: tables.unbind(),
            users: core.users,
            failures: core.failures,
            reasons: PyTuple::new(py, reasons)?.unbind(),
            not_listed: core.not_listed,
            removed_users: core.removed_users,
            last_day: core.last_day,
        })
    }

    /// Returns the fields, in the order of the arguments of the constructor.
    fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let last_day = self.last_day(py)?;
        (self.tables.bind(py), self.users, self.failures, self.reasons.bind(py), self.not_listed, self.removed_users, last_day)
            .into_pyobject(py)
    }
}

#[pymethods]
impl Summary {
    #[new]
    fn new(
        tables: Py<PyDict>,
        #[pyo3(from_py_with = numbers::users)] users: usize,
        #[pyo3(from_py_with = numbers::failures)] failures: usize,
        reasons: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = numbers::not_listed)] not_listed: usize,
        #[pyo3(from_py_with = numbers::removed_users)] removed_users: usize,
        last_day: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let last_day = arguments::day("last_day", last_day)?;
        let reasons = PyTuple::new(reasons.py(), reasons.try_iter()?.collect::<PyResult<Vec<_>>>()?)?.unbind();
        Ok(Self { tables, users, failures, reasons, not_listed, removed_users, last_day })
    }

    #[doc = docs!(Summary.last_day)]
    #[getter]
    fn last_day<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDate>>> {
        self.last_day.map(|day| convert::date(py, day)).transpose()
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        match other.cast::<Self>() {
            Ok(other) => self.fields(py)?.eq(other.get().fields(py)?),
            Err(_) => Ok(false),
        }
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let names = ["tables", "users", "failures", "reasons", "not_listed", "removed_users", "last_day"];
        let fields = self.fields(py)?;
        let fields: PyResult<Vec<String>> =
            names.iter().zip(&fields).map(|(name, value)| Ok(format!("{name}={}", value.repr()?))).collect();
        Ok(format!("Summary({})", fields?.join(", ")))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyType>, Bound<'py, PyTuple>)> {
        Ok((py.get_type::<Self>(), self.fields(py)?))
    }
}

#[doc = docs!(ExportProgress)]
#[pyclass(frozen, eq, hash, get_all, module = "vitalwire.cohort")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ExportProgress {
    #[doc = docs!(ExportProgress.done)]
    pub(super) done: u64,
    #[doc = docs!(ExportProgress.total)]
    pub(super) total: u64,
    #[doc = docs!(ExportProgress.rows)]
    pub(super) rows: u64,
    #[doc = docs!(ExportProgress.failures)]
    pub(super) failures: u64,
}

impl From<CoreProgress> for ExportProgress {
    fn from(CoreProgress { done, total, rows, failures }: CoreProgress) -> Self {
        Self { done, total, rows, failures }
    }
}

#[pymethods]
impl ExportProgress {
    #[new]
    fn new(
        #[pyo3(from_py_with = numbers::done)] done: u64,
        #[pyo3(from_py_with = numbers::total)] total: u64,
        #[pyo3(from_py_with = numbers::rows)] rows: u64,
        #[pyo3(from_py_with = numbers::failures)] failures: u64,
    ) -> Self {
        Self { done, total, rows, failures }
    }

    fn __repr__(&self) -> String {
        let Self { done, total, rows, failures } = self;
        format!("ExportProgress(done={done}, total={total}, rows={rows}, failures={failures})")
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (u64, u64, u64, u64)) {
        (py.get_type::<Self>(), (self.done, self.total, self.rows, self.failures))
    }
}

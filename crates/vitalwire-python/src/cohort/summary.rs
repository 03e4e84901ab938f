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

/// Numbers of rows of a table that an export changed.
///
/// added: Rows of new records.
///
/// changed: Rows of records whose content has changed.
///
/// removed: Rows of records that the service no longer returns.
#[pyclass(frozen, eq, hash, get_all, module = "vitalwire.cohort")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Changes {
    /// Rows of new records.
    added: u64,
    /// Rows of records whose content has changed.
    changed: u64,
    /// Rows of records that the service no longer returns.
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

/// Summary of an export.
///
/// tables: Changes by table.
///
/// users: Number of users of the plan.
///
/// failures: Number of pairs of user and table with a failure. `failures(path)` lists the failures.
///
/// reasons: Reasons of the failures, the most frequent first.
///
/// not_listed: Number of users of the dataset without credentials. Their rows stay in the dataset.
///
/// removed_users: Number of users with credentials whose rows were removed from the dataset. The run leaves them out.
///
/// last_day: Last day that was requested. Later days of the plan are not over. `None` if nothing was due.
#[pyclass(frozen, module = "vitalwire.cohort")]
pub(crate) struct Summary {
    /// Changes by table.
    #[pyo3(get)]
    tables: Py<PyDict>,
    /// Number of users of the plan.
    #[pyo3(get)]
    users: usize,
    /// Number of pairs of user and table with a failure.
    #[pyo3(get)]
    failures: usize,
    /// Reasons of the failures, the most frequent first.
    #[pyo3(get)]
    reasons: Py<PyTuple>,
    /// Number of users of the dataset without credentials.
    #[pyo3(get)]
    not_listed: usize,
    /// Number of users with credentials whose rows were removed from the dataset. The run leaves them out.
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

    /// Last day that was requested. `None` if nothing was due.
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

/// Progress of an export or a reader.
///
/// done, total: Number of finished days, and of all days, of an export. Each user and table counts separately. For a reader, numbers of
/// items.
///
/// rows: Number of rows received.
///
/// failures: Number of failures of users.
#[pyclass(frozen, eq, hash, get_all, module = "vitalwire.cohort")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ExportProgress {
    /// Number of finished days, or items of a reader.
    pub(super) done: u64,
    /// Number of all days, or items of a reader.
    pub(super) total: u64,
    /// Number of rows received.
    pub(super) rows: u64,
    /// Number of failures of users.
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

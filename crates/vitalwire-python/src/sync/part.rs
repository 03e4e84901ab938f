//! Parts of a sync.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyTuple};
use vitalwire::Error;
use vitalwire_sync::SyncPart as Core;

use super::change::Change;
use crate::cohort::arguments;
use crate::errors;
use crate::generated::docs;
use crate::table::Table;

#[doc = docs!(SyncPart)]
#[pyclass(frozen, module = "vitalwire")]
pub(crate) struct SyncPart {
    core: Arc<Core>,
    changes: PyOnceLock<Py<PyTuple>>,
    /// Tables of the kinds, in their order.
    tables: PyOnceLock<Vec<Py<Table>>>,
}

impl SyncPart {
    pub(super) fn new(core: Core) -> Self {
        Self { core: Arc::new(core), changes: PyOnceLock::new(), tables: PyOnceLock::new() }
    }
}

#[pymethods]
impl SyncPart {
    #[doc = docs!(SyncPart.days)]
    #[getter]
    fn days<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        super::bounds(py, self.core.days())
    }

    #[doc = docs!(SyncPart.kinds)]
    #[getter]
    fn kinds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.core.kinds().map(vitalwire_sync::RecordKind::as_str).collect::<Vec<_>>())
    }

    #[doc = docs!(SyncPart.changes)]
    #[getter]
    fn changes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let create = || {
            let changes = (0..self.core.changes().len()).map(|index| Py::new(py, Change::new(Arc::clone(&self.core), index)));
            Ok::<_, PyErr>(PyTuple::new(py, changes.collect::<PyResult<Vec<_>>>()?)?.unbind())
        };
        Ok(self.changes.get_or_try_init(py, create)?.bind(py).clone())
    }

    #[doc = docs!(SyncPart.table)]
    fn table<'py>(&self, py: Python<'py>, kind: &Bound<'_, PyAny>) -> PyResult<Bound<'py, Table>> {
        let kind = arguments::table(py, "kind", crate::arguments::extract(kind, "kind")?)?;
        let create = || {
            let tables = self.core.kinds().filter_map(|kind| self.core.table(kind));
            tables.map(|table| Py::new(py, Table::new(table.clone()))).collect::<PyResult<Vec<_>>>()
        };
        let tables = self.tables.get_or_try_init(py, create)?;
        let found = self.core.kinds().zip(tables).find(|(other, _)| *other == kind);
        let missing = || errors::raise(py, Error::invalid_argument("kind", "must be one of the kinds of the part"));
        found.map(|(_, table)| table.bind(py).clone()).ok_or_else(missing)
    }

    #[doc = docs!(SyncPart.state_before)]
    #[getter]
    fn state_before<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.core.state_before())
    }

    #[doc = docs!(SyncPart.state)]
    #[getter]
    fn state<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.core.state())
    }

    #[doc = docs!(SyncPart.generation)]
    #[getter]
    fn generation(&self) -> u64 {
        self.core.generation()
    }

    #[doc = docs!(SyncPart.progress)]
    #[getter]
    fn progress(&self) -> SyncProgress {
        let progress = self.core.progress();
        SyncProgress { done_days: progress.done_days, total_days: progress.total_days }
    }

    #[doc = docs!(SyncPart.has_more)]
    #[getter]
    fn has_more(&self) -> bool {
        self.core.has_more()
    }

    #[doc = docs!(SyncPart.left_out)]
    #[getter]
    fn left_out(&self) -> u64 {
        self.core.left_out()
    }

    /// Returns a text with numbers only.
    fn __repr__(&self) -> String {
        let (changes, progress) = (self.core.changes().len(), self.core.progress());
        format!("SyncPart(changes={changes}, done_days={}, total_days={})", progress.done_days, progress.total_days)
    }
}

#[doc = docs!(SyncProgress)]
#[pyclass(frozen, eq, hash, module = "vitalwire")]
#[derive(PartialEq, Hash)]
pub(crate) struct SyncProgress {
    #[doc = docs!(SyncProgress.done_days)]
    #[pyo3(get)]
    done_days: u64,
    #[doc = docs!(SyncProgress.total_days)]
    #[pyo3(get)]
    total_days: u64,
}

#[pymethods]
impl SyncProgress {
    fn __repr__(&self) -> String {
        format!("SyncProgress(done_days={}, total_days={})", self.done_days, self.total_days)
    }
}

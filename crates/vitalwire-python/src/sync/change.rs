//! Changes of records.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyDate;
use vitalwire::Error;
use vitalwire_sync::{Change as Core, SyncPart};

use crate::generated::docs;
use crate::{convert, errors, json};

#[doc = docs!(Change)]
#[pyclass(frozen, module = "vitalwire")]
pub(crate) struct Change {
    part: Arc<SyncPart>,
    index: usize,
}

impl Change {
    pub(super) fn new(part: Arc<SyncPart>, index: usize) -> Self {
        Self { part, index }
    }

    fn core(&self, py: Python<'_>) -> PyResult<&Core> {
        self.part.changes().get(self.index).ok_or_else(|| errors::raise(py, Error::internal("a part has lost a change")))
    }
}

#[pymethods]
impl Change {
    #[doc = docs!(Change.kind)]
    #[getter]
    fn kind(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.core(py).map(|change| change.kind.as_str())
    }

    #[doc = docs!(Change.type)]
    #[getter]
    fn r#type(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.core(py).map(|change| change.change_type.as_str())
    }

    #[doc = docs!(Change.id)]
    #[getter]
    fn id(&self, py: Python<'_>) -> PyResult<Option<&str>> {
        self.core(py).map(|change| change.id.as_deref())
    }

    #[doc = docs!(Change.day)]
    #[getter]
    fn day<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDate>>> {
        self.core(py)?.day.map(|day| convert::date(py, day)).transpose()
    }

    #[doc = docs!(Change.before)]
    #[getter]
    fn before(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.core(py).map(|change| change.before.map(|key| key.to_string()))
    }

    #[doc = docs!(Change.after)]
    #[getter]
    fn after(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.core(py).map(|change| change.after.map(|key| key.to_string()))
    }

    #[doc = docs!(Change.rows)]
    #[getter]
    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let rows = self.part.json_rows(self.core(py)?);
        let text = serde_json::to_string(&rows).map_err(|_| errors::raise(py, Error::internal("a row cannot be serialized")))?;
        json::value(py, &text)
    }

    /// Returns a text without id and day.
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Change(kind='{}', type='{}')", self.kind(py)?, self.r#type(py)?))
    }
}

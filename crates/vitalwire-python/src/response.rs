//! Response metadata.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use vitalwire::client::{ResponseMetadata as CoreMetadata, SkippedItem as Core};
use vitalwire::operation::Provenance;

use crate::generated::docs;
use crate::getters::getters;

#[doc = docs!(ResponseMetadata)]
#[pyclass(frozen, module = "vitalwire")]
pub(crate) struct ResponseMetadata(CoreMetadata);

impl ResponseMetadata {
    /// Returns the metadata of a single response.
    pub(crate) fn from_provenance(provenance: Option<&Arc<Provenance>>) -> Option<Self> {
        provenance?.response().cloned().map(Self)
    }
}

getters!(ResponseMetadata, self {
    status: u16 = self.0.status,
    request_id: Option<&str> = self.0.request_id.as_deref(),
    attempts: u32 = self.0.attempts,
    elapsed: f64 = self.0.elapsed.as_secs_f64(),
    body: Option<&[u8]> = self.0.body().map(AsRef::as_ref),
});

#[pymethods]
impl ResponseMetadata {
    #[doc = docs!(ResponseMetadata.skipped_items)]
    #[getter]
    fn skipped_items<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        skipped_tuple(py, self.0.skipped_items())
    }

    #[doc = docs!(ResponseMetadata.skipped_count)]
    #[getter]
    fn skipped_count(&self) -> u64 {
        self.0.skipped_count()
    }

    fn __repr__(&self) -> String {
        format!("ResponseMetadata(status={}, attempts={})", self.0.status, self.0.attempts)
    }
}

#[doc = docs!(SkippedItem)]
#[pyclass(frozen, module = "vitalwire")]
pub(crate) struct SkippedItem(Core);

getters!(SkippedItem, self { json_path: &str = self.0.json_path(), reason: &str = self.0.reason(), json: &str = self.0.json() });

#[pymethods]
impl SkippedItem {
    fn __repr__(&self) -> String {
        format!("SkippedItem(json_path='{}', reason='{}')", self.0.json_path(), self.0.reason())
    }
}

/// Returns skipped list items as a tuple.
pub(crate) fn skipped_tuple<'py>(py: Python<'py>, items: &[Core]) -> PyResult<Bound<'py, PyTuple>> {
    let items = items.iter().map(|item| Bound::new(py, SkippedItem(item.clone()))).collect::<PyResult<Vec<_>>>()?;
    PyTuple::new(py, items)
}

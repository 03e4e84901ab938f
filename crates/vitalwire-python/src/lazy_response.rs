//! Responses that are read as columns. Their records are decoded on first use.

use std::sync::Arc;

use pyo3::PyClass;
use pyo3::prelude::*;
use pyo3::pyclass_init::PyClassInitializer;
use pyo3::sync::PyOnceLock;
use vitalwire::Error;
use vitalwire::client::LazyResponse as Core;
use vitalwire::operation::Provenance;
use vitalwire::table::TableId;
use vitalwire::value::decode::FromBody;

use crate::errors;
use crate::table::{ExportWarnings, Table};
use crate::view::View;

/// Decoded records, or a response whose columns were read first.
pub(crate) struct LazyResponse<T: 'static> {
    ready: Option<View<T>>,
    core: Option<Core<T>>,
    /// Records that were decoded after the columns.
    read: PyOnceLock<View<T>>,
    /// Warnings that were emitted for the table, shared by all reads of the table.
    warnings: Arc<ExportWarnings>,
}

/// A Python class of a response that is read as columns.
pub(crate) trait Columnar: PyClass + Into<PyClassInitializer<Self>> {
    /// Record type of the core.
    type Core: FromBody + Send + Sync + 'static;

    /// Table whose columns are read during the call.
    const TABLE: TableId;

    /// Creates the Python object of a response.
    fn from_lazy_response(response: LazyResponse<Self::Core>) -> Self;
}

impl<T: FromBody + Send + Sync + 'static> LazyResponse<T> {
    /// Wraps decoded records.
    pub(crate) fn from_view(view: View<T>) -> Self {
        Self { ready: Some(view), core: None, read: PyOnceLock::new(), warnings: Arc::default() }
    }

    pub(crate) fn from_response(core: Core<T>) -> Self {
        Self { ready: None, core: Some(core), read: PyOnceLock::new(), warnings: Arc::default() }
    }

    /// Returns the records. Decodes them at the first call.
    pub(crate) fn view(&self, py: Python<'_>) -> PyResult<&View<T>> {
        if let Some(view) = &self.ready {
            return Ok(view);
        }
        self.read.get_or_try_init(py, || {
            let core = self.core.as_ref().ok_or_else(|| errors::raise(py, Error::internal("a response has no body")))?;
            let record = py.detach(|| core.record().cloned()).map_err(|error| errors::raise(py, error))?;
            Ok(View::shared(record, Some(Arc::clone(core.provenance()))))
        })
    }

    /// Returns the response metadata.
    pub(crate) fn provenance(&self) -> Option<&Arc<Provenance>> {
        self.ready.as_ref().map_or_else(|| self.core.as_ref().map(Core::provenance), View::provenance)
    }

    /// Returns the table that was read during the call.
    pub(crate) fn table(&self) -> Option<Table> {
        let columns = self.core.as_ref()?.columns()?;
        Some(Table::shared(Arc::clone(columns), Arc::clone(&self.warnings)))
    }
}

//! Answers that are read as columns at the call, and as records when these are first asked for.

use std::sync::Arc;

use pyo3::PyClass;
use pyo3::prelude::*;
use pyo3::pyclass_init::PyClassInitializer;
use pyo3::sync::PyOnceLock;
use serde::de::DeserializeOwned;
use vitalwire::Error;
use vitalwire::client::Deferred as Core;
use vitalwire::operation::Provenance;
use vitalwire::table::TableId;

use crate::errors;
use crate::table::{Table, Told};
use crate::view::View;

/// Records that were there from the start, or an answer that has columns first.
pub(crate) struct Deferred<T: 'static> {
    ready: Option<View<T>>,
    core: Option<Core<T>>,
    /// Records that were asked for later.
    read: PyOnceLock<View<T>>,
    /// What was told of the columns, however often they are asked for.
    told: Arc<Told>,
}

/// A Python class that shows such an answer.
pub(crate) trait Columnar: PyClass + Into<PyClassInitializer<Self>> {
    /// The core's record.
    type Core: DeserializeOwned + Send + Sync + 'static;

    /// The table whose columns are read at the call.
    const TABLE: TableId;

    /// The class over an answer.
    fn deferred(answer: Deferred<Self::Core>) -> Self;
}

impl<T: DeserializeOwned + Send + Sync + 'static> Deferred<T> {
    /// Of records that are there.
    pub(crate) fn of(view: View<T>) -> Self {
        Self { ready: Some(view), core: None, read: PyOnceLock::new(), told: Arc::default() }
    }

    /// Of an answer.
    pub(crate) fn answered(core: Core<T>) -> Self {
        Self { ready: None, core: Some(core), read: PyOnceLock::new(), told: Arc::default() }
    }

    /// The records, decoded when this is first called.
    pub(crate) fn view(&self, py: Python<'_>) -> PyResult<&View<T>> {
        if let Some(view) = &self.ready {
            return Ok(view);
        }
        self.read.get_or_try_init(py, || {
            let core = self.core.as_ref().ok_or_else(|| errors::raise(py, Error::internal("an answer without a body")))?;
            let record = py.detach(|| core.record().cloned()).map_err(|error| errors::raise(py, error))?;
            Ok(View::shared(record, Some(Arc::clone(core.provenance()))))
        })
    }

    /// What is known of the answer.
    pub(crate) fn answer(&self) -> Option<&Arc<Provenance>> {
        self.ready.as_ref().map_or_else(|| self.core.as_ref().map(Core::provenance), View::answer)
    }

    /// The table that was read at the call.
    pub(crate) fn table(&self) -> Option<Table> {
        let columns = self.core.as_ref()?.columns()?;
        Some(Table::shared(Arc::clone(columns), Arc::clone(&self.told)))
    }
}

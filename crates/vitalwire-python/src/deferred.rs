//! Answers that are read as columns at the call, and as records when these are first asked for.

use std::sync::Arc;

use pyo3::PyClass;
use pyo3::prelude::*;
use pyo3::pyclass_init::PyClassInitializer;
use pyo3::sync::PyOnceLock;
use serde::de::DeserializeOwned;
use vitalwire::client::{RawResponse, ResponseMeta};
use vitalwire::table::{Table as Core, TableId};

use crate::caller::Failure;
use crate::errors;
use crate::table::{Table, Told};
use crate::view::View;

/// An answer of which columns are there, records, or both.
pub(crate) struct Deferred<T: 'static> {
    /// Records that were there from the start.
    ready: Option<View<T>>,
    /// Records that were asked for later.
    read: PyOnceLock<View<T>>,
    columns: Option<Columns>,
    answer: Option<Arc<ResponseMeta>>,
}

/// Columns, and the body that records are read from.
struct Columns {
    table: Arc<Core>,
    /// What was told of it, however often it is asked for.
    told: Arc<Told>,
    body: RawResponse,
}

/// A Python class that shows such an answer.
pub(crate) trait Columnar: PyClass + Into<PyClassInitializer<Self>> {
    /// The core's record.
    type Core: DeserializeOwned + Send + Sync + 'static;

    /// The table whose columns are read at the call, and the id of the operation.
    const TABLE: (TableId, &'static str);

    /// The class over an answer.
    fn deferred(answer: Deferred<Self::Core>) -> Self;
}

impl<T: DeserializeOwned + Send + Sync + 'static> Deferred<T> {
    /// Of records that are there.
    pub(crate) fn of(view: View<T>) -> Self {
        let answer = view.answer().cloned();
        Self { ready: Some(view), read: PyOnceLock::new(), columns: None, answer }
    }

    /// Reads the columns of a body, which is the check of it. Where they cannot be read, the records' own error is the call's.
    pub(crate) fn read(body: RawResponse, (id, operation): (TableId, &'static str)) -> Result<Self, Failure> {
        let answer = Arc::new(body.meta.clone());
        match Core::read(id, operation, &body.body) {
            Ok(table) => {
                let columns = Columns { table: Arc::new(table.with_asked_columns(&body.meta)), told: Arc::default(), body };
                Ok(Self { ready: None, read: PyOnceLock::new(), columns: Some(columns), answer: Some(answer) })
            }
            Err(_) => Ok(Self::of(View::of(body.decode()?, Some(answer)))),
        }
    }

    /// The records, decoded when this is first called.
    pub(crate) fn view(&self, py: Python<'_>) -> PyResult<&View<T>> {
        if let Some(view) = &self.ready {
            return Ok(view);
        }
        self.read.get_or_try_init(py, || {
            let Some(columns) = &self.columns else {
                return Err(errors::raise(py, vitalwire::Error::internal("an answer without a body")));
            };
            let record = py.detach(|| columns.body.decode()).map_err(|error| errors::raise(py, error))?;
            Ok(View::of(record, self.answer.clone()))
        })
    }

    /// What is known of the answer.
    pub(crate) fn answer(&self) -> Option<&Arc<ResponseMeta>> {
        self.answer.as_ref()
    }

    /// The table that was read at the call.
    pub(crate) fn table(&self) -> Option<Table> {
        self.columns.as_ref().map(|columns| Table::shared(Arc::clone(&columns.table), Arc::clone(&columns.told)))
    }
}

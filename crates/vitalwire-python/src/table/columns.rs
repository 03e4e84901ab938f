//! Reading of bodies, and selection of columns.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyType;
use vitalwire::Error;
use vitalwire::table::{Table as Core, TableSpec};

use super::Table;
use super::response::table_id;
use crate::arguments::{Texts, methods};
use crate::generated::docs;
use crate::{convert, errors, hints};

impl Table {
    /// Returns a table with only these columns, in this order. `None` selects all.
    pub(crate) fn only_columns(self, py: Python<'_>, columns: Option<&Texts>) -> PyResult<Self> {
        let Some(columns) = columns else { return Ok(self) };
        let selected = self.core.only_columns(&names(columns));
        let selected = selected.map_err(|error| unknown_column(py, error, self.core.spec(), columns))?;
        Ok(Self::shared(Arc::new(selected), self.warnings))
    }

    /// Returns the same table, or a new one with only these columns.
    pub(super) fn with_columns<'py>(slf: &Bound<'py, Self>, columns: Option<&Texts>) -> PyResult<Bound<'py, Self>> {
        if columns.is_none() {
            return Ok(slf.clone());
        }
        Bound::new(slf.py(), slf.get().share().only_columns(slf.py(), columns)?)
    }
}

#[pymethods]
impl Table {
    #[doc = docs!(Table.read)]
    #[classmethod]
    #[pyo3(signature = (name, operation, body, *, columns=None))]
    fn read(
        _: &Bound<'_, PyType>,
        py: Python<'_>,
        #[pyo3(from_py_with = methods::name)] name: &str,
        #[pyo3(from_py_with = methods::operation)] operation: &str,
        body: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = methods::columns)] columns: Option<Texts>,
    ) -> PyResult<Self> {
        let (id, body) = (table_id(py, name)?, convert::as_bytes("body", body)?);
        // `bytes` objects are immutable, so they can be read with the interpreter released.
        let bytes = body.as_bytes();
        let Some(columns) = columns else {
            return py.detach(|| Core::read(id, operation, bytes)).map(Self::new).map_err(|error| errors::raise(py, error));
        };
        let read = py.detach(|| Core::read_columns(id, operation, &names(&columns), bytes));
        read.map(Self::new).map_err(|error| unknown_column(py, error, id.spec(), &columns))
    }
}

fn names(columns: &Texts) -> Vec<&str> {
    columns.0.iter().map(String::as_str).collect()
}

/// Converts an error. One about `columns` gets a note for each name that the table does not declare.
fn unknown_column(py: Python<'_>, error: Error, spec: &TableSpec, columns: &Texts) -> PyErr {
    let about_columns = error.argument() == Some("columns");
    let raised = errors::raise(py, error);
    let declared: Vec<&str> = spec.fields().iter().map(|field| &*field.name).collect();
    let unknown = columns.0.iter().filter(|name| about_columns && !declared.contains(&name.as_str()));
    unknown.fold(raised, |raised, name| errors::with_note(py, raised, &hints::unknown_name(name, &declared)))
}

//! Rows and columns of tables as plain Python values.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use pyo3::exceptions::{PyIndexError, PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PySlice, PyString};
use vitalwire::Error;
use vitalwire::table::Table as Core;

use super::Table;
use super::cells::cell_list;
use crate::arguments::{methods, numbers};
use crate::generated::docs;
use crate::{errors, hints};

impl Table {
    /// Copies these rows into a new table.
    fn take(&self, py: Python<'_>, rows: &[usize]) -> PyResult<Self> {
        self.core.take(rows).map(|core| Self::shared(Arc::new(core), Arc::clone(&self.warnings))).map_err(|error| errors::raise(py, error))
    }
}

#[pymethods]
impl Table {
    #[doc = docs!(Table.head)]
    #[pyo3(signature = (rows=5))]
    fn head(&self, py: Python<'_>, #[pyo3(from_py_with = numbers::rows)] rows: usize) -> PyResult<Self> {
        self.take(py, &(0..rows.min(self.core.len())).collect::<Vec<_>>())
    }

    /// Returns the tables as one. Those with a value for the key have it in a column in front. For `vitalwire._tables`.
    #[staticmethod]
    fn _concat(
        py: Python<'_>,
        tables: Vec<(Option<String>, PyRef<'_, Self>)>,
        #[pyo3(from_py_with = methods::key)] key: &str,
    ) -> PyResult<Self> {
        let mut whole: Option<Core> = None;
        for (value, table) in tables {
            let note = value.as_deref().map(hints::table_of);
            let raise = |error| note.iter().fold(errors::raise(py, error), |raised, note| errors::with_note(py, raised, note));
            let next = Core::clone(&table.core);
            let next = match value {
                Some(value) => next.with_key(key, &value).map_err(raise)?,
                None => next,
            };
            match &mut whole {
                Some(whole) => whole.append(next).map_err(raise)?,
                None => whole = Some(next),
            }
        }
        whole.map(Self::new).ok_or_else(|| errors::raise(py, Error::invalid_argument("tables", "must not be empty")))
    }

    fn __getitem__<'py>(&self, py: Python<'py>, at: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if let Ok(name) = at.cast::<PyString>() {
            return column_values(py, self, name);
        }
        if let Ok(slice) = at.cast::<PySlice>() {
            return Ok(Bound::new(py, self.take(py, &sliced_rows(slice, self.core.len())?)?)?.into_any());
        }
        Ok(row_dict(py, self, row_index(at, self.core.len())?)?.into_any())
    }

    /// Iterates over the rows, as dicts.
    fn __iter__(slf: Bound<'_, Self>) -> Rows {
        Rows::new(slf.unbind())
    }

    /// Whether the table has a column of this name.
    fn __contains__(&self, name: &Bound<'_, PyAny>) -> bool {
        name.extract::<&str>().is_ok_and(|name| self.exported().any(|column| column.field().name == name))
    }
}

/// Returns the values of a column as a list.
fn column_values<'py>(py: Python<'py>, table: &Table, name: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
    let wanted = name.to_str().unwrap_or_default();
    let Some(column) = table.exported().find(|column| column.field().name == wanted) else {
        let names: Vec<&str> = table.exported().map(|column| &*column.field().name).collect();
        let error = PyKeyError::new_err("no column has this name");
        return Err(errors::with_note(py, error, &hints::unknown_name(wanted, &names)));
    };
    Ok(cell_list(py, column, 0..table.core.len())?.into_any())
}

/// Returns a row as a dict.
fn row_dict<'py>(py: Python<'py>, table: &Table, row: usize) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for column in table.exported() {
        dict.set_item(&*column.field().name, cell_list(py, column, row..row + 1)?.get_item(0)?)?;
    }
    Ok(dict)
}

/// Returns the index of a row. A negative one counts from the end.
fn row_index(at: &Bound<'_, PyAny>, rows: usize) -> PyResult<usize> {
    let index: isize =
        at.extract().map_err(|_| PyTypeError::new_err("a table's key must be the name of a column, an index or a slice of rows"))?;
    let index = if index < 0 { rows.checked_add_signed(index) } else { usize::try_from(index).ok() };
    index.filter(|index| *index < rows).ok_or_else(|| PyIndexError::new_err("the table has no row with this index"))
}

/// Returns the indexes of the rows of a slice.
fn sliced_rows(slice: &Bound<'_, PySlice>, rows: usize) -> PyResult<Vec<usize>> {
    let indices = slice.indices(isize::try_from(rows)?)?;
    let rows = (0..indices.slicelength).map(|at| indices.start + isize::try_from(at).unwrap_or_default() * indices.step);
    Ok(rows.filter_map(|row| usize::try_from(row).ok()).collect())
}

/// Iterator over the rows of a table.
#[pyclass(frozen, module = "vitalwire", name = "_Rows")]
pub(crate) struct Rows {
    table: Py<Table>,
    next: AtomicUsize,
}

impl Rows {
    fn new(table: Py<Table>) -> Self {
        Self { table, next: AtomicUsize::new(0) }
    }
}

#[pymethods]
impl Rows {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let (at, table) = (self.next.fetch_add(1, Ordering::Relaxed), self.table.get());
        if at < table.core.len() { row_dict(py, table, at).map(Some) } else { Ok(None) }
    }
}

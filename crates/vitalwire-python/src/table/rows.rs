//! Rows and columns of tables as plain Python values.

use std::sync::atomic::{AtomicUsize, Ordering};

use pyo3::exceptions::{PyIndexError, PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PySlice, PyString};

use super::Table;
use super::cells::cell_list;
use crate::{errors, hints};

/// Returns the values of a column as a list.
pub(super) fn column<'py>(py: Python<'py>, table: &Table, name: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
    let wanted = name.to_str().unwrap_or_default();
    let Some(column) = table.exported().find(|column| column.field().name == wanted) else {
        let names: Vec<&str> = table.exported().map(|column| &*column.field().name).collect();
        let error = PyKeyError::new_err("no column has this name");
        return Err(errors::with_note(py, error, &hints::unknown_name(wanted, &names)));
    };
    Ok(cell_list(py, column, 0..table.core.len())?.into_any())
}

/// Returns a row as a dict.
pub(super) fn row<'py>(py: Python<'py>, table: &Table, row: usize) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for column in table.exported() {
        dict.set_item(&*column.field().name, cell_list(py, column, row..row + 1)?.get_item(0)?)?;
    }
    Ok(dict)
}

/// Returns the index of a row. A negative one counts from the end.
pub(super) fn index(at: &Bound<'_, PyAny>, rows: usize) -> PyResult<usize> {
    let index: isize =
        at.extract().map_err(|_| PyTypeError::new_err("a table's key must be the name of a column, an index or a slice of rows"))?;
    let index = if index < 0 { rows.checked_add_signed(index) } else { usize::try_from(index).ok() };
    index.filter(|index| *index < rows).ok_or_else(|| PyIndexError::new_err("the table has no row with this index"))
}

/// Returns the indexes of the rows of a slice.
pub(super) fn slice(slice: &Bound<'_, PySlice>, rows: usize) -> PyResult<Vec<usize>> {
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
    pub(super) fn new(table: Py<Table>) -> Self {
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
        if at < table.core.len() { row(py, table, at).map(Some) } else { Ok(None) }
    }
}

//! Columns of tables as memory that numpy can adopt without a copy.

use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyList, PyTuple};
use vitalwire::table::{Column, ColumnData, ColumnKind, Table, TimeUnit};

use super::{cells, kind_name};

/// Value of `NaT`, the missing time of numpy.
const MISSING: i64 = i64::MIN;

/// Returns the names of all columns, the number columns as `(places, doubles)`, and each other column as `(place, kind, nullable, data,
/// mask)`. A place is the index of a column in the frame.
///
/// Doubles are stored column by column; missing ones are NaN. `data` depends on the kind of the column: texts, dates and lists are in a
/// list, integers and times in a `bytearray` of 64-bit integers, and booleans in a `bytearray` with a byte per row. For times, `mask`
/// is the numpy type. For integers and booleans, `mask` is a `bytearray` with a byte per row that marks missing values.
pub(super) fn parts<'py>(py: Python<'py>, table: &Table, lists: bool) -> PyResult<Bound<'py, PyTuple>> {
    let exported: Vec<&Column> = table.exported().filter(|column| lists || column.field().kind != ColumnKind::TextList).collect();
    let names: Vec<&str> = exported.iter().map(|column| &*column.field().name).collect();
    let (numbers, others): (Vec<_>, Vec<_>) =
        exported.into_iter().enumerate().partition(|(_, column)| column.field().kind == ColumnKind::Number);
    let places: Vec<usize> = numbers.iter().map(|(place, _)| *place).collect();
    let block = number_block(py, &numbers, table.len())?;
    let others = others
        .into_iter()
        .map(|(place, column)| other_column(py, place, column, table.len(), table.time_unit()))
        .collect::<PyResult<Vec<_>>>()?;
    (names, (places, block), PyList::new(py, others)?).into_pyobject(py)
}

fn number_block<'py>(py: Python<'py>, numbers: &[(usize, &Column)], rows: usize) -> PyResult<Bound<'py, PyByteArray>> {
    const WIDTH: usize = size_of::<f64>();
    PyByteArray::new_with(py, numbers.len() * rows * WIDTH, |bytes| {
        if rows == 0 {
            return Ok(());
        }
        for (place, (_, column)) in bytes.chunks_exact_mut(rows * WIDTH).zip(numbers) {
            let ColumnData::Number(values) = column.data() else { continue };
            // A column without a value stores no numbers.
            let values = values.iter().copied().chain(std::iter::repeat(f64::NAN));
            for (row, (cell, value)) in place.as_chunks_mut::<WIDTH>().0.iter_mut().zip(values).enumerate() {
                *cell = if column.is_missing(row) { f64::NAN } else { value }.to_ne_bytes();
            }
        }
        Ok(())
    })
}

fn other_column<'py>(py: Python<'py>, place: usize, column: &Column, rows: usize, unit: TimeUnit) -> PyResult<Bound<'py, PyTuple>> {
    let field = column.field();
    let at = |row: usize| (!column.is_missing(row)).then_some(row);
    let (data, mask) = match column.data() {
        ColumnData::Instant(times) | ColumnData::LocalTime(times) if unit == TimeUnit::Nanosecond => (
            integers_to_bytes(py, rows, |row| at(row).and_then(|row| times.nanoseconds(row)).unwrap_or(MISSING))?.into_any(),
            "M8[ns]".into_pyobject(py)?.into_any(),
        ),
        ColumnData::Instant(times) | ColumnData::LocalTime(times) => (
            integers_to_bytes(py, rows, |row| at(row).and_then(|row| times.microseconds().get(row).copied()).unwrap_or(MISSING))?
                .into_any(),
            "M8[us]".into_pyobject(py)?.into_any(),
        ),
        ColumnData::Integer(values) => (
            integers_to_bytes(py, rows, |row| values.get(row).copied().unwrap_or_default())?.into_any(),
            mask(py, column, rows)?.into_any(),
        ),
        ColumnData::Boolean(values) => (
            booleans_to_bytes(py, rows, |row| values.get(row).copied().unwrap_or_default())?.into_any(),
            mask(py, column, rows)?.into_any(),
        ),
        _ => (cells::cell_list(py, column, 0..rows)?.into_any(), py.None().into_bound(py)),
    };
    (place, kind_name(field.kind), field.nullable, data, mask).into_pyobject(py)
}

fn mask<'py>(py: Python<'py>, column: &Column, rows: usize) -> PyResult<Bound<'py, PyByteArray>> {
    booleans_to_bytes(py, rows, |row| column.is_missing(row))
}

fn integers_to_bytes<'py>(py: Python<'py>, rows: usize, value: impl Fn(usize) -> i64) -> PyResult<Bound<'py, PyByteArray>> {
    PyByteArray::new_with(py, rows * size_of::<i64>(), |bytes| {
        for (row, cell) in bytes.as_chunks_mut().0.iter_mut().enumerate() {
            *cell = value(row).to_ne_bytes();
        }
        Ok(())
    })
}

fn booleans_to_bytes<'py>(py: Python<'py>, rows: usize, value: impl Fn(usize) -> bool) -> PyResult<Bound<'py, PyByteArray>> {
    PyByteArray::new_with(py, rows, |bytes| {
        for (row, cell) in bytes.iter_mut().enumerate() {
            *cell = value(row).into();
        }
        Ok(())
    })
}

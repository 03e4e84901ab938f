//! Conversion of cells to plain Python values.

use std::ops::Range;

use pyo3::prelude::*;
use pyo3::types::{PyDate, PyList, PyString};
use vitalwire::Error;
use vitalwire::table::{Column, ColumnData};
use vitalwire::value::Timestamp;

use crate::{convert, errors};

/// Ordinal of 1970-01-01 in Python, where 0001-01-01 is 1.
const EPOCH_DAY: i64 = 719_163;
/// Ordinal of 9999-12-31, the last date in Python.
const LAST_DAY: i64 = 3_652_059;
const MICROS_PER_SECOND: i64 = 1_000_000;

/// Returns the cells of some rows. Missing cells are `None`.
pub(super) fn cell_list<'py>(py: Python<'py>, column: &Column, rows: Range<usize>) -> PyResult<Bound<'py, PyList>> {
    let mut last: Option<(&str, Bound<'py, PyString>)> = None;
    let cells = rows.map(|row| {
        if column.is_missing(row) {
            return Ok(py.None().into_bound(py));
        }
        match column.data() {
            // Rows of one record repeat the same keys, so equal texts share a Python object.
            ColumnData::Text(texts) => Ok(repeated_text(py, &mut last, texts.get(row)).into_any()),
            data => value(py, data, row),
        }
    });
    PyList::new(py, cells.collect::<PyResult<Vec<_>>>()?)
}

fn repeated_text<'a, 'py>(py: Python<'py>, last: &mut Option<(&'a str, Bound<'py, PyString>)>, text: &'a str) -> Bound<'py, PyString> {
    if let Some((before, object)) = last
        && *before == text
    {
        return object.clone();
    }
    let object = PyString::new(py, text);
    *last = Some((text, object.clone()));
    object
}

/// Converts a cell that is not missing.
fn value<'py>(py: Python<'py>, data: &ColumnData, row: usize) -> PyResult<Bound<'py, PyAny>> {
    Ok(match data {
        ColumnData::Number(values) => at(values, row).into_pyobject(py)?.into_any(),
        ColumnData::Integer(values) => at(values, row).into_pyobject(py)?.into_any(),
        ColumnData::Boolean(values) => at(values, row).into_pyobject(py)?.to_owned().into_any(),
        ColumnData::Text(texts) => PyString::new(py, texts.get(row)).into_any(),
        ColumnData::Date(values) => {
            let day = EPOCH_DAY + i64::from(at(values, row));
            if !(1..=LAST_DAY).contains(&day) {
                return Err(errors::raise(py, Error::internal("a date must be within the supported range")));
            }
            crate::datetime_module::import(py)?;
            py.get_type::<PyDate>().call_method1("fromordinal", (day,))?
        }
        ColumnData::Instant(times) => convert::datetime(py, timestamp(py, at(times.microseconds(), row))?)?.into_any(),
        ColumnData::LocalTime(times) => convert::naive_datetime(py, timestamp(py, at(times.microseconds(), row))?)?.into_any(),
        ColumnData::TextList(lists) => PyList::new(py, lists.get(row))?.into_any(),
        _ => return Err(errors::raise(py, Error::internal("a column has an unknown kind"))),
    })
}

fn at<T: Copy + Default>(values: &[T], row: usize) -> T {
    values.get(row).copied().unwrap_or_default()
}

/// Converts microseconds, the precision of Python's `datetime`, to an instant.
fn timestamp(py: Python<'_>, microseconds: i64) -> PyResult<Timestamp> {
    let part = u32::try_from(microseconds.rem_euclid(MICROS_PER_SECOND)).unwrap_or_default();
    let instant = Timestamp::from_unix(microseconds.div_euclid(MICROS_PER_SECOND), part * 1000);
    instant.ok_or_else(|| errors::raise(py, Error::internal("an instant must be within the supported range")))
}

//! CSV and Parquet files of tables.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use vitalwire::Error;
use vitalwire::table::CsvOptions;

use super::Table;
use super::times::Times;
use crate::arguments::methods;
use crate::errors;
use crate::generated::docs;

/// Byte order mark in UTF-8, by which spreadsheets recognize the encoding.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

#[pymethods]
impl Table {
    #[doc = docs!(Table.to_csv)]
    #[pyo3(signature = (path, *, tz=None, units=false, encoding="utf-8", escape_formulas=false))]
    pub(crate) fn to_csv<'py>(
        slf: &Bound<'py, Self>,
        path: &Bound<'py, PyAny>,
        tz: Option<Bound<'py, PyAny>>,
        #[pyo3(from_py_with = methods::units)] units: bool,
        #[pyo3(from_py_with = methods::encoding)] encoding: &str,
        #[pyo3(from_py_with = methods::escape_formulas)] escape_formulas: bool,
    ) -> PyResult<()> {
        write_csv(slf, path, tz.as_ref(), encoding, CsvOptions::new().units(units).escape_formulas(escape_formulas))
    }

    #[doc = docs!(Table.to_parquet)]
    #[pyo3(signature = (path, *, tz=None, time_unit=None))]
    pub(crate) fn to_parquet<'py>(
        slf: &Bound<'py, Self>,
        path: Bound<'py, PyAny>,
        tz: Option<Bound<'py, PyAny>>,
        #[pyo3(from_py_with = methods::time_unit)] time_unit: Option<&str>,
    ) -> PyResult<()> {
        Self::convert_with(slf, "write_parquet", None, Times { tz: tz.as_ref(), unit: time_unit }, [path]).map(drop)
    }
}

/// Writes a table as CSV to a path or to a binary file.
fn write_csv<'py>(
    table: &Bound<'py, Table>,
    path: &Bound<'py, PyAny>,
    tz: Option<&Bound<'py, PyAny>>,
    encoding: &str,
    options: CsvOptions,
) -> PyResult<()> {
    let py = table.py();
    let mut text = match encoding {
        "utf-8" => Vec::new(),
        "utf-8-sig" => BYTE_ORDER_MARK.to_vec(),
        _ => return Err(errors::raise(py, Error::invalid_argument("encoding", "must be 'utf-8' or 'utf-8-sig'"))),
    };
    let table = Times { tz, unit: None }.apply(table)?;
    let table = table.get();
    table.warnings.warn_skipped(py, &table.core)?;
    table.core.write_csv_with(&mut text, options).map_err(|_| errors::raise(py, Error::internal("a table cannot be written as CSV")))?;
    py.import("vitalwire._frames")?.call_method1("write_bytes", (path, PyBytes::new(py, &text))).map(drop)
}

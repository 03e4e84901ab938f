//! CSV files of tables.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use vitalwire::Error;
use vitalwire::table::CsvOptions;

use super::Table;
use super::times::Times;
use crate::errors;

/// Byte order mark in UTF-8, by which spreadsheets recognize the encoding.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Writes a table as CSV to a path or to a binary file.
pub(super) fn write_csv<'py>(
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

//! HTML of tables for notebooks. It contains values, but only a bounded number of rows and columns.

use std::fmt::Write as _;

use pyo3::prelude::*;
use vitalwire::table::{Column, ColumnData, Table};

use super::cells;
use crate::html::{escape, truncate};

/// Maximum number of rows shown from the start, and from the end.
const ROWS: usize = 5;
/// Maximum number of columns shown.
const COLUMNS: usize = 24;
/// Maximum number of characters of a cell.
const CELL: usize = 48;
/// Style of cells that are not numbers. By default, notebooks align to the right and wrap instants and ids.
const TEXT: &str = " style=\"text-align:left;white-space:nowrap\"";

/// Returns the HTML of the first and last rows, with units below the column names.
pub(super) fn html(py: Python<'_>, table: &Table) -> PyResult<String> {
    let all: Vec<&Column> = table.exported().collect();
    let (shown, rows) = (all.get(..COLUMNS).unwrap_or(&all), table.len());
    let (head, tail) = if rows > 2 * ROWS { (ROWS, rows - ROWS) } else { (rows, rows) };
    let more = if all.len() > shown.len() { format!(", the first {COLUMNS} shown") } else { String::new() };
    let mut text = format!(
        "<table class=\"vitalwire\"><caption style=\"text-align:left\">{}: {rows} rows, {} columns{more}. {}</caption><thead><tr>",
        table.spec().name(),
        all.len(),
        escape(table.spec().doc()),
    );
    let styles: Vec<&str> = shown.iter().map(|column| cell_style(column.data())).collect();
    for (column, cell_style) in shown.iter().zip(&styles) {
        let unit = column.field().unit.map(|unit| format!("<br><small>{}</small>", escape(unit))).unwrap_or_default();
        let _ = write!(text, "<th title=\"{}\"{cell_style}>{}{unit}</th>", escape(column.field().doc), escape(&column.field().name));
    }
    text.push_str("</tr></thead><tbody>");
    let columns = shown.iter().map(|column| Ok((cells::cell_list(py, column, 0..head)?, cells::cell_list(py, column, tail..rows)?)));
    let columns = columns.collect::<PyResult<Vec<_>>>()?;
    for row in 0..head {
        append_row(&mut text, &styles, columns.iter().map(|(first, _)| first.get_item(row)))?;
    }
    if tail > head {
        let _ = write!(text, "<tr><td colspan=\"{}\"{TEXT}>&hellip;</td></tr>", shown.len());
    }
    for row in 0..rows - tail {
        append_row(&mut text, &styles, columns.iter().map(|(_, last)| last.get_item(row)))?;
    }
    text.push_str("</tbody></table>");
    Ok(text)
}

fn cell_style(data: &ColumnData) -> &'static str {
    if matches!(data, ColumnData::Number(_) | ColumnData::Integer(_)) { "" } else { TEXT }
}

fn append_row<'py>(text: &mut String, styles: &[&str], cells: impl Iterator<Item = PyResult<Bound<'py, PyAny>>>) -> PyResult<()> {
    text.push_str("<tr>");
    for (cell_style, cell) in styles.iter().zip(cells) {
        let cell = cell?;
        let shown = if cell.is_none() { String::new() } else { truncate(&cell.str()?.to_cow()?, CELL) };
        let _ = write!(text, "<td{cell_style}>{shown}</td>");
    }
    text.push_str("</tr>");
    Ok(())
}

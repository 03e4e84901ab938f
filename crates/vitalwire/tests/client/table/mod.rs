//! Tests of responses as tables, with bodies and expected cells that are written by hand.

#[allow(dead_code, unreachable_pub, reason = "shared with other tests")]
mod append;
mod calls;
#[cfg(feature = "csv")]
mod csv;
#[cfg(feature = "arrow-ipc")]
mod export;
mod faults;
mod labs;
mod losses;
mod nutrition;
mod selected_columns;
mod sleep;
mod statistics;
#[cfg(feature = "time-zones")]
mod zone;

use vitalwire::table::{ColumnData, Table, TableId};
use vitalwire::{Error, ErrorKind};

fn read(id: TableId, operation: &str, body: &str) -> Table {
    Table::read(id, operation, body.as_bytes()).unwrap_or_else(|error| panic!("{error}: {:?}", error.json_path()))
}

/// Kind and JSON path of the expected error.
fn fault(id: TableId, operation: &str, body: &str) -> (ErrorKind, String) {
    let error: Error = Table::read(id, operation, body.as_bytes()).unwrap_err();
    (error.kind(), error.json_path().unwrap_or_default().to_owned())
}

/// A cell as text, or `-` if it is missing.
fn cell(table: &Table, row: usize, name: &str) -> String {
    let column = table.column(name).unwrap_or_else(|| panic!("no column {name}"));
    if column.is_missing(row) {
        return "-".to_owned();
    }
    match column.data() {
        ColumnData::Number(values) => values[row].to_string(),
        ColumnData::Integer(values) => values[row].to_string(),
        ColumnData::Instant(times) | ColumnData::LocalTime(times) => {
            let beyond = times.beyond(row);
            format!("{}{}", times.microseconds()[row], if beyond > 0 { format!("+{beyond}") } else { String::new() })
        }
        ColumnData::Boolean(values) => values[row].to_string(),
        ColumnData::Date(values) => values[row].to_string(),
        ColumnData::Text(texts) => texts.get(row).to_owned(),
        ColumnData::TextList(lists) => lists.get(row).collect::<Vec<_>>().join("+"),
        _ => panic!("unknown kind of column"),
    }
}

/// Cells of the given columns, with one text per row.
fn rows(table: &Table, names: &[&str]) -> Vec<String> {
    (0..table.len()).map(|row| names.iter().map(|name| cell(table, row, name)).collect::<Vec<_>>().join(" ")).collect()
}

/// Microseconds of 2025-01-01T00:00:00Z: 20,089 days of 86,400 seconds.
const NEW_YEAR: i64 = 20_089 * 86_400 * SECOND;

const SECOND: i64 = 1_000_000;

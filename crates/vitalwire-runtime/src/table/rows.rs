//! Selection of rows, and their keys.

use serde::de::value::Error as ValueError;

use super::cells::{Cells, Scalar};
use super::times::Time;
use super::{Column, SkipCounts, Table, out_of_memory};
use crate::error::Error;

/// Value that identifies a row.
#[derive(PartialEq, Eq, Hash)]
pub(crate) enum RowKeyValue {
    /// A date or an integer.
    Number(i64),
    Time(Time),
    Text(String),
}

impl Table {
    /// Returns the value of a column that identifies each row; `None` for a missing value.
    pub(crate) fn keys(&self, column: usize) -> impl Iterator<Item = Option<RowKeyValue>> {
        let cells = self.columns.get(column).map(|column| &column.cells);
        (0..self.rows).map(move |row| match cells?.scalar(row)? {
            Scalar::Date(days) => Some(RowKeyValue::Number(days.into())),
            Scalar::Integer(value) => Some(RowKeyValue::Number(value)),
            Scalar::Time(time) => Some(RowKeyValue::Time(time)),
            Scalar::Text(text) => Some(RowKeyValue::Text(text.to_owned())),
            Scalar::Number(_) | Scalar::Boolean(_) => None,
        })
    }

    /// Copies these rows into a new table, whose count of skipped values is zero.
    pub(crate) fn select(&self, rows: &[usize]) -> Result<Self, Error> {
        let column = |column: &Column| {
            let mut cells = Cells::new(column.field.kind);
            cells.expected_rows = rows.len();
            for (to, from) in rows.iter().enumerate() {
                cells.put_from::<ValueError>(to, &column.cells, *from)?;
            }
            Ok(Column { field: column.field.clone(), cells, always: column.always })
        };
        let columns: Result<Vec<Column>, ValueError> = self.columns.iter().map(column).collect();
        let mut table = Self { columns: columns.map_err(out_of_memory)?, rows: rows.len(), skipped: SkipCounts::default(), ..*self };
        table.finish::<ValueError>().map_err(out_of_memory)?;
        Ok(table)
    }

    /// Adds the counts of skipped values of another table.
    pub(crate) fn add_skipped(&mut self, other: &Self) {
        self.skipped.add(&other.skipped);
    }
}

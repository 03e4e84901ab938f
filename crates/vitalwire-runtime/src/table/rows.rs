//! Selection of rows, and their keys.

use serde::de::value::Error as Fault;

use super::cells::{Cells, Scalar};
use super::times::Time;
use super::{Column, Table, Tally};
use crate::error::{Error, ErrorKind};

/// Value that identifies a row.
#[derive(PartialEq, Eq, Hash)]
pub(crate) enum Key {
    /// A date or an integer.
    Number(i64),
    Time(Time),
    Text(String),
}

impl Table {
    /// Returns the value of a column that identifies each row; `None` for a missing value.
    pub(crate) fn keys(&self, column: usize) -> impl Iterator<Item = Option<Key>> {
        let cells = self.columns.get(column).map(|column| &column.cells);
        (0..self.rows).map(move |row| match cells?.scalar(row)? {
            Scalar::Date(days) => Some(Key::Number(days.into())),
            Scalar::Integer(value) => Some(Key::Number(value)),
            Scalar::Time(time) => Some(Key::Time(time)),
            Scalar::Text(text) => Some(Key::Text(text.to_owned())),
            Scalar::Number(_) | Scalar::Boolean(_) => None,
        })
    }

    /// Copies these rows into a new table, whose count of skipped values is zero.
    pub(crate) fn select(&self, rows: &[usize]) -> Result<Self, Error> {
        let column = |column: &Column| {
            let mut cells = Cells::new(column.field.kind);
            cells.expect = rows.len();
            for (to, from) in rows.iter().enumerate() {
                cells.put_from::<Fault>(to, &column.cells, *from)?;
            }
            Ok(Column { field: column.field.clone(), cells, always: column.always })
        };
        let columns: Result<Vec<Column>, Fault> = self.columns.iter().map(column).collect();
        let too_much = |_| Error::with_reason(ErrorKind::Decode, "takes too much memory");
        let mut table = Self { columns: columns.map_err(too_much)?, rows: rows.len(), skipped: Tally::default(), ..*self };
        table.finish::<Fault>().map_err(too_much)?;
        Ok(table)
    }

    /// Adds the counts of skipped values of another table.
    pub(crate) fn add_skipped(&mut self, other: &Self) {
        self.skipped.add(&other.skipped);
    }
}

//! Selection of rows, and their keys.

use serde::de::value::Error as ValueError;

use super::cells::{Cells, Scalar};
use super::decode::days_since_1970;
use super::times::Time;
use super::{Column, ColumnData, ColumnKind, Field, SkipCounts, Table, Texts, out_of_memory};
use crate::error::Error;
use crate::value::Date;

/// Documentation of a key column.
const KEY_DOC: &str = "Key of the table that the row comes from.";

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

    /// Copies these rows into a new table with the same exported columns, whose count of skipped values is zero. Indexes beyond the end
    /// are rows without values.
    ///
    /// # Errors
    /// `decode` if memory limits are exceeded.
    pub fn take(&self, rows: &[usize]) -> Result<Self, Error> {
        let mut table = self.select(rows)?;
        for (column, original) in table.columns.iter_mut().zip(&self.columns) {
            column.always |= self.exports(original);
        }
        Ok(table)
    }

    /// Appends a row that has only a date, in the first column of dates. All columns become nullable.
    ///
    /// # Errors
    /// `decode` if memory limits are exceeded.
    pub fn push_date_row(&mut self, date: Date) -> Result<(), Error> {
        let row = self.rows;
        self.columns.iter_mut().for_each(|column| column.field.nullable = true);
        if let Some(column) = self.columns.iter_mut().find(|column| column.field.kind == ColumnKind::Date) {
            column.cells.put::<ValueError>(row, Scalar::Date(days_since_1970(date))).map_err(out_of_memory)?;
        }
        self.rows += 1;
        self.finish::<ValueError>().map_err(out_of_memory)
    }

    /// Appends a column of dates, with the same value in each row. Has no effect if a column has this name.
    ///
    /// # Errors
    /// `decode` if memory limits are exceeded.
    #[doc(hidden)]
    pub fn with_date_column(mut self, name: &'static str, doc: &'static str, value: Date) -> Result<Self, Error> {
        if self.columns.iter().all(|column| column.field.name != name) {
            let field = Field { name: name.into(), kind: ColumnKind::Date, unit: None, nullable: true, doc };
            let mut column = Column { always: true, ..Column::new(field) };
            for row in 0..self.rows {
                column.cells.put::<ValueError>(row, Scalar::Date(days_since_1970(value))).map_err(out_of_memory)?;
            }
            column.cells.finish::<ValueError>(self.rows).map_err(out_of_memory)?;
            self.columns.push(column);
        }
        Ok(self)
    }

    /// Inserts a column of texts in front, with the same value in each row.
    ///
    /// # Errors
    /// `invalid_argument` if a column has this name; `decode` if the strings of the column would exceed 2 GiB.
    pub fn with_key(mut self, name: &str, value: &str) -> Result<Self, Error> {
        if self.columns.iter().any(|column| column.field.name == name) {
            return Err(Error::invalid_argument("key", "must not be the name of a column"));
        }
        let field = Field { name: name.to_owned().into(), kind: ColumnKind::Text, unit: None, nullable: false, doc: KEY_DOC };
        let mut column = Column { always: true, ..Column::new(field) };
        column.cells.expected_rows = self.rows;
        for row in 0..self.rows {
            column.cells.put::<ValueError>(row, Scalar::Text(value)).map_err(out_of_memory)?;
        }
        column.cells.finish::<ValueError>(self.rows).map_err(out_of_memory)?;
        self.columns.insert(0, column);
        Ok(self)
    }

    /// Replaces each text of a column of texts or lists of texts. Missing texts stay missing. Has no effect if there is no such column.
    ///
    /// # Errors
    /// `decode` if memory limits are exceeded.
    pub fn map_texts(mut self, name: &str, map: impl Fn(&str) -> String) -> Result<Self, Error> {
        for column in self.columns.iter_mut().filter(|column| column.field.name == name) {
            let texts = match &mut column.cells.data {
                ColumnData::Text(texts) => texts,
                ColumnData::TextList(lists) => &mut lists.items,
                _ => continue,
            };
            let mut mapped = Texts::default();
            for text in (0..texts.len()).map(|at| texts.get(at)) {
                let text = if text.is_empty() { String::new() } else { map(text) };
                mapped.push::<ValueError>(&text, texts.len()).map_err(out_of_memory)?;
            }
            *texts = mapped;
        }
        Ok(self)
    }

    /// Returns the name of the column that [`Self::with_key`] inserted.
    #[must_use]
    pub fn key(&self) -> Option<&str> {
        let is_declared = |column: &&Column| self.spec.fields().iter().any(|field| field.name == column.field.name);
        let texts = self.columns.iter().filter(|column| column.field.kind == ColumnKind::Text);
        texts.filter(|column| !is_declared(column)).map(|column| &*column.field.name).next()
    }

    /// Copies these rows into a new table, whose count of skipped values is zero.
    pub(crate) fn select(&self, rows: &[usize]) -> Result<Self, Error> {
        let column = |column: &Column| {
            let mut cells = Cells::new(column.field.kind);
            cells.expected_rows = rows.len();
            let mut next = 0;
            for run in rows.chunk_by(|one, other| one.checked_add(1) == Some(*other)) {
                if let Some(first) = run.first() {
                    cells.copy_rows::<ValueError>(next, &column.cells, *first..first.saturating_add(run.len()))?;
                }
                next += run.len();
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

//! Unit of time in exports.

use serde::de::value::Error as Fault;

use super::cells::{Cells, Scalar};
use super::losses::Named;
use super::{Column, ColumnKind, Table, TimeUnit};
use crate::error::Error;

/// Reason for skipping a time that nanoseconds cannot represent.
const BEYOND: &str = "expected a time of the years 1677 to 2262";

impl Table {
    /// Sets the unit of instants and local times in Arrow exports. Exports in microseconds round down, and [`Table::cut`] counts the
    /// affected times. The table itself, and CSV, keep all digits. Defaults to microseconds.
    ///
    /// Nanoseconds cover the years 1677 to 2262. Other times are removed from the table and counted as skipped.
    ///
    /// # Errors
    /// `decode` if the columns would take too much memory.
    pub fn with_time_unit(mut self, unit: TimeUnit) -> Result<Self, Error> {
        self.time_unit = unit;
        self.keep_within_reach()?;
        Ok(self)
    }

    /// Removes the times that the table's unit cannot represent.
    pub(super) fn keep_within_reach(&mut self) -> Result<(), Error> {
        if self.time_unit == TimeUnit::Microsecond {
            return Ok(());
        }
        let Self { columns, skipped, rows, .. } = self;
        for column in columns.iter_mut().filter(|column| beyond_reach(column).next().is_some()) {
            for _ in beyond_reach(column) {
                skipped.count(column.field.name.clone(), Named::Column, BEYOND);
            }
            column.cells = within_reach(column, *rows).map_err(super::too_much)?;
        }
        Ok(())
    }

    /// Unit of instants and local times in Arrow exports.
    #[must_use]
    pub fn time_unit(&self) -> TimeUnit {
        self.time_unit
    }
}

/// Returns the rows whose times do not fit nanoseconds.
fn beyond_reach(column: &Column) -> impl Iterator<Item = usize> {
    let is_time = matches!(column.field.kind, ColumnKind::Instant | ColumnKind::LocalTime);
    let rows = if is_time { column.cells.rows() } else { 0 };
    (0..rows).filter(|row| matches!(column.cells.scalar(*row), Some(Scalar::Time(time)) if time.nanoseconds().is_none()))
}

fn within_reach(column: &Column, rows: usize) -> Result<Cells, Fault> {
    let mut kept = Cells::new(column.field.kind);
    kept.expect = rows;
    for row in 0..column.cells.rows() {
        if let Some(Scalar::Time(time)) = column.cells.scalar(row)
            && time.nanoseconds().is_some()
        {
            kept.put::<Fault>(row, Scalar::Time(time))?;
        }
    }
    kept.finish::<Fault>(rows)?;
    Ok(kept)
}

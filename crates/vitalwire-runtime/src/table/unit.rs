//! The unit in which exports count times.

use serde::de::value::Error as Fault;

use super::cells::{Cells, Scalar};
use super::losses::Named;
use super::{Column, ColumnKind, Table, TimeUnit};
use crate::error::Error;

/// The reason for a time that nanoseconds cannot represent.
const BEYOND: &str = "expected a time of the years 1677 to 2262";

impl Table {
    /// Sets the unit of instants and local times in Arrow exports. Defaults to microseconds: digits beyond them are truncated towards the past,
    /// and [`Table::cut`] counts such times. The table itself, and CSV, keep every digit.
    ///
    /// Nanoseconds cover the years 1677 to 2262: other times are left out of the table, and counted.
    ///
    /// # Errors
    /// Decode if the columns would take too much memory.
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

    /// The unit of instants and local times in Arrow exports.
    #[must_use]
    pub fn time_unit(&self) -> TimeUnit {
        self.time_unit
    }
}

/// Returns the times that nanoseconds cannot represent.
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

//! Unit of time in exports.

use serde::de::value::Error as ValueError;

use super::cells::{Cells, Scalar};
use super::data_loss::SkipTarget;
use super::{Column, ColumnKind, Table, TimeUnit};
use crate::error::Error;

/// Reason for skipping a time that nanoseconds cannot represent.
const OUT_OF_RANGE: &str = "expected a time of the years 1677 to 2262";

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
        self.drop_unrepresentable_times()?;
        Ok(self)
    }

    /// Removes the times that the table's unit cannot represent.
    pub(super) fn drop_unrepresentable_times(&mut self) -> Result<(), Error> {
        if self.time_unit == TimeUnit::Microsecond {
            return Ok(());
        }
        let Self { columns, skipped, rows, .. } = self;
        for column in columns.iter_mut().filter(|column| unrepresentable_rows(column).next().is_some()) {
            for _ in unrepresentable_rows(column) {
                skipped.count(column.field.name.clone(), SkipTarget::Column, OUT_OF_RANGE);
            }
            column.cells = representable_cells(column, *rows).map_err(super::out_of_memory)?;
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
fn unrepresentable_rows(column: &Column) -> impl Iterator<Item = usize> {
    let is_time = matches!(column.field.kind, ColumnKind::Instant | ColumnKind::LocalTime);
    let rows = if is_time { column.cells.rows() } else { 0 };
    (0..rows).filter(|row| matches!(column.cells.scalar(*row), Some(Scalar::Time(time)) if time.nanoseconds().is_none()))
}

fn representable_cells(column: &Column, rows: usize) -> Result<Cells, ValueError> {
    let mut kept = Cells::new(column.field.kind);
    kept.expected_rows = rows;
    for row in 0..column.cells.rows() {
        if let Some(Scalar::Time(time)) = column.cells.scalar(row)
            && time.nanoseconds().is_some()
        {
            kept.put::<ValueError>(row, Scalar::Time(time))?;
        }
    }
    kept.finish::<ValueError>(rows)?;
    Ok(kept)
}

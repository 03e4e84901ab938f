//! Values of an object that are repeated in each of its rows, and times that are computed from them.

use serde::de::Error;

use super::TableReader;
use crate::table::cells::{Cells, Scalar};
use crate::table::read_plan::{ObjectPlan, ValueRole};
use crate::table::times::Time;
use crate::value::decode::charge;

const NANOSECONDS_PER_MILLISECOND: f64 = 1_000_000.0;
const SECONDS_PER_MINUTE: i64 = 60;

/// Maximum offset from UTC, in minutes; the same as in `Timestamp::local`.
const MAX_OFFSET_MINUTES: u64 = 26 * 60 - 1;

/// Values of an object that are repeated in each of its rows, kept until the number of rows is known.
#[derive(Default)]
pub(super) struct ParentValues {
    /// Column index and its single cell.
    cells: Vec<(usize, Cells)>,
    time_offset: Option<i64>,
    start: Option<Time>,
}

impl ParentValues {
    /// Keeps the value of a single cell for the role that it has in addition to its column.
    pub(super) fn set_role(&mut self, role: ValueRole, cells: &Cells, row: usize) {
        match role {
            ValueRole::Plain => {}
            ValueRole::TimeOffset => self.time_offset = cells.scalar(row).and_then(as_integer),
            ValueRole::Start => self.start = cells.scalar(row).and_then(as_instant),
        }
    }

    /// Keeps a value to repeat, in place of an earlier one.
    pub(super) fn set_cell(&mut self, column: usize, cell: Cells) {
        self.cells.retain(|(other, _)| *other != column);
        self.cells.push((column, cell));
    }
}

impl TableReader<'_> {
    /// Repeats the values of the object in each of its rows.
    pub(super) fn repeat_parent_values<E: Error>(&mut self, start: usize, parent: &ParentValues) -> Result<(), E> {
        let rows = start..self.table.rows;
        for (column, single) in &parent.cells {
            let Some(cells) = self.cells(*column).filter(|_| !single.is_missing(0)) else { continue };
            cells.repeat(rows.clone(), single)?;
        }
        Ok(())
    }

    /// Computes the instants of samples, and local times. Both depend on fields that may follow the rows.
    pub(super) fn compute_times<E: Error>(&mut self, plan: &ObjectPlan, start: usize, parent: &ParentValues) -> Result<(), E> {
        let rows = start..self.table.rows;
        if let (Some((offsets, at)), Some(from)) = (plan.sample_times, parent.start) {
            self.derive_times(rows.clone(), offsets, at, |value| match value {
                Scalar::Number(offset) => to_nanoseconds(offset).and_then(|offset| from.plus_nanoseconds(offset)),
                _ => None,
            })?;
        }
        if plan.local_times.is_empty() {
            return Ok(());
        }
        let Some(minutes) = parent.time_offset else { return Ok(()) };
        if minutes.unsigned_abs() > MAX_OFFSET_MINUTES {
            self.count_skipped_field("user_time_offset_minutes", "expected an offset below 26 hours");
            return Ok(());
        }
        for (instants, local) in plan.local_times {
            self.derive_times(rows.clone(), *instants, *local, |value| match value {
                Scalar::Time(instant) => instant.plus_seconds(minutes * SECONDS_PER_MINUTE),
                _ => None,
            })?;
        }
        Ok(())
    }

    /// Computes a column of times from another column, for the rows that have a value there.
    fn derive_times<E: Error>(
        &mut self,
        rows: std::ops::Range<usize>,
        from: usize,
        to: usize,
        value: impl Fn(Scalar<'_>) -> Option<Time>,
    ) -> Result<(), E> {
        let Some(source) = self.table.columns.get_mut(from) else { return Ok(()) };
        // Both columns belong to the same table, so the source is taken out while it is read.
        let empty = Cells::new(source.field().kind);
        let source = std::mem::replace(&mut source.cells, empty);
        // Convert a series without missing values as a whole, in a tenth of the time of single cells.
        let room = || charge::<E>(rows.len().saturating_mul(size_of::<i64>())).is_ok();
        let whole = if rows.len() > 1 && room() { source.times(rows.clone(), &value) } else { None };
        let (rows, mut outcome) = match (whole, self.cells(to)) {
            (Some(times), Some(cells)) => (0..0, cells.put_times(rows.start, times)),
            _ => (rows, Ok(())),
        };
        for row in rows {
            let Some(found) = source.scalar(row) else { continue };
            match (value(found), self.cells(to)) {
                (Some(time), Some(cells)) => outcome = outcome.and_then(|()| cells.put(row, Scalar::Time(time))),
                _ => self.count_wrong_type(to),
            }
        }
        if let Some(cells) = self.cells(from) {
            *cells = source;
        }
        outcome
    }
}

fn as_integer(value: Scalar<'_>) -> Option<i64> {
    if let Scalar::Integer(value) = value { Some(value) } else { None }
}

fn as_instant(value: Scalar<'_>) -> Option<Time> {
    if let Scalar::Time(time) = value { Some(time) } else { None }
}

/// Converts milliseconds to nanoseconds, if the result fits 64 bits.
fn to_nanoseconds(milliseconds: f64) -> Option<i64> {
    let exact = (milliseconds * NANOSECONDS_PER_MILLISECOND).round();
    // 2^63 is exactly representable as a double, and the first value that does not fit.
    #[expect(clippy::cast_possible_truncation, reason = "whole and in range")]
    (exact.abs() < 9_223_372_036_854_775_808.0).then_some(exact as i64)
}

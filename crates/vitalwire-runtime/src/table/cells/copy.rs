//! Copying of rows between columns.

use std::ops::Range;

use serde::de::Error;

use super::Cells;
use crate::table::validity::Validity;

impl Cells {
    /// Replaces the rows after the first `rows` ones with those of other cells of the same kind.
    pub(in crate::table) fn append<E: Error>(&mut self, rows: usize, other: Self) -> Result<(), E> {
        if rows == 0 {
            *self = other;
            return Ok(());
        }
        self.copy_rows(rows, &other, 0..other.rows)
    }

    /// Replaces a row and all after it with rows of other cells of the same kind. Rows beyond the end of the other cells have no value.
    pub(in crate::table) fn copy_rows<E: Error>(&mut self, row: usize, other: &Self, from: Range<usize>) -> Result<(), E> {
        let (start, end) = (from.start, from.end.min(other.rows));
        let valid = (start..end).filter(|at| !other.is_missing(*at));
        let count = if other.validity.is_none() { end.saturating_sub(start) } else { valid.clone().count() };
        if count == 0 {
            self.truncate(row);
            return Ok(());
        }
        self.make_room(row)?;
        self.data.truncate(row);
        self.data.extend_from(&other.data, start..end)?;
        let rows = row + end - start;
        if self.validity.is_some() || count < end - start {
            let expected_rows = self.expected_rows.max(rows);
            let validity = self.validity.get_or_insert_with(|| Validity::all_valid(row, expected_rows));
            validity.ensure_len(rows);
            valid.for_each(|at| _ = validity.set(row + at - start));
        }
        self.rows = rows;
        Ok(())
    }
}

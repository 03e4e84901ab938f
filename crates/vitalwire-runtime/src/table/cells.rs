//! Cells of a column: a vector of values, and a validity bitmap.

mod copy;
mod read;

use serde::de::Error;

use super::growth::{extend_with_zeros, push_reserving, replace_from};
use super::times::Time;
use super::validity::Validity;
use super::{ColumnData, ColumnKind};
use crate::value::decode::charge;

/// Values and their validity. May be shorter than the table: cells beyond the end are missing.
#[derive(Clone)]
pub(super) struct Cells {
    /// One value per row. Numbers are zero-filled in advance for the expected rows, so that adding one is a single store. Until
    /// [`Cells::finish`], there may be more numbers than rows.
    pub(super) data: ColumnData,
    /// Validity bitmap. Created at the first missing value, or for numbers at the first value.
    validity: Option<Validity>,
    /// Number of rows so far, including those without a value.
    rows: usize,
    pub(super) expected_rows: usize,
}

/// A single value.
#[derive(Clone, Copy)]
pub(super) enum Scalar<'a> {
    Number(f64),
    Integer(i64),
    Boolean(bool),
    Text(&'a str),
    Date(i32),
    /// An instant or a local time.
    Time(Time),
}

impl Cells {
    pub(super) fn new(kind: ColumnKind) -> Self {
        Self { data: ColumnData::empty(kind), validity: None, rows: 0, expected_rows: 0 }
    }

    /// Number of rows so far, including those without a value.
    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    pub(super) fn is_missing(&self, row: usize) -> bool {
        row >= self.rows || self.validity.as_ref().is_some_and(|validity| !validity.get(row))
    }

    /// Puts a value into a row, and removes what was in it or after it.
    #[inline]
    pub(super) fn put<E: Error>(&mut self, row: usize, value: Scalar<'_>) -> Result<(), E> {
        match (&mut self.data, value) {
            (_, Scalar::Number(value)) => return self.put_number(row, value),
            (ColumnData::Instant(times) | ColumnData::LocalTime(times), Scalar::Time(time))
                if self.rows == row && times.len() == row && times.has_room(time) =>
            {
                times.microseconds.push(time.microseconds);
            }
            _ => return self.put_slow(row, value),
        }
        self.mark_valid(row + 1);
        Ok(())
    }

    /// Like [`Cells::put`], for a number.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "run for every number of a body; measured")]
    pub(super) fn put_number<E: Error>(&mut self, row: usize, value: f64) -> Result<(), E> {
        if let (ColumnData::Number(values), Some(validity)) = (&mut self.data, &mut self.validity)
            && self.rows <= row + 1
            && let Some(slot) = values.get_mut(row)
            && validity.set(row)
        {
            *slot = value;
            self.rows = row + 1;
            return Ok(());
        }
        self.put_slow(row, Scalar::Number(value))
    }

    #[inline(never)]
    fn put_slow<E: Error>(&mut self, row: usize, value: Scalar<'_>) -> Result<(), E> {
        self.make_room(row)?;
        let expected_rows = self.expected_rows.max(row + 1);
        match (&mut self.data, value) {
            (ColumnData::Number(values), Scalar::Number(value)) => {
                extend_with_zeros::<E>(values, row + 1, expected_rows);
                if let Some(slot) = values.get_mut(row) {
                    *slot = value;
                }
                let validity = self.validity.get_or_insert_with(|| Validity::all_valid(row, expected_rows));
                validity.ensure_len(values.len());
            }
            (ColumnData::Integer(values), Scalar::Integer(value)) => push_reserving::<_, E>(values, value, expected_rows),
            (ColumnData::Boolean(values), Scalar::Boolean(value)) => push_reserving::<_, E>(values, value, expected_rows),
            (ColumnData::Date(values), Scalar::Date(value)) => push_reserving::<_, E>(values, value, expected_rows),
            (ColumnData::Instant(times) | ColumnData::LocalTime(times), Scalar::Time(time)) => times.push(time, expected_rows)?,
            (ColumnData::Text(texts), Scalar::Text(text)) => texts.push(text, expected_rows)?,
            // Unreachable: the plan assigns values to columns of their own kind.
            _ => return Ok(()),
        }
        self.mark_valid(row + 1);
        Ok(())
    }

    /// Marks the rows up to `rows`, which were put, as valid.
    #[inline]
    fn mark_valid(&mut self, rows: usize) {
        if let Some(validity) = &mut self.validity {
            validity.ensure_len(rows);
            (self.rows..rows).for_each(|row| _ = validity.set(row));
        }
        self.rows = rows;
    }

    /// Adds an item to the list that [`Cells::end_list`] puts into the row.
    #[inline]
    pub(super) fn push_item<E: Error>(&mut self, text: &str) -> Result<(), E> {
        let expected_rows = self.expected_rows;
        match &mut self.data {
            ColumnData::TextList(lists) => lists.push(text, expected_rows),
            _ => Ok(()),
        }
    }

    pub(super) fn end_list<E: Error>(&mut self) -> Result<(), E> {
        let expected_rows = self.expected_rows;
        if let ColumnData::TextList(lists) = &mut self.data {
            lists.end_list(expected_rows)?;
        }
        self.mark_valid(self.rows + 1);
        Ok(())
    }

    /// Puts one number into each row from `row` on. NaN marks a missing value.
    pub(super) fn put_numbers<E: Error>(&mut self, row: usize, values: Vec<f64>) -> Result<(), E> {
        if values.is_empty() {
            return Ok(());
        }
        self.make_room(row)?;
        let rows = row + values.len();
        let has_gaps = values.iter().any(|value| value.is_nan());
        let ColumnData::Number(all) = &mut self.data else { return Ok(()) };
        replace_from(all, row, values);
        if !has_gaps {
            self.mark_valid(rows);
            return Ok(());
        }
        let expected_rows = self.expected_rows.max(rows);
        let validity = self.validity.get_or_insert_with(|| Validity::all_valid(row, expected_rows));
        validity.ensure_len(rows);
        for (row, value) in all.iter_mut().enumerate().take(rows).skip(row) {
            if value.is_nan() {
                *value = 0.0;
            } else {
                validity.set(row);
            }
        }
        self.rows = rows;
        Ok(())
    }

    /// Puts one time, in whole microseconds, into each row from `row` on.
    pub(super) fn put_times<E: Error>(&mut self, row: usize, values: Vec<i64>) -> Result<(), E> {
        self.make_room(row)?;
        let rows = row + values.len();
        if let ColumnData::Instant(all) | ColumnData::LocalTime(all) = &mut self.data {
            all.replace_from(row, values);
        }
        self.mark_valid(rows);
        Ok(())
    }

    /// Removes a row and all after it.
    #[inline]
    pub(super) fn truncate(&mut self, row: usize) {
        if self.rows > row {
            self.clear_from(row);
        }
    }

    fn clear_from(&mut self, row: usize) {
        match &mut self.data {
            ColumnData::Number(values) => values.iter_mut().take(self.rows).skip(row).for_each(|value| *value = 0.0),
            data => data.truncate(row),
        }
        if let Some(validity) = &mut self.validity {
            validity.clear(row, self.rows);
        }
        self.rows = row;
    }

    /// Makes `row` the next row: removes it if present, and fills missing rows before it.
    #[inline]
    pub(super) fn make_room<E: Error>(&mut self, row: usize) -> Result<(), E> {
        if self.rows == row { Ok(()) } else { self.fill_gap(row) }
    }

    #[inline(never)]
    fn fill_gap<E: Error>(&mut self, row: usize) -> Result<(), E> {
        self.truncate(row);
        let rows = self.rows;
        if rows == row {
            return Ok(());
        }
        charge((row - rows).saturating_mul(8))?;
        let expected_rows = self.expected_rows.max(row);
        self.validity.get_or_insert_with(|| Validity::all_valid(rows, expected_rows)).ensure_len(row);
        self.data.resize(row, expected_rows)?;
        self.rows = row;
        Ok(())
    }

    /// Extends the cells to `rows` rows with gaps, unless no row has a value.
    pub(super) fn finish<E: Error>(&mut self, rows: usize) -> Result<(), E> {
        if self.rows > 0 {
            self.make_room(rows)?;
        }
        self.data.truncate(self.rows);
        self.validity = self.validity.take().and_then(|validity| validity.into_bitmap(self.rows));
        Ok(())
    }

    /// Returns the validity bitmap, lowest bit first; `None` if all rows are valid.
    #[cfg(feature = "arrow")]
    pub(super) fn bitmap(&self) -> Option<&[u8]> {
        self.validity.as_ref().map(Validity::bytes)
    }
}

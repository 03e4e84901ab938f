//! Reading and repeating of cells.

use std::ops::Range;

use serde::de::Error;

use super::{Cells, Scalar};
use crate::table::ColumnData;
use crate::table::times::Time;
use crate::value::decode::charge;

impl Cells {
    /// Returns the times of these rows, if each row has a time in whole microseconds.
    pub(in crate::table) fn times(&self, rows: Range<usize>, time: impl Fn(Scalar<'_>) -> Option<Time>) -> Option<Vec<i64>> {
        if self.validity.is_some() || rows.end > self.rows {
            return None;
        }
        let whole = |value| time(value).filter(|time| time.beyond == 0).map(|time| time.microseconds);
        let mut times = Vec::with_capacity(rows.len());
        match &self.data {
            ColumnData::Number(values) => {
                for value in values.get(rows)? {
                    times.push(whole(Scalar::Number(*value))?);
                }
            }
            ColumnData::Instant(values) | ColumnData::LocalTime(values) if values.finer() == 0 => {
                for microseconds in values.microseconds.get(rows)? {
                    times.push(whole(Scalar::Time(Time { microseconds: *microseconds, beyond: 0 }))?);
                }
            }
            _ => return None,
        }
        Some(times)
    }

    /// Returns the value of a row, of any kind except a list.
    #[inline]
    pub(in crate::table) fn scalar(&self, row: usize) -> Option<Scalar<'_>> {
        if self.is_missing(row) {
            return None;
        }
        Some(match &self.data {
            ColumnData::Number(values) => Scalar::Number(*values.get(row)?),
            ColumnData::Integer(values) => Scalar::Integer(*values.get(row)?),
            ColumnData::Boolean(values) => Scalar::Boolean(*values.get(row)?),
            ColumnData::Date(values) => Scalar::Date(*values.get(row)?),
            ColumnData::Instant(times) | ColumnData::LocalTime(times) => Scalar::Time(times.get(row)?),
            ColumnData::Text(texts) => Scalar::Text(texts.get(row)),
            ColumnData::TextList(_) => return None,
        })
    }

    /// Copies the first row of other cells of the same kind into each of these rows.
    pub(in crate::table) fn repeat<E: Error>(&mut self, rows: Range<usize>, other: &Self) -> Result<(), E> {
        if rows.is_empty() {
            return Ok(());
        }
        self.make_room(rows.start)?;
        let Some(Scalar::Text(text)) = other.scalar(0) else {
            return rows.into_iter().try_for_each(|row| self.copy_rows(row, other, 0..1));
        };
        charge(rows.len().saturating_mul(text.len() + 4))?;
        let expected_rows = self.expected_rows.max(rows.end);
        if let ColumnData::Text(texts) = &mut self.data {
            rows.clone().try_for_each(|_| texts.push(text, expected_rows))?;
        }
        self.mark_valid(rows.end);
        Ok(())
    }
}

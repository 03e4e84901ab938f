//! Decoding of a value into a cell.

use serde::de::Error;

use super::ReadOutcome;
use super::access::{FieldAccess, ItemAccess, Leaf, ValueReader};
use crate::table::ColumnKind;
use crate::table::cells::{Cells, Scalar};
use crate::table::times::Time;
use crate::value::{Date, Timestamp};

/// Reads a value into a row, replacing its content. If the value does not fit, the cell is missing.
pub(super) struct CellReader<'a> {
    pub(super) cells: &'a mut Cells,
    pub(super) row: usize,
    pub(super) kind: ColumnKind,
    /// Whether a value that does not fit is an error.
    pub(super) strict: bool,
}

impl CellReader<'_> {
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "run for every value of a body; measured")]
    fn put<E: Error>(&mut self, value: Option<Scalar<'_>>) -> Result<ReadOutcome, E> {
        match value {
            Some(value) => self.cells.put(self.row, value).map(|()| ReadOutcome::Stored),
            None => self.clear(ReadOutcome::WrongType),
        }
    }

    /// Leaves the cell without a value.
    fn clear<E: Error>(&mut self, outcome: ReadOutcome) -> Result<ReadOutcome, E> {
        self.cells.truncate(self.row);
        if self.strict { Err(E::custom(self.kind.expected())) } else { Ok(outcome) }
    }
}

pub(in crate::table) fn days_since_1970(date: Date) -> i32 {
    Date::new(1970, 1, 1).unwrap_or_default().days_until(date)
}

impl ValueReader for CellReader<'_> {
    fn is_container(&self) -> bool {
        self.kind.is_list()
    }

    #[inline(always)]
    #[allow(clippy::inline_always, reason = "run for every value of a body; measured")]
    fn leaf<E: Error>(&mut self, leaf: Leaf<'_>) -> Result<ReadOutcome, E> {
        match (self.kind, leaf) {
            (ColumnKind::Number, Leaf::Number(number)) => self.put(Some(Scalar::Number(number.to_double()))),
            (ColumnKind::Integer, Leaf::Number(number)) => self.put(number.to_integer().map(Scalar::Integer)),
            (ColumnKind::Boolean, Leaf::Boolean(value)) => self.put(Some(Scalar::Boolean(value))),
            (ColumnKind::Text, Leaf::Text(text)) => self.put(Some(Scalar::Text(text))),
            (ColumnKind::Date, Leaf::Text(text)) => self.put(text.parse().ok().map(|date| Scalar::Date(days_since_1970(date)))),
            (ColumnKind::Instant, Leaf::Text(text)) => {
                self.put(Timestamp::parse_unix(text).map(|(seconds, nanoseconds)| Scalar::Time(Time::from_unix(seconds, nanoseconds))))
            }
            // Local times are computed, and lists have items. All kinds are named, so that a new one needs a rule.
            (
                ColumnKind::Number
                | ColumnKind::Integer
                | ColumnKind::Boolean
                | ColumnKind::Text
                | ColumnKind::Date
                | ColumnKind::Instant
                | ColumnKind::LocalTime
                | ColumnKind::TextList,
                _,
            ) => self.clear(leaf.outcome()),
        }
    }

    fn object<A: FieldAccess>(&mut self, fields: A) -> Result<ReadOutcome, A::Error> {
        fields.skip_all()?;
        self.clear(ReadOutcome::WrongType)
    }

    fn list<A: ItemAccess>(&mut self, items: A) -> Result<ReadOutcome, A::Error> {
        if !self.kind.is_list() {
            items.skip_all()?;
            return self.clear(ReadOutcome::WrongType);
        }
        self.cells.make_room(self.row)?;
        items.read_texts(self.cells)?;
        self.cells.end_list()?;
        Ok(ReadOutcome::Stored)
    }
}

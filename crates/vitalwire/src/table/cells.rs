//! The cells of a column: values in one vector, and a bit each for which are there.

use serde::de::Error;

use super::text::{TextLists, Texts};
use super::{ColumnData, ColumnKind};
use crate::value::decode::charge;

/// One bit per row, the lowest first, as Arrow has them.
#[derive(Clone, Default)]
pub(super) struct Bits {
    pub(super) bytes: Vec<u8>,
    len: usize,
}

impl Bits {
    #[inline]
    fn push_one(&mut self, bit: bool) {
        let place = self.len % 8;
        match self.bytes.last_mut() {
            Some(last) if place > 0 => *last |= u8::from(bit) << place,
            _ => self.bytes.push(u8::from(bit)),
        }
        self.len += 1;
    }

    fn push(&mut self, count: usize, bit: bool) {
        for _ in 0..count {
            self.push_one(bit);
        }
    }

    fn get(&self, at: usize) -> bool {
        self.bytes.get(at / 8).is_some_and(|byte| byte & (1 << (at % 8)) != 0)
    }

    fn truncate(&mut self, len: usize) {
        if len < self.len {
            self.len = len;
            self.bytes.truncate(len.div_ceil(8));
            if let Some(last) = self.bytes.last_mut().filter(|_| !len.is_multiple_of(8)) {
                *last &= (1 << (len % 8)) - 1;
            }
        }
    }
}

/// Values, and which of them are missing. May be shorter than the table: what lies beyond is missing.
#[derive(Clone)]
pub(super) struct Cells {
    pub(super) data: ColumnData,
    /// From the first gap on.
    pub(super) present: Option<Bits>,
    /// How many rows there will be, as far as known.
    pub(super) expect: usize,
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
    Time(i64),
}

/// A quarter more: doubling would cost as much memory again as a body's numbers take.
pub(super) fn grow(len: usize) -> usize {
    len / 4 + 32
}

#[inline]
pub(super) fn push<T>(values: &mut Vec<T>, value: T) {
    if values.len() == values.capacity() {
        values.reserve_exact(grow(values.len()));
    }
    values.push(value);
}

/// Adds a value after reserving, at the first one, what all will take.
fn first_or_push<T, E: Error>(values: &mut Vec<T>, value: T, expect: usize) {
    if values.capacity() == 0 && charge::<E>(expect.saturating_mul(size_of::<T>())).is_ok() {
        values.reserve_exact(expect);
    }
    push(values, value);
}

impl Cells {
    pub(super) fn new(kind: ColumnKind) -> Self {
        Self { data: ColumnData::empty(kind), present: None, expect: 0 }
    }

    pub(super) fn is_missing(&self, row: usize) -> bool {
        row >= self.data.len() || self.present.as_ref().is_some_and(|bits| !bits.get(row))
    }

    /// Puts a value into a row; what was in it or after it is gone.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "run for every number of a body; measured")]
    pub(super) fn put<E: Error>(&mut self, row: usize, value: Scalar<'_>) -> Result<(), E> {
        /// Whether the row is the next one and has its memory already.
        fn is_next<T>(values: &Vec<T>, row: usize) -> bool {
            values.len() == row && row < values.capacity()
        }
        match (&mut self.data, value) {
            (ColumnData::Number(values), Scalar::Number(value)) if is_next(values, row) => values.push(value),
            (ColumnData::Number(values), Scalar::Number(value)) if values.len() < row && row < values.capacity() => {
                // The memory of a gap was charged with that of the column.
                let Some(bits) = &mut self.present else { return self.put_anywhere(row, Scalar::Number(value)) };
                while values.len() < row {
                    values.push(0.0);
                    bits.push_one(false);
                }
                values.push(value);
            }
            (ColumnData::Instant(values) | ColumnData::LocalTime(values), Scalar::Time(value)) if is_next(values, row) => {
                values.push(value);
            }
            _ => return self.put_anywhere(row, value),
        }
        if let Some(bits) = &mut self.present {
            bits.push_one(true);
        }
        Ok(())
    }

    #[inline(never)]
    fn put_anywhere<E: Error>(&mut self, row: usize, value: Scalar<'_>) -> Result<(), E> {
        self.make_room(row)?;
        let expect = self.expect.max(row + 1);
        match (&mut self.data, value) {
            (ColumnData::Number(values), Scalar::Number(value)) => first_or_push::<_, E>(values, value, expect),
            (ColumnData::Integer(values), Scalar::Integer(value)) => first_or_push::<_, E>(values, value, expect),
            (ColumnData::Boolean(values), Scalar::Boolean(value)) => first_or_push::<_, E>(values, value, expect),
            (ColumnData::Date(values), Scalar::Date(value)) => first_or_push::<_, E>(values, value, expect),
            (ColumnData::Instant(values) | ColumnData::LocalTime(values), Scalar::Time(value)) => {
                first_or_push::<_, E>(values, value, expect)
            }
            (ColumnData::Text(texts), Scalar::Text(text)) => texts.push(text, expect)?,
            // A plan gives each kind its own values.
            _ => return Ok(()),
        }
        self.mark_present(1);
        Ok(())
    }

    #[inline]
    fn mark_present(&mut self, rows: usize) {
        if let Some(bits) = &mut self.present {
            bits.push(rows, true);
        }
    }

    /// Adds an item to the list that [`Cells::end_list`] puts into the row.
    #[inline]
    pub(super) fn push_item<E: Error>(&mut self, text: &str) -> Result<(), E> {
        let expect = self.expect;
        match &mut self.data {
            ColumnData::TextList(lists) => lists.push(text, expect),
            _ => Ok(()),
        }
    }

    pub(super) fn end_list<E: Error>(&mut self) -> Result<(), E> {
        let expect = self.expect;
        if let ColumnData::TextList(lists) = &mut self.data {
            lists.end(expect)?;
        }
        self.mark_present(1);
        Ok(())
    }

    /// Puts one number into each row from `row` on.
    pub(super) fn put_numbers<E: Error>(&mut self, row: usize, values: Vec<f64>) -> Result<(), E> {
        if values.is_empty() {
            return Ok(());
        }
        self.make_room(row)?;
        let count = values.len();
        if let ColumnData::Number(all) = &mut self.data {
            if all.is_empty() {
                *all = values;
            } else {
                all.extend_from_slice(&values);
            }
        }
        self.mark_present(count);
        Ok(())
    }

    /// The value of a row, of any kind but a list.
    #[inline]
    pub(super) fn scalar(&self, row: usize) -> Option<Scalar<'_>> {
        if self.is_missing(row) {
            return None;
        }
        Some(match &self.data {
            ColumnData::Number(values) => Scalar::Number(*values.get(row)?),
            ColumnData::Integer(values) => Scalar::Integer(*values.get(row)?),
            ColumnData::Boolean(values) => Scalar::Boolean(*values.get(row)?),
            ColumnData::Date(values) => Scalar::Date(*values.get(row)?),
            ColumnData::Instant(values) | ColumnData::LocalTime(values) => Scalar::Time(*values.get(row)?),
            ColumnData::Text(texts) => Scalar::Text(texts.get(row)),
            ColumnData::TextList(_) => return None,
        })
    }

    /// Copies a row of other cells of the same kind.
    pub(super) fn put_from<E: Error>(&mut self, row: usize, other: &Self, at: usize) -> Result<(), E> {
        if let Some(value) = other.scalar(at) {
            charge(if let Scalar::Text(text) = value { text.len() + 4 } else { 8 })?;
            return self.put(row, value);
        }
        if let ColumnData::TextList(lists) = &other.data
            && !other.is_missing(at)
        {
            self.make_room(row)?;
            for item in lists.get(at) {
                charge(item.len() + 4)?;
                self.push_item(item)?;
            }
            charge(8)?;
            self.end_list()?;
        }
        Ok(())
    }

    /// Forgets a row and what comes after it.
    #[inline]
    pub(super) fn truncate(&mut self, row: usize) {
        if self.data.len() > row {
            self.data.truncate(row);
            if let Some(bits) = &mut self.present {
                bits.truncate(row);
            }
        }
    }

    /// Makes `row` the next one: forgets it if it is there, and fills what is missing before it.
    #[inline]
    pub(super) fn make_room<E: Error>(&mut self, row: usize) -> Result<(), E> {
        if self.data.len() == row { Ok(()) } else { self.fill(row) }
    }

    #[inline(never)]
    fn fill<E: Error>(&mut self, row: usize) -> Result<(), E> {
        self.truncate(row);
        let len = self.data.len();
        if len == row {
            return Ok(());
        }
        let gap = row - len;
        charge(gap.saturating_mul(8))?;
        let expect = self.expect.max(row);
        let bits = self.present.get_or_insert_with(|| {
            let mut bits = Bits { bytes: Vec::with_capacity(expect.div_ceil(8)), len: 0 };
            bits.push(len, true);
            bits
        });
        bits.push(gap, false);
        self.data.resize(row, expect)
    }
}

impl ColumnData {
    pub(super) fn empty(kind: ColumnKind) -> Self {
        match kind {
            ColumnKind::Number => Self::Number(Vec::new()),
            ColumnKind::Integer => Self::Integer(Vec::new()),
            ColumnKind::Boolean => Self::Boolean(Vec::new()),
            ColumnKind::Text => Self::Text(Texts::default()),
            ColumnKind::Date => Self::Date(Vec::new()),
            ColumnKind::Instant => Self::Instant(Vec::new()),
            ColumnKind::LocalTime => Self::LocalTime(Vec::new()),
            ColumnKind::TextList => Self::TextList(TextLists::default()),
        }
    }

    fn truncate(&mut self, len: usize) {
        match self {
            Self::Number(values) => values.truncate(len),
            Self::Integer(values) | Self::Instant(values) | Self::LocalTime(values) => values.truncate(len),
            Self::Boolean(values) => values.truncate(len),
            Self::Date(values) => values.truncate(len),
            Self::Text(texts) => texts.truncate(len),
            Self::TextList(lists) => lists.truncate(len),
        }
    }

    fn resize<E: Error>(&mut self, len: usize, expect: usize) -> Result<(), E> {
        fn longer<T: Clone, E: Error>(values: &mut Vec<T>, len: usize, expect: usize, value: T) {
            if values.capacity() == 0 && charge::<E>(expect.saturating_mul(size_of::<T>())).is_ok() {
                values.reserve_exact(expect);
            }
            if values.capacity() < len {
                values.reserve_exact((len - values.len()).max(grow(values.len())));
            }
            values.resize(len, value);
        }
        match self {
            Self::Number(values) => longer::<_, E>(values, len, expect, 0.0),
            Self::Integer(values) | Self::Instant(values) | Self::LocalTime(values) => longer::<_, E>(values, len, expect, 0),
            Self::Boolean(values) => longer::<_, E>(values, len, expect, false),
            Self::Date(values) => longer::<_, E>(values, len, expect, 0),
            Self::Text(texts) => {
                for _ in texts.len()..len {
                    texts.push("", expect)?;
                }
            }
            Self::TextList(lists) => {
                for _ in lists.len()..len {
                    lists.end(expect)?;
                }
            }
        }
        Ok(())
    }
}

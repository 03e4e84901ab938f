//! Items of parts: lists and tables.

use std::mem;
use std::ops::Range as Rows;

use crate::error::Error;
use crate::table::Table;

/// The items of a part: a list, or the rows of a table.
pub trait Items: Sized {
    /// Returns the number of items.
    fn count(&self) -> usize;

    /// Moves the items out, leaving none.
    #[must_use]
    fn take(&mut self) -> Self;

    /// Whether the items of `_other` can be appended to these.
    fn is_like(&self, _other: &Self) -> bool {
        true
    }

    /// Appends items.
    fn append(&mut self, items: Self) -> Result<(), Error>;

    /// Keeps the items whose entry in `keep` is true.
    fn retain(self, keep: &[bool]) -> Result<Self, Error>;

    /// Splits the items into these consecutive ranges of rows. The second value contains the items outside of the ranges.
    fn split(self, rows: impl Iterator<Item = Rows<usize>>) -> Result<(Vec<Self>, Self), Error>;
}

impl<T> Items for Vec<T> {
    fn count(&self) -> usize {
        self.len()
    }

    fn take(&mut self) -> Self {
        mem::take(self)
    }

    fn append(&mut self, mut items: Self) -> Result<(), Error> {
        // Move the first part instead of copying it: it is often the only one.
        if self.is_empty() {
            *self = items;
        } else {
            Self::append(self, &mut items);
        }
        Ok(())
    }

    fn retain(self, keep: &[bool]) -> Result<Self, Error> {
        Ok(self.into_iter().zip(keep).filter_map(|(item, keep)| keep.then_some(item)).collect())
    }

    fn split(self, rows: impl Iterator<Item = Rows<usize>>) -> Result<(Vec<Self>, Self), Error> {
        let mut items = self.into_iter();
        let pieces = rows.map(|rows| items.by_ref().take(rows.len()).collect()).collect();
        Ok((pieces, items.collect()))
    }
}

impl Items for Table {
    fn count(&self) -> usize {
        self.len()
    }

    fn take(&mut self) -> Self {
        let empty = Self::empty(self.spec());
        mem::replace(self, empty)
    }

    fn is_like(&self, other: &Self) -> bool {
        self.spec() == other.spec()
    }

    fn append(&mut self, items: Self) -> Result<(), Error> {
        Self::append(self, items)
    }

    fn retain(self, keep: &[bool]) -> Result<Self, Error> {
        let rows: Vec<usize> = keep.iter().enumerate().filter_map(|(row, keep)| keep.then_some(row)).collect();
        let mut rest = self.select(&rows)?;
        rest.add_skipped(&self);
        Ok(rest)
    }

    fn split(self, rows: impl Iterator<Item = Rows<usize>>) -> Result<(Vec<Self>, Self), Error> {
        let pieces = rows.map(|rows| self.select(&rows.collect::<Vec<_>>())).collect::<Result<_, _>>()?;
        let mut rest = Self::empty(self.spec());
        rest.add_skipped(&self);
        Ok((pieces, rest))
    }
}

//! Access to the JSON that is decoded into a table: at a cursor (the fast path), or through serde.
//!
//! The rules of tables are in the readers, which know neither. A reader gets each value through these traits.

use serde::de::Error;

use super::names::{Name, Names};
use super::object_state::ObjectState;
use super::{ReadOutcome, TableReader};
use crate::table::cells::Cells;
use crate::value::decode::{LenientValue, ParsedNumber};

/// A value without fields or items.
#[derive(Clone, Copy)]
pub(super) enum Leaf<'t> {
    Null,
    Boolean(bool),
    Number(ParsedNumber),
    Text(&'t str),
    /// A number beyond the range of a double, or a text with a lone surrogate.
    Unreadable,
}

impl Leaf<'_> {
    /// Returns the outcome of reading a leaf that is not a value of the expected type.
    pub(super) fn outcome(self) -> ReadOutcome {
        if let Self::Null = self { ReadOutcome::Null } else { ReadOutcome::WrongType }
    }
}

/// Reads a value into a table.
pub(super) trait ValueReader {
    /// Whether the value should be an object or a list.
    fn is_container(&self) -> bool;

    /// Reads a value without fields or items.
    fn leaf<E: Error>(&mut self, leaf: Leaf<'_>) -> Result<ReadOutcome, E>;

    /// Reads an object.
    fn object<A: FieldAccess>(&mut self, fields: A) -> Result<ReadOutcome, A::Error>;

    /// Reads a list.
    fn list<A: ItemAccess>(&mut self, items: A) -> Result<ReadOutcome, A::Error>;
}

/// A value that was not read yet.
pub(super) trait ValueAccess {
    /// Error of reading.
    type Error: Error;

    /// Passes the value to a reader.
    fn read<R: ValueReader>(self, reader: &mut R) -> Result<ReadOutcome, Self::Error>;
}

/// The fields of an object, in sequence. All of them must be read.
pub(super) trait FieldAccess: Sized {
    /// Error of reading.
    type Error: Error;

    /// Reads the next name. `learn` returns the use of an undeclared name.
    fn next_name<T: Copy>(
        &mut self,
        names: &mut Names<T>,
        learn: impl FnOnce(&str) -> Result<T, Self::Error>,
    ) -> Result<Option<Name<T>>, Self::Error>;

    /// Passes the value of the field to a reader.
    fn read<R: ValueReader>(&mut self, reader: &mut R) -> Result<ReadOutcome, Self::Error>;

    /// Reads an optional number into a cell.
    fn read_number(&mut self, cells: &mut Cells, row: usize) -> Result<ReadOutcome, Self::Error>;

    /// Reads a series of numbers.
    fn read_series(&mut self) -> Result<LenientValue<Vec<f64>>, Self::Error>;

    /// Skips the value of the field.
    fn skip(&mut self) -> Result<(), Self::Error>;

    /// Skips all fields.
    fn skip_all(self) -> Result<(), Self::Error>;
}

/// The items of a list.
pub(super) trait ItemAccess {
    /// Error of reading.
    type Error: Error;

    /// Reads texts into the list that [`Cells::end_list`] puts into a row.
    fn read_texts(self, cells: &mut Cells) -> Result<(), Self::Error>;

    /// Reads objects that are rows or contain rows. `list` is the name of the list.
    fn read_rows(self, table: &mut TableReader<'_>, state: &mut ObjectState, list: &'static str) -> Result<(), Self::Error>;

    /// Skips all items.
    fn skip_all(self) -> Result<(), Self::Error>;
}

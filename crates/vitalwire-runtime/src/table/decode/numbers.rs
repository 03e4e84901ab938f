//! Decoding of objects of numbers.

use super::ReadOutcome;
use super::TableReader;
use super::access::FieldAccess;
use super::names::{Name, Names};
use super::record::ObjectReader;

/// Reason for skipping a number whose name is taken by another column.
const NAME_TAKEN: &str = "expected a name that no other column has";

/// Reads an object of numbers.
pub(super) struct NumbersReader<'a, 's> {
    pub(super) table: &'a mut TableReader<'s>,
    pub(super) names: &'a mut Names<Option<usize>>,
    pub(super) name: &'static str,
    /// Column of the first declared name.
    pub(super) first: usize,
    pub(super) strict: bool,
}

impl ObjectReader for NumbersReader<'_, '_> {
    fn is_strict(&self) -> bool {
        self.strict
    }

    fn read_fields<A: FieldAccess>(&mut self, mut fields: A) -> Result<(), A::Error> {
        let row = self.table.table.rows;
        while let Some(column) = self.table.next_column(&mut fields, self.names, self.first)? {
            let Some((column, cells)) = column.and_then(|column| Some((column, self.table.cells(column)?))) else {
                self.table.skip_unnamed(&mut fields, self.name)?;
                continue;
            };
            if fields.read_number(cells, row)? == ReadOutcome::WrongType {
                self.table.count_wrong_type(column);
            }
        }
        Ok(())
    }
}

impl TableReader<'_> {
    /// Reads the next name of an object of numbers or series. Returns its column, if it has one and is selected.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "run for every number of a body; measured")]
    pub(super) fn next_column<A: FieldAccess>(
        &mut self,
        fields: &mut A,
        names: &mut Names<Option<usize>>,
        first: usize,
    ) -> Result<Option<Option<usize>>, A::Error> {
        Ok(match fields.next_name(names, |name| self.undeclared_column(name))? {
            Some(Name::Declared(index)) => Some(self.selected(first + index)),
            Some(Name::Unknown(column)) => Some(column),
            None => None,
        })
    }

    /// Skips a value without a column, and counts it unless its column is not selected. `field` is the object.
    #[inline]
    pub(super) fn skip_unnamed<A: FieldAccess>(&mut self, fields: &mut A, field: &'static str) -> Result<(), A::Error> {
        fields.skip()?;
        if self.selection.is_none() {
            self.count_skipped_field(field, NAME_TAKEN);
        }
        Ok(())
    }
}

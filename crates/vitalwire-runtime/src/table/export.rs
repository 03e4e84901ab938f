//! Which columns other programs get.

use super::{Column, Table};

impl Table {
    /// The columns that exports have: all but the known names of maps of numbers that no row has a value for; those too after
    /// [`Table::with_empty_columns`], or after [`Table::with_columns`] where that has named them.
    pub fn exported(&self) -> impl Iterator<Item = &Column> {
        self.columns.iter().filter(|column| self.exports(column))
    }

    /// The same table without a column; as it is where it has none of that name.
    #[must_use]
    pub fn without_column(mut self, name: &str) -> Self {
        self.columns.retain(|column| column.field.name != name);
        self
    }

    pub(super) fn exports(&self, column: &Column) -> bool {
        self.empty_columns || column.always || !column.is_empty() || !self.spec.numbers().any(|field| field.name == column.field.name)
    }
}

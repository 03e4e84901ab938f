//! Selection of the columns that exports include.

use super::{Column, ColumnKind, Table};

impl Table {
    /// Returns the columns that exports include. Declared names of number maps and lists of texts are excluded if no row has a value,
    /// unless [`Table::with_empty_columns`] or [`Table::with_columns`] includes them.
    pub fn exported(&self) -> impl Iterator<Item = &Column> {
        self.columns.iter().filter(|column| self.exports(column))
    }

    /// Removes a column. Has no effect if the table has no column of this name.
    #[must_use]
    pub fn without_column(mut self, name: &str) -> Self {
        self.columns.retain(|column| column.field.name != name);
        self
    }

    pub(super) fn exports(&self, column: &Column) -> bool {
        let is_optional = || column.field.kind == ColumnKind::TextList || self.spec.numbers().any(|field| field.name == column.field.name);
        self.empty_columns || column.always || !column.is_empty() || !is_optional()
    }
}

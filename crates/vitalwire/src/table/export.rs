//! Which columns other programs get.

use super::{Column, Table, TableId};

impl Table {
    /// The columns of an export.
    pub(super) fn exported(&self) -> impl Iterator<Item = &Column> {
        self.columns.iter().filter(move |column| is_exported(self.id, self.empty_columns, column))
    }

    /// The same, taken out of the table.
    #[cfg(feature = "arrow")]
    pub(super) fn into_exported(self) -> impl Iterator<Item = Column> {
        let Self { id, columns, empty_columns, .. } = self;
        columns.into_iter().filter(move |column| is_exported(id, empty_columns, column))
    }
}

fn is_exported(id: TableId, empty_columns: bool, column: &Column) -> bool {
    empty_columns || !column.is_empty() || !id.spec().numbers().any(|field| field.name == column.field.name)
}

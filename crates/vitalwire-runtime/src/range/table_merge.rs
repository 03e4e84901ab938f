//! Merging of tables.

use super::bounds::RangeBounds;
use super::merge::{DuplicateScope, Merge};
use crate::client::Operation;
use crate::error::Error;
use crate::operation::OperationMeta;
use crate::table::{RowKeyValue, Table, TableSpec, find_source};

/// Key that identifies a row.
#[derive(PartialEq, Eq, Hash)]
pub struct RowKey(RowKeyValue);

/// Merges tables that are read from responses.
pub struct TableMerge {
    operation: &'static OperationMeta,
    /// Index of the key column.
    key: Option<usize>,
    /// Duplicate scopes of a run and of a merge of runs.
    scopes: [DuplicateScope; 2],
    /// Names of number columns in the requested order.
    columns: Vec<String>,
}

impl TableMerge {
    /// Creates the merge rules for a table of an operation.
    ///
    /// # Errors
    /// `invalid_argument` if the operation's responses do not have the table.
    pub(super) fn for_operation<O: Operation>(table: &'static TableSpec) -> Result<Self, Error> {
        let key = find_source(table, O::META.id).map_err(|error| error.with_operation(O::META))?.key;
        Ok(Self { operation: O::META, key, scopes: [DuplicateScope::Previous; 2], columns: Vec::new() })
    }

    /// Creates the merge rules for the records of a search, which `column` identifies.
    pub fn for_search(operation: &'static OperationMeta, table: &TableSpec, column: &str) -> Self {
        let key = table.fields().iter().position(|field| field.name == column);
        Self { operation, key, scopes: [DuplicateScope::None, DuplicateScope::Earlier], columns: Vec::new() }
    }

    /// Returns the name of the key column.
    pub(super) fn key_name(&self, table: &TableSpec) -> Option<String> {
        self.key.and_then(|key| table.fields().get(key)).map(|field| field.name.to_string())
    }

    /// Sets the number columns to put first.
    pub(super) fn with_columns(self, columns: Vec<String>) -> Self {
        Self { columns, ..self }
    }
}

impl Merge for TableMerge {
    type Value = Table;
    type Items = Table;
    type Key = RowKey;

    fn operation(&self) -> &'static OperationMeta {
        self.operation
    }

    fn scope(&self, is_join: bool) -> DuplicateScope {
        self.scopes[usize::from(is_join)]
    }

    fn items<'a>(&self, value: &'a mut Table) -> &'a mut Table {
        value
    }

    fn keys(&self, items: &Table) -> Vec<Option<RowKey>> {
        self.key.map(|column| items.keys(column).map(|key| key.map(RowKey)).collect()).unwrap_or_default()
    }

    fn complete(&self, value: Table, _ranges: Option<[RangeBounds; 2]>) -> Table {
        value.with_columns(&self.columns)
    }
}

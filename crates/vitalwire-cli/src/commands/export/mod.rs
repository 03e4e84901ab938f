//! Responses as tables: CSV, Parquet and Arrow. Requires the feature `tables`.

#[cfg(feature = "tables")]
mod files;

use vitalwire::client::{Call, Operation};
#[cfg(feature = "tables")]
use vitalwire::table::{Column, ColumnData};
use vitalwire::table::{Table, TableId};

use super::session::Session;
use crate::cli::Format;
use crate::failure::Failure;
use crate::progress::with_progress;
use crate::screen::Screen;

/// The failure for a table format that this program was built without.
const NOT_BUILT_IN: Failure = Failure::Usage(
    "this program was built without csv, parquet and arrow",
    "use --format json, or build the program with the feature `tables` (cargo's default)",
);

/// The table to write.
#[derive(Clone, Copy, Debug)]
pub(super) struct TableSelection {
    pub(super) id: TableId,
    /// A column of lists that was not requested. It is left out if all its lists are empty.
    #[cfg_attr(not(feature = "tables"), expect(dead_code, reason = "only tables have columns"))]
    optional_column: Option<&'static str>,
}

impl From<TableId> for TableSelection {
    fn from(id: TableId) -> Self {
        Self { id, optional_column: None }
    }
}

impl TableSelection {
    /// Leaves out a column that was not requested, if it is empty.
    pub(super) fn without_empty(self, column: &'static str) -> Self {
        Self { optional_column: Some(column), ..self }
    }

    #[cfg(feature = "tables")]
    fn apply(self, table: Table) -> Table {
        match self.optional_column {
            Some(name) if table.column(name).is_some_and(has_only_empty_lists) => table.without_column(name),
            _ => table,
        }
    }
}

/// Whether all lists of a column are empty.
#[cfg(feature = "tables")]
fn has_only_empty_lists(column: &Column) -> bool {
    matches!(column.data(), ColumnData::TextList(lists) if (0..lists.len()).all(|row| lists.get(row).next().is_none()))
}

impl Session {
    /// Shows the response like [`Session::show`], or writes only its table in a table format.
    pub(super) async fn show_or_export<O: Operation>(
        &self,
        call: Call<O>,
        table: impl Into<TableSelection>,
        title: &str,
        draw: impl FnOnce(&mut Screen, &O::Output) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        if !self.format.exports_table() {
            return self.show(call, title, draw).await;
        }
        let selection = table.into();
        self.export(selection, with_progress(call.table(selection.id)).await?.into_inner())
    }

    /// Rejects a format that this program was built without.
    pub(super) fn check_built_in(format: Format) -> Result<(), Failure> {
        if format.exports_table() && !cfg!(feature = "tables") { Err(NOT_BUILT_IN) } else { Ok(()) }
    }

    #[cfg(feature = "tables")]
    pub(super) fn export(&self, selection: TableSelection, table: Table) -> Result<(), Failure> {
        let table = selection.apply(self.columns.apply(table)?);
        // Open the file as late as possible, when there is something to write.
        let mut sink = self.destination.sink(self.format.is_binary())?;
        match files::write(&table, self.format, self.columns.csv_options(), &mut sink) {
            Ok(()) => sink.finish()?,
            Err(error) => return Err(sink.take_error().unwrap_or(error).into()),
        }
        files::print_notes(&table, self.format);
        Ok(())
    }

    /// Unreachable: [`Session::open`] rejects table formats in this build.
    #[cfg(not(feature = "tables"))]
    pub(super) fn export(&self, _: TableSelection, _: Table) -> Result<(), Failure> {
        Err(NOT_BUILT_IN)
    }
}

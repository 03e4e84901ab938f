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
pub(super) struct TableSelection<'a> {
    pub(super) id: TableId,
    /// Number columns to put first, in this order. They are written even if no row has a value.
    #[cfg_attr(not(feature = "tables"), expect(dead_code, reason = "only tables have columns"))]
    requested_columns: &'a [String],
    /// A column of lists that was not requested. It is left out if all its lists are empty.
    #[cfg_attr(not(feature = "tables"), expect(dead_code, reason = "only tables have columns"))]
    optional_column: Option<&'static str>,
}

impl From<TableId> for TableSelection<'_> {
    fn from(id: TableId) -> Self {
        Self { id, requested_columns: &[], optional_column: None }
    }
}

impl<'a> TableSelection<'a> {
    /// Puts columns that were requested by name first, and writes them even if they are empty.
    pub(super) fn with_columns(self, names: &'a [String]) -> Self {
        Self { requested_columns: names, ..self }
    }

    /// Leaves out a column that was not requested, if it is empty.
    pub(super) fn without_empty(self, column: &'static str) -> Self {
        Self { optional_column: Some(column), ..self }
    }

    #[cfg(feature = "tables")]
    fn apply(self, table: Table) -> Table {
        let table = table.with_columns(self.requested_columns);
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
        table: impl Into<TableSelection<'_>>,
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
    pub(super) fn export(&self, selection: TableSelection<'_>, table: Table) -> Result<(), Failure> {
        let table = self.columns.apply(selection.apply(table))?;
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
    pub(super) fn export(&self, _: TableSelection<'_>, _: Table) -> Result<(), Failure> {
        Err(NOT_BUILT_IN)
    }
}

//! Answers as tables for other programs: CSV, Parquet, Arrow. What writes them is there with the feature `tables`.

#[cfg(feature = "tables")]
mod files;

use vitalwire::client::{Call, Operation};
#[cfg(feature = "tables")]
use vitalwire::table::{Column, ColumnData};
use vitalwire::table::{Table, TableId};

use super::session::Session;
use crate::cli::Format;
use crate::failure::Failure;
use crate::progress::asked;
use crate::screen::Screen;

/// What is said of those formats where nothing in this program writes them.
const NOT_BUILT_IN: Failure = Failure::Usage(
    "csv, parquet and arrow are not built into this program",
    "--format json has all of an answer; what is built with the feature `tables` (cargo's default) has tables too",
);

/// The table of an answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    pub(super) id: TableId,
    /// A column of lists that nothing asked for: where all are empty, that says nothing, and it is left out.
    #[cfg_attr(not(feature = "tables"), expect(dead_code, reason = "only tables have columns"))]
    unasked: Option<&'static str>,
}

impl From<TableId> for Wanted {
    fn from(id: TableId) -> Self {
        Self { id, unasked: None }
    }
}

impl Wanted {
    /// The same without a column that nothing asked for.
    pub(super) fn without(self, column: &'static str) -> Self {
        Self { unasked: Some(column), ..self }
    }

    #[cfg(feature = "tables")]
    fn of(self, table: Table) -> Table {
        match self.unasked {
            Some(name) if table.column(name).is_some_and(is_bare) => table.without_column(name),
            _ => table,
        }
    }
}

/// Whether no list of a column has an item.
#[cfg(feature = "tables")]
fn is_bare(column: &Column) -> bool {
    matches!(column.data(), ColumnData::TextList(lists) if (0..lists.len()).all(|row| lists.get(row).next().is_none()))
}

impl Session {
    /// As [`Session::show`]; in a format for other programs, the answer's table alone.
    pub(super) async fn show_or_export<O: Operation>(
        &self,
        call: Call<O>,
        table: impl Into<Wanted>,
        title: &str,
        draw: impl FnOnce(&mut Screen, &O::Output) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        if !self.format.is_for_programs() {
            return self.show(call, title, draw).await;
        }
        let wanted = table.into();
        self.export(wanted, asked(call.table(wanted.id)).await?.into_inner())
    }

    /// Refuses a format that this program was built without.
    pub(super) fn built_in(format: Format) -> Result<(), Failure> {
        if format.is_for_programs() && !cfg!(feature = "tables") { Err(NOT_BUILT_IN) } else { Ok(()) }
    }

    /// Writes a table where the caller wants it.
    #[cfg(feature = "tables")]
    pub(super) fn export(&self, wanted: Wanted, table: Table) -> Result<(), Failure> {
        let table = wanted.of(self.columns.of(table)?);
        // The file is opened when there is something to put into it.
        let mut sink = self.destination.sink(self.format.is_binary())?;
        match files::write(&table, self.format, self.columns.csv(), &mut sink) {
            Ok(()) => sink.finish()?,
            Err(error) => return Err(sink.take_error().unwrap_or(error).into()),
        }
        files::told(&table, self.format);
        Ok(())
    }

    /// Never comes here: [`Session::open`] refuses.
    #[cfg(not(feature = "tables"))]
    pub(super) fn export(&self, _: Wanted, _: Table) -> Result<(), Failure> {
        Err(NOT_BUILT_IN)
    }
}

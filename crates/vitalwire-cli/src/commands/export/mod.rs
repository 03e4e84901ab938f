//! Answers as tables for other programs: CSV, Parquet, Arrow. What writes them is there with the feature `tables`.

#[cfg(feature = "tables")]
mod files;

use vitalwire::client::{Call, Operation};
use vitalwire::table::{Table, TableId};

use super::session::Session;
use crate::cli::Format;
use crate::failure::Failure;
use crate::progress::asked;
use crate::screen::Screen;

/// What is said of formats that need a table, where there is none.
pub(crate) const NO_TABLE: Failure = Failure::Usage(
    "this answer is no table: csv, parquet and arrow are for stats, sleep, and lists and records of nutrition and labs",
    "--format json has all of it",
);

/// What is said of those formats where nothing in this program writes them.
const NOT_BUILT_IN: Failure = Failure::Usage(
    "csv, parquet and arrow are not built into this program",
    "--format json has all of an answer; what is built with the feature `tables` (cargo's default) has tables too",
);

impl Session {
    /// As [`Session::show`]; in a format for other programs, the answer's table alone.
    pub(super) async fn show_or_export<O: Operation>(
        &self,
        call: Call<O>,
        table: TableId,
        title: &str,
        draw: impl FnOnce(&mut Screen, &O::Output) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        if !self.format.is_for_programs() {
            return self.show(call, title, draw).await;
        }
        self.export(asked(call.table(table)).await?.into_inner())
    }

    /// Refuses a format that this program was built without.
    pub(super) fn built_in(format: Format) -> Result<(), Failure> {
        if format.is_for_programs() && !cfg!(feature = "tables") { Err(NOT_BUILT_IN) } else { Ok(()) }
    }

    /// Writes a table where the caller wants it.
    #[cfg(feature = "tables")]
    pub(super) fn export(&self, table: Table) -> Result<(), Failure> {
        let table = self.columns.of(table)?;
        // The file is opened when there is something to put into it.
        let mut sink = self.destination.sink(self.format.is_binary())?;
        match files::write(&table, self.format, &mut sink) {
            Ok(()) => sink.finish()?,
            Err(error) => return Err(sink.take_error().unwrap_or(error).into()),
        }
        files::told(&table, self.format);
        Ok(())
    }

    /// Never comes here: [`Session::open`] refuses.
    #[cfg(not(feature = "tables"))]
    pub(super) fn export(&self, _: Table) -> Result<(), Failure> {
        Err(NOT_BUILT_IN)
    }
}

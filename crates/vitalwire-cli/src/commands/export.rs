//! Answers as tables for other programs: CSV, Parquet, Arrow.

use std::io::{self, Write};

use vitalwire::client::{Call, Operation};
use vitalwire::table::{Table, TableId};

use super::session::Session;
use crate::cli::Format;
use crate::failure::Failure;
use crate::output::Sink;
use crate::progress::asked;
use crate::screen::Screen;

/// What is said of formats that need a table, where there is none.
pub(crate) const NO_TABLE: Failure = Failure::Usage(
    "this answer is no table: csv, parquet and arrow are for stats, sleep, and lists and records of nutrition and labs",
    "--format json has all of it",
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

    /// Writes a table where the caller wants it.
    pub(super) fn export(&self, mut table: Table) -> Result<(), Failure> {
        if self.columns.all_columns {
            table = table.with_empty_columns();
        }
        if let Some(zone) = &self.columns.time_zone {
            table = table.with_local_time(zone)?;
        }
        // The file is opened when there is something to put into it.
        let mut sink = self.destination.sink(self.format.is_binary())?;
        match write(&table, self.format, &mut sink) {
            Ok(()) => sink.finish()?,
            Err(error) => return Err(sink.take_error().unwrap_or(error).into()),
        }
        told(table.skipped());
        Ok(())
    }
}

fn write(table: &Table, format: Format, sink: &mut Sink) -> io::Result<()> {
    match format {
        Format::Parquet => table.write_parquet(sink),
        Format::Arrow => table.write_arrow_stream(sink),
        Format::Csv | Format::Table | Format::Json => table.write_csv(sink),
    }
}

/// What is not in the table is said beside it. Nobody is left to tell where that fails.
fn told(skipped: u64) {
    if skipped > 0 {
        let _ = writeln!(io::stderr().lock(), "vitalwire: note: {skipped} values of an unexpected type were left out");
    }
}

//! Tables in CSV, Parquet and Arrow files.

use std::io::{self, Write};

use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use vitalwire::table::{CsvOptions, Table};

use crate::cli::Format;
use crate::failure::note;
use crate::output::Sink;

pub(super) fn write(table: &Table, format: Format, csv: CsvOptions, sink: &mut Sink) -> io::Result<()> {
    match format {
        Format::Parquet => parquet(table, sink),
        Format::Arrow => table.write_arrow_stream(sink),
        Format::Csv | Format::Table | Format::Json => table.write_csv_with(sink, csv),
    }
}

/// Writes a Parquet file, compressed with Snappy. Types, units and nullability come from the Arrow schema, which the file also contains.
fn parquet(table: &Table, writer: impl Write + Send) -> io::Result<()> {
    let batch = table.to_record_batch().map_err(io::Error::other)?;
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let outcome = ArrowWriter::try_new(writer, batch.schema(), Some(properties)).and_then(|mut file| {
        file.write(&batch)?;
        file.close()
    });
    outcome.map(drop).map_err(|error| match error {
        ParquetError::External(cause) => cause.downcast::<io::Error>().map_or_else(io::Error::other, |error| *error),
        other => io::Error::other(other),
    })
}

/// Prints notes about data that is not in the file.
pub(super) fn print_notes(table: &Table, format: Format) {
    // CSV files have all digits.
    let truncation_note = table.cut_note().filter(|_| format.is_binary()).map(|text| text + "; --time-unit ns keeps every digit");
    for text in table.skipped_note().into_iter().chain(truncation_note) {
        note(&text);
    }
}

#[cfg(test)]
mod tests;

//! Tables as Parquet files, Arrow streams and Arrow files.

use std::io::{self, Write};

use super::Table;

#[cfg(feature = "parquet")]
impl Table {
    /// Writes the table as a Parquet file, compressed with Snappy. Types, units and what may be missing are those of
    /// [`Table::arrow_schema`], which the file states too.
    ///
    /// # Errors
    /// The writer's own.
    pub fn write_parquet(&self, writer: impl Write + Send) -> io::Result<()> {
        use parquet::arrow::ArrowWriter;
        use parquet::basic::Compression;
        use parquet::errors::ParquetError;
        use parquet::file::properties::WriterProperties;

        let batch = self.to_record_batch().map_err(io::Error::other)?;
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        let written = ArrowWriter::try_new(writer, batch.schema(), Some(properties)).and_then(|mut file| {
            file.write(&batch)?;
            file.close()
        });
        written.map(drop).map_err(|error| match error {
            ParquetError::External(cause) => cause.downcast::<io::Error>().map_or_else(io::Error::other, |error| *error),
            other => io::Error::other(other),
        })
    }
}

#[cfg(feature = "arrow-ipc")]
impl Table {
    /// Writes the table as an Arrow IPC stream (`.arrows`): it can be read from a pipe, because it is read from front to back.
    ///
    /// # Errors
    /// The writer's own.
    pub fn write_arrow_stream(&self, writer: impl Write) -> io::Result<()> {
        let batch = self.to_record_batch().map_err(io::Error::other)?;
        let written = arrow_ipc::writer::StreamWriter::try_new(writer, &batch.schema()).and_then(|mut stream| {
            stream.write(&batch)?;
            stream.finish()
        });
        written.map_err(writers_own)
    }

    /// Writes the table as an Arrow IPC file (`.arrow`, also known as Feather): its readers look at its end first, so it is no
    /// format for pipes.
    ///
    /// # Errors
    /// The writer's own.
    pub fn write_arrow_file(&self, writer: impl Write) -> io::Result<()> {
        let batch = self.to_record_batch().map_err(io::Error::other)?;
        let written = arrow_ipc::writer::FileWriter::try_new(writer, &batch.schema()).and_then(|mut file| {
            file.write(&batch)?;
            file.finish()
        });
        written.map_err(writers_own)
    }
}

#[cfg(feature = "arrow-ipc")]
fn writers_own(error: arrow_schema::ArrowError) -> io::Error {
    match error {
        arrow_schema::ArrowError::IoError(_, error) => error,
        other => io::Error::other(other),
    }
}

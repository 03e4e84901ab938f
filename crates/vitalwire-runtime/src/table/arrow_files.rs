//! Export of tables as Arrow streams and Arrow files.

use std::io::{self, Write};

use super::Table;

impl Table {
    /// Writes the table as an Arrow IPC stream (`.arrows`), which can be read from a pipe.
    ///
    /// # Errors
    /// Any error of the writer.
    pub fn write_arrow_stream(&self, writer: impl Write) -> io::Result<()> {
        let batch = self.to_record_batch().map_err(io::Error::other)?;
        let written = arrow_ipc::writer::StreamWriter::try_new(writer, &batch.schema()).and_then(|mut stream| {
            stream.write(&batch)?;
            stream.finish()
        });
        written.map_err(into_io_error)
    }

    /// Writes the table as an Arrow IPC file (`.arrow`, also known as Feather). Readers start at its end, so it cannot be read from a pipe.
    ///
    /// # Errors
    /// Any error of the writer.
    pub fn write_arrow_file(&self, writer: impl Write) -> io::Result<()> {
        let batch = self.to_record_batch().map_err(io::Error::other)?;
        let written = arrow_ipc::writer::FileWriter::try_new(writer, &batch.schema()).and_then(|mut file| {
            file.write(&batch)?;
            file.finish()
        });
        written.map_err(into_io_error)
    }
}

fn into_io_error(error: arrow_schema::ArrowError) -> io::Error {
    match error {
        arrow_schema::ArrowError::IoError(_, error) => error,
        other => io::Error::other(other),
    }
}

//! Target for Arrow streams of tables, which may come from untrusted storage.

use vitalwire::table::{Table, TableId};
use vitalwire::{Error, ErrorKind};

use crate::oracle::{memory, text};

/// Reads the bytes as a stream of each table.
pub fn run(stream: &[u8]) {
    check(stream, &Table::read_arrow_stream);
}

/// Reads a stream.
pub type ReadStream<'a> = &'a dyn Fn(TableId, &[u8]) -> Result<Table, Error>;

/// Checks that a stream is rejected, or is a table that is written as an equivalent stream.
pub fn check(stream: &[u8], read: ReadStream<'_>) {
    for id in TableId::ALL {
        match memory::check_memory(stream, |stream| read(*id, stream)) {
            Err(error) => {
                assert_eq!((error.kind(), error.argument()), (ErrorKind::InvalidArgument, Some("stream")));
                text::check_text(&error.to_string(), stream.len());
            }
            Ok(table) => {
                let batch = table.to_record_batch().expect("columns that fit their types");
                assert_eq!(batch.num_rows(), table.len());
                let mut written = Vec::new();
                table.write_arrow_stream(&mut written).expect("memory takes what is written");
                let again = read(*id, &written).expect("a stream that was written");
                assert!(again.to_record_batch().expect("as before") == batch, "a table changes when it is written and read");
                let rows = table.len();
                assert_eq!(table.with_local_time("Europe/Berlin").expect("a zone").len(), rows);
            }
        }
    }
}

//! What is copied, what fails, and what a file states.

use std::io::{self, Write};

use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use parquet::basic::Compression;
use parquet::file::reader::{FileReader, SerializedFileReader};
use vitalwire::table::{ColumnData, TableId};

use crate::read;

const BODY: &str = r#"{"from_date":"2025-01-01","to_date":"2025-01-02","statistics":[
    {"date":"2025-01-01","values":{"steps":1}},{"values":{}},{"values":{"steps":3}}]}"#;

#[test]
fn a_table_that_is_given_away_is_not_copied() {
    let table = read(TableId::DailyStatistics, "daily_statistics", BODY);
    let ColumnData::Number(values) = table.column("steps").unwrap().data() else { panic!("no numbers") };
    let before = values.as_ptr();
    let copy = table.to_record_batch().unwrap();
    assert_ne!(copy.column_by_name("steps").unwrap().as_primitive::<Float64Type>().values().as_ptr(), before);
    let batch = table.into_record_batch().unwrap();
    let steps = batch.column_by_name("steps").unwrap();
    assert_eq!(steps.as_primitive::<Float64Type>().values().as_ptr(), before);
    assert_eq!(steps.null_count(), 1);
}

#[test]
fn parquet_is_compressed_with_snappy_and_counts_nulls() {
    let mut file = Vec::new();
    read(TableId::DailyStatistics, "daily_statistics", BODY).write_parquet(&mut file).unwrap();
    let reader = SerializedFileReader::new(bytes::Bytes::from(file)).unwrap();
    let group = reader.metadata().row_group(0);
    assert_eq!(group.num_rows(), 3);
    for column in group.columns() {
        assert_eq!(column.compression(), Compression::SNAPPY);
    }
    let steps = group.columns().iter().find(|column| column.column_path().string() == "steps").unwrap();
    assert_eq!(steps.statistics().unwrap().null_count_opt(), Some(1));
}

/// A disk that is full after some bytes.
struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0 == 0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let taken = bytes.len().min(self.0);
        self.0 -= taken;
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn the_writers_error_is_handed_on() {
    let table = read(TableId::DailyStatistics, "daily_statistics", BODY);
    for room in [0, 3, 100] {
        assert_eq!(table.write_parquet(Full(room)).unwrap_err().kind(), io::ErrorKind::StorageFull, "{room}");
        assert_eq!(table.write_arrow_stream(Full(room)).unwrap_err().kind(), io::ErrorKind::StorageFull, "{room}");
        assert_eq!(table.write_arrow_file(Full(room)).unwrap_err().kind(), io::ErrorKind::StorageFull, "{room}");
    }
    #[cfg(feature = "csv")]
    assert_eq!(table.write_csv(Full(3)).unwrap_err().kind(), io::ErrorKind::StorageFull);
}

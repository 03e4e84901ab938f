use std::fs::File;

use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::reader::{FileReader, SerializedFileReader};
use vitalwire::table::TableId;

use super::*;

fn read(id: TableId, operation: &str, body: &str) -> Table {
    Table::read(id, operation, body.as_bytes()).expect("a table")
}

fn days() -> Table {
    let body = r#"{"from_date":"2025-01-01","to_date":"2025-01-02","statistics":[
            {"date":"2025-01-01","values":{"steps":1}},{"values":{}},{"values":{"steps":3}}]}"#;
    read(TableId::DailyStatistics, "daily_statistics", body)
}

fn file(table: &Table) -> File {
    let file = tempfile::tempfile().expect("a file");
    parquet(table, &file).expect("it is written");
    file
}

/// Every kind of column, local times, gaps, and an empty table.
#[test]
fn a_file_has_the_content_of_the_table() {
    let buckets = r#"{"statistics":[{"from_timestamp":"2025-01-01T00:00:00Z","record_ids":["a","","b"],"values":{"hops":1.5}},
            {"record_ids":[],"values":{"steps":0}},{"record_ids":null}]}"#;
    let report = r#"{"record_id":"r","status":"s","sections":[{"results":[{"tested_positive":true},{"value_text":"","tested_positive":false},{}]}]}"#;
    let none = r#"{"from_date":"2025-01-01","to_date":"2025-01-02","statistics":[]}"#;
    for table in [
        days(),
        read(TableId::DailyStatistics, "daily_statistics", none),
        read(TableId::IntervalStatistics, "interval_statistics", buckets).with_local_time("Europe/Berlin").expect("a zone"),
        read(TableId::LabResults, "get_lab_report", report),
    ] {
        let expected = table.to_record_batch().expect("a batch");
        let reader = ParquetRecordBatchReaderBuilder::try_new(file(&table)).expect("a Parquet file");
        for (read, expected) in reader.schema().fields().iter().zip(expected.schema().fields()) {
            assert_eq!(
                (read.name(), read.data_type(), read.is_nullable()),
                (expected.name(), expected.data_type(), expected.is_nullable())
            );
            assert_eq!(read.metadata().get("unit"), expected.metadata().get("unit"));
        }
        let batches: Vec<_> = reader.build().expect("a reader").map(|batch| batch.expect("a batch")).collect();
        assert_eq!(batches.len(), usize::from(expected.num_rows() > 0));
        for batch in batches {
            assert_eq!(batch.columns(), expected.columns());
        }
    }
}

#[test]
fn parquet_is_compressed_with_snappy_and_counts_nulls() {
    let reader = SerializedFileReader::new(file(&days())).expect("a Parquet file");
    let group = reader.metadata().row_group(0);
    assert_eq!(group.num_rows(), 3);
    for column in group.columns() {
        assert_eq!(column.compression(), Compression::SNAPPY);
    }
    let steps = group.columns().iter().find(|column| column.column_path().string() == "steps").expect("steps");
    assert_eq!(steps.statistics().and_then(|statistics| statistics.null_count_opt()), Some(1));
}

/// A writer that fails with a full disk after some bytes.
struct FullDisk(usize);

impl Write for FullDisk {
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
fn the_writers_error_is_returned() {
    for room in [0, 3, 100] {
        let error = parquet(&days(), FullDisk(room)).expect_err("there is no room");
        assert_eq!(error.kind(), io::ErrorKind::StorageFull, "{room}");
    }
}

//! Arrow exports: shared memory, restored streams, damaged streams and write errors.

use std::io::{self, Write};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use arrow_array::{Array, RecordBatch};
use vitalwire::ErrorKind;
use vitalwire::table::{ColumnData, Table, TableId};

use crate::table::read;

const BODY: &str = r#"{"from_date":"2025-01-01","to_date":"2025-01-02","statistics":[
    {"date":"2025-01-01","values":{"steps":1}},{"values":{}},{"values":{"steps":3}}]}"#;

#[test]
fn converting_a_table_into_a_batch_copies_no_numbers() {
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
fn a_shared_batch_keeps_the_memory_of_the_table() {
    let table = Arc::new(read(TableId::DailyStatistics, "daily_statistics", BODY));
    let ColumnData::Number(values) = table.column("steps").unwrap().data() else { panic!("no numbers") };
    let before = values.as_ptr();
    let batch = table.shared_record_batch().unwrap();
    assert_eq!(batch, table.to_record_batch().unwrap());
    drop(table);
    let steps = batch.column_by_name("steps").unwrap().as_primitive::<Float64Type>();
    assert_eq!(steps.values().as_ptr(), before);
    assert_eq!(steps.iter().collect::<Vec<_>>(), [Some(1.0), None, Some(3.0)]);
}

/// The tables have every kind of column, unknown names, local times, missing values, or no rows.
#[test]
fn a_stream_is_read_as_an_equal_table() {
    let buckets = r#"{"statistics":[{"from_timestamp":"2025-01-01T00:00:00Z","record_ids":["a","","b"],"values":{"hops":1.5}},
        {"record_ids":[],"values":{"steps":0}},{"record_ids":null}]}"#;
    let report = r#"{"record_id":"r","status":"s","sections":[{"results":[{"tested_positive":true},{"value_text":"","tested_positive":false},{}]}]}"#;
    let meal = r#"{"record_id":"m","status":"s","uploaded_at":"2025-01-01T00:00:00Z","consumed_at":"2025-01-01T00:00:00Z",
        "user_time_offset_minutes":120,"nutritional_fields":{"energy_kcal":1}}"#;
    let tables = [
        read(TableId::DailyStatistics, "daily_statistics", BODY),
        read(TableId::DailyStatistics, "daily_statistics", r#"{"from_date":"2025-01-01","to_date":"2025-01-02","statistics":[]}"#),
        read(TableId::IntervalStatistics, "interval_statistics", buckets),
        #[cfg(feature = "time-zones")]
        read(TableId::IntervalStatistics, "interval_statistics", buckets).with_local_time("Europe/Berlin").unwrap(),
        read(TableId::LabResults, "get_lab_report", report),
        read(TableId::NutritionRecords, "upload_nutrition_record", meal),
    ];
    for table in tables {
        let mut stream = Vec::new();
        table.write_arrow_stream(&mut stream).unwrap();
        let restored = Table::read_arrow_stream(table.spec(), &stream).unwrap();
        assert_eq!(restored.to_record_batch().unwrap(), table.to_record_batch().unwrap(), "{table:?}");
        let names = |table: &Table| table.columns().map(|column| column.field().name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&restored), names(&table));
        // Appending requires complete columns.
        let mut twice = restored.clone();
        twice.append(restored).unwrap();
        assert_eq!(twice.len(), 2 * table.len());
    }
}

#[test]
fn a_stream_of_selected_columns_is_read_with_these_columns() {
    let days = read(TableId::DailyStatistics, "daily_statistics", BODY);
    let report = r#"{"record_id":"r","status":"s","sections":[{"results":[{"value_text":"x"},{}]}]}"#;
    let results = read(TableId::LabResults, "get_lab_report", report);
    let selections: [(&Table, &[&str]); 4] = [
        (&days, &["steps"]),
        (&days, &["steps", "date"]),
        // Without a value.
        (&days, &["heartrate"]),
        // Without the required columns.
        (&results, &["value_text", "value"]),
    ];
    for (table, columns) in selections {
        let selected = table.only_columns(columns).unwrap();
        let mut stream = Vec::new();
        selected.write_arrow_stream(&mut stream).unwrap();
        let restored = Table::read_arrow_stream(table.spec(), &stream).unwrap();
        assert_eq!(restored.to_record_batch().unwrap(), selected.to_record_batch().unwrap(), "{columns:?}");
    }
}

#[test]
fn a_stream_or_batch_of_another_table_is_rejected() {
    let mut stream = Vec::new();
    read(TableId::DailyStatistics, "daily_statistics", BODY).write_arrow_stream(&mut stream).unwrap();
    // A number column of the table that contains texts.
    let report = read(TableId::LabResults, "get_lab_report", r#"{"record_id":"r","status":"s","sections":[{"results":[{"value":1}]}]}"#);
    let batch = report.to_record_batch().unwrap();
    let renamed = RecordBatch::try_from_iter([("value", batch.column_by_name("record_id").unwrap().clone())]).unwrap();
    let error = Table::from_record_batch(TableId::LabResults, &renamed).unwrap_err();
    assert_eq!((error.kind(), error.argument()), (ErrorKind::InvalidArgument, Some("batch")));
    for broken in [&b""[..], b"no stream at all", &stream[..stream.len() / 2]] {
        let error = Table::read_arrow_stream(TableId::DailyStatistics, broken).unwrap_err();
        assert_eq!((error.kind(), error.argument()), (ErrorKind::InvalidArgument, Some("stream")), "{}", broken.len());
    }
}

/// Bodies with every kind of column and missing values.
const DAMAGED: [(TableId, &str, &str); 3] = [
    (TableId::DailyStatistics, "daily_statistics", BODY),
    (
        TableId::IntervalStatistics,
        "interval_statistics",
        r#"{"statistics":[{"from_timestamp":"2025-01-01T00:00:00Z","record_ids":["a","","bc"],"values":{"hops":1.5}},{"record_ids":[]}]}"#,
    ),
    (
        TableId::LabResults,
        "get_lab_report",
        r#"{"record_id":"r","status":"s","sections":[{"results":[{"tested_positive":true},{"value_text":"x"}]}]}"#,
    ),
];

/// Checks that a damaged stream is rejected, or read as a consistent table.
fn check_damaged(id: TableId, damaged: &[u8]) {
    match Table::read_arrow_stream(id, damaged) {
        Ok(table) => {
            let batch = table.to_record_batch().unwrap();
            assert_eq!(batch.num_rows(), table.len());
            let mut again = Vec::new();
            table.write_arrow_stream(&mut again).unwrap();
            assert_eq!(Table::read_arrow_stream(id, &again).unwrap().to_record_batch().unwrap().num_columns(), batch.num_columns());
        }
        Err(error) => assert_eq!((error.kind(), error.argument()), (ErrorKind::InvalidArgument, Some("stream"))),
    }
}

#[test]
fn a_damaged_stream_never_panics() {
    for (id, operation, body) in DAMAGED {
        let mut stream = Vec::new();
        read(id, operation, body).write_arrow_stream(&mut stream).unwrap();
        // Parts of a stream are aligned, so one truncation per word is enough.
        (0..stream.len()).step_by(4).for_each(|length| check_damaged(id, &stream[..length]));
        for at in 0..stream.len() {
            let mut damaged = stream.clone();
            // Numbers are little-endian: change their first byte slightly and the others strongly.
            damaged[at] ^= if at % 4 == 0 { 1 } else { 0xff };
            check_damaged(id, &damaged);
        }
    }
}

/// A writer that fails after a number of bytes.
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
fn the_error_of_the_writer_is_returned() {
    let table = read(TableId::DailyStatistics, "daily_statistics", BODY);
    for room in [0, 3, 100] {
        assert_eq!(table.write_arrow_stream(FullDisk(room)).unwrap_err().kind(), io::ErrorKind::StorageFull, "{room}");
        assert_eq!(table.write_arrow_file(FullDisk(room)).unwrap_err().kind(), io::ErrorKind::StorageFull, "{room}");
    }
    #[cfg(feature = "csv")]
    assert_eq!(table.write_csv(FullDisk(3)).unwrap_err().kind(), io::ErrorKind::StorageFull);
}

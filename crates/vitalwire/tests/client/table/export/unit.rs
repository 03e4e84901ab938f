//! Tests of the time unit of exports. One value has nanoseconds, and one is before 1677.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{TimestampMicrosecondType, TimestampNanosecondType};
use arrow_array::{ArrayRef, RecordBatch, TimestampMicrosecondArray};
use arrow_schema::{DataType, TimeUnit as ArrowUnit};
use vitalwire::ErrorKind;
use vitalwire::table::{ColumnData, Table, TableId, TimeUnit};

use crate::table::{NEW_YEAR, SECOND, read};

fn table() -> Table {
    let body = r#"{"statistics":[{"from_timestamp":"2025-01-01T00:00:00.000000999Z","to_timestamp":"1969-12-31T23:59:59.999999999Z"},
        {"from_timestamp":"1500-01-01T00:00:00Z","to_timestamp":null},{"from_timestamp":"2025-01-01T00:00:01Z"}]}"#;
    read(TableId::IntervalStatistics, "interval_statistics", body)
}

fn nanoseconds(batch: &RecordBatch, name: &str) -> Vec<Option<i64>> {
    batch.column_by_name(name).unwrap().as_primitive::<TimestampNanosecondType>().iter().collect()
}

#[test]
fn exports_have_microseconds_by_default_and_report_truncated_times() {
    let table = table();
    assert_eq!(table.time_unit(), TimeUnit::Microsecond);
    let batch = table.to_record_batch().unwrap();
    let microseconds =
        |name: &str| batch.column_by_name(name).unwrap().as_primitive::<TimestampMicrosecondType>().iter().collect::<Vec<_>>();
    // Rounded down: a nanosecond before 1970 becomes a microsecond before 1970. 1500-01-01 is 171,664 days before 1970.
    assert_eq!(microseconds("from_timestamp"), [Some(NEW_YEAR), Some(-171_664 * 86_400 * SECOND), Some(NEW_YEAR + SECOND)]);
    assert_eq!(microseconds("to_timestamp"), [Some(-1), None, None]);
    assert_eq!(table.cut().collect::<Vec<_>>(), [("from_timestamp", 1), ("to_timestamp", 1)]);
    let note = "1 time of column from_timestamp is rounded down to microseconds; 1 time of column to_timestamp is \
                rounded down to microseconds";
    assert_eq!(table.cut_note().as_deref(), Some(note));
}

#[test]
fn nanoseconds_keep_all_digits_and_leave_out_times_out_of_range() {
    let table = table().with_time_unit(TimeUnit::Nanosecond).unwrap();
    let batch = table.to_record_batch().unwrap();
    assert_eq!(nanoseconds(&batch, "from_timestamp"), [Some(NEW_YEAR * 1000 + 999), None, Some((NEW_YEAR + SECOND) * 1000)]);
    assert_eq!(nanoseconds(&batch, "to_timestamp"), [Some(-1), None, None]);
    assert_eq!((table.cut().count(), table.cut_note()), (0, None));
    let note = "1 value of column from_timestamp was left out (expected a time of the years 1677 to 2262)";
    assert_eq!((table.skipped(), table.skipped_note().as_deref()), (1, Some(note)));
    // A second call leaves out no more values.
    assert_eq!(table.with_time_unit(TimeUnit::Nanosecond).unwrap().skipped(), 1);
}

#[test]
fn times_that_are_appended_are_checked_against_the_range_of_nanoseconds() {
    let mut table = Table::empty(TableId::IntervalStatistics).with_time_unit(TimeUnit::Nanosecond).unwrap();
    table.append(self::table()).unwrap();
    assert_eq!(nanoseconds(&table.to_record_batch().unwrap(), "from_timestamp")[1], None);
    assert_eq!(table.skipped(), 1);
    // The range of 64 bits of nanoseconds ends at 23:47:16 UTC. Local time in Berlin is later.
    let last = r#"{"statistics":[{"from_timestamp":"2262-04-11T23:47:16Z"}]}"#;
    let table = read(TableId::IntervalStatistics, "interval_statistics", last).with_time_unit(TimeUnit::Nanosecond).unwrap();
    let table = table.with_local_time("Europe/Berlin").unwrap();
    assert_eq!(nanoseconds(&table.to_record_batch().unwrap(), "from_timestamp_local"), [None]);
    assert_eq!(table.skipped(), 1);
}

#[test]
fn a_shared_batch_does_not_copy_microseconds() {
    let table = Arc::new(table());
    let ColumnData::Instant(times) = table.column("from_timestamp").unwrap().data() else { panic!("no instants") };
    let before = times.microseconds().as_ptr();
    let batch = table.shared_record_batch().unwrap();
    let instants = batch.column_by_name("from_timestamp").unwrap().as_primitive::<TimestampMicrosecondType>();
    assert_eq!(instants.values().as_ptr(), before);
}

#[test]
fn a_stream_is_read_with_its_time_unit() {
    let table = table().with_time_unit(TimeUnit::Nanosecond).unwrap();
    let mut stream = Vec::new();
    table.write_arrow_stream(&mut stream).unwrap();
    let restored = Table::read_arrow_stream(table.spec(), &stream).unwrap();
    assert_eq!((restored.time_unit(), restored.to_record_batch().unwrap()), (TimeUnit::Nanosecond, table.to_record_batch().unwrap()));
    assert!(matches!(restored.arrow_schema().field(0).data_type(), DataType::Timestamp(ArrowUnit::Nanosecond, Some(_))));
}

#[test]
fn a_batch_with_a_time_out_of_range_is_an_error() {
    for (time, fits) in [
        (-62_135_596_800_000_000, true),
        (-62_135_596_800_000_001, false),
        (253_402_300_799_999_999, true),
        (253_402_300_800_000_000, false),
        (i64::MAX, false),
    ] {
        let times: ArrayRef = Arc::new(TimestampMicrosecondArray::from(vec![time]).with_timezone("UTC"));
        let batch = RecordBatch::try_from_iter([("from_timestamp", times)]).unwrap();
        let read = Table::from_record_batch(TableId::IntervalStatistics, &batch);
        assert_eq!(read.map_err(|error| error.kind()).map(drop), if fits { Ok(()) } else { Err(ErrorKind::InvalidArgument) }, "{time}");
    }
}

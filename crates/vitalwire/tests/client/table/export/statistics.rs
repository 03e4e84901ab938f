//! Exports of statistics.

use vitalwire::open_sets::StatisticName;
use vitalwire::table::{Table, TableId};
use vitalwire::value::OpenSet;

use super::{check, columns, exports, rows};
use crate::table::{NEW_YEAR, SECOND, read};

fn daily(statistics: &str) -> Table {
    let body = format!(r#"{{"from_date":"2025-01-01","to_date":"2025-01-02","statistics":{statistics}}}"#);
    read(TableId::DailyStatistics, "daily_statistics", &body)
}

#[test]
fn daily_statistics_are_exported_with_types_and_units() {
    // Nine rows, so that the validity bitmaps have a second byte.
    let table = daily(
        r#"[{"date":"2025-01-01","record_ids":["a","b"],"values":{"steps":0,"heartrate_resting":51.5}},
            {"date":"1969-12-31","record_ids":[],"values":{"steps":7}},
            {"record_ids":null,"values":{"moon":0.25}},{},{},{},{},{},{"values":{"steps":9}}]"#,
    );
    let gap = || "- - - - -".to_owned();
    check(
        &table,
        &["date Date32?", "record_ids List<Utf8>?", "heartrate_resting Float64? bpm", "steps Float64? count", "moon Float64?"],
        &["date", "record_ids", "heartrate_resting", "steps", "moon"],
        &[
            "20089 a+b 51.5 0 -".to_owned(),
            "-1  - 7 -".to_owned(),
            "- - - - 0.25".to_owned(),
            gap(),
            gap(),
            gap(),
            gap(),
            gap(),
            "- - - 9 -".to_owned(),
        ],
    );
}

#[test]
fn interval_statistics_are_exported_with_types_and_units() {
    let body = r#"{"statistics":[
        {"from_timestamp":"2025-01-01T00:00:00.000001Z","to_timestamp":"1969-12-31T23:59:59.5Z","record_ids":["r"],"values":{"steps":7}},
        {"from_timestamp":"2025-01-01T02:00:00+01:00","to_timestamp":null,"values":null}]}"#;
    check(
        &read(TableId::IntervalStatistics, "interval_statistics", body),
        &["from_timestamp Instant[UTC]?", "to_timestamp Instant[UTC]?", "record_ids List<Utf8>?", "steps Float64? count"],
        &["from_timestamp", "to_timestamp", "record_ids", "steps"],
        &[format!("{} -500000 r 7", NEW_YEAR + 1), format!("{} - - -", NEW_YEAR + 3600 * SECOND)],
    );
}

#[test]
fn number_columns_without_values_are_exported_on_request() {
    let table = daily(r#"[{"values":{"steps":1}}]"#);
    let fixed = Table::empty(TableId::DailyStatistics).to_record_batch().unwrap().num_columns();
    // All numbers, and the record ids.
    let known = fixed + StatisticName::KNOWN.len() + 1;
    for (form, batch) in exports(&table.clone().with_empty_columns()) {
        assert_eq!(batch.num_columns(), known, "{form}");
        assert_eq!(rows(&batch, &["steps", "stress_score", "date"]), ["1 - -"], "{form}");
        assert!(columns(&batch).contains(&"hrv_rmssd Float64? ms".to_owned()), "{form}");
    }
    assert_eq!(table.to_record_batch().unwrap().num_columns(), fixed + 1);
}

#[test]
fn named_number_columns_come_first_even_without_values() {
    let table = daily(r#"[{"values":{"steps":1,"hrv_sdnn":2,"moon":3}}]"#);
    // The names are repeated, unknown or not numbers. Of the columns that are not named, only `hrv_sdnn` has a value.
    let names = ["stress_score", "steps", "sun", "moon", "steps", "date", "heartrate"];
    check(
        &table.with_columns(names),
        &[
            "date Date32?",
            "stress_score Float64? count",
            "steps Float64? count",
            "sun Float64?",
            "moon Float64?",
            "heartrate Float64? bpm",
            "hrv_sdnn Float64? ms",
        ],
        &["stress_score", "steps", "sun", "moon", "heartrate", "hrv_sdnn"],
        &["- 1 - 3 - 2".to_owned()],
    );
}

#[test]
fn named_columns_are_kept_by_append_and_by_an_arrow_round_trip() {
    let table = daily(r#"[{"values":{"steps":1}}]"#).with_columns(["heartrate", "steps"]);
    let names = |table: &Table| table.exported().map(|column| column.field().name.clone().into_owned()).collect::<Vec<_>>();
    let expected = ["date", "heartrate", "steps"];
    let batch = table.to_record_batch().unwrap();
    assert_eq!(names(&Table::from_record_batch(TableId::DailyStatistics, &batch).unwrap()), expected);
    let mut whole = Table::empty(TableId::DailyStatistics);
    whole.append(table).unwrap();
    assert_eq!(names(&whole).len(), expected.len());
    // A table without a number map has no columns to name.
    let stages = Table::empty(TableId::SleepSamples);
    assert_eq!(names(&stages.clone().with_columns(["offset"])), names(&stages));
}

#[test]
fn a_column_can_be_removed() {
    let table = daily(r#"[{"date":"2025-01-01","record_ids":["a"],"values":{"steps":1}}]"#);
    let check = |table: &Table| check(table, &["date Date32?", "steps Float64? count"], &["date", "steps"], &["20089 1".to_owned()]);
    check(&table.clone().without_column("record_ids"));
    check(&table.without_column("record_ids").without_column("no_such_column"));
}

#[test]
fn a_table_without_rows_has_its_columns() {
    check(&daily("[]"), &["date Date32?"], &["date"], &[]);
    check(&Table::empty(TableId::IntervalStatistics), &["from_timestamp Instant[UTC]?", "to_timestamp Instant[UTC]?"], &[], &[]);
}

#[test]
fn lists_without_values_are_exported_if_they_are_named() {
    let table = daily(r#"[{"date":"2025-01-01","values":{"steps":1}}]"#);
    check(&table, &["date Date32?", "steps Float64? count"], &["date"], &["20089".to_owned()]);
    let columns = ["date Date32?", "record_ids List<Utf8>?", "steps Float64? count"];
    check(&table.with_columns(["steps", "record_ids"]), &columns, &["record_ids", "steps"], &["- 1".to_owned()]);
}

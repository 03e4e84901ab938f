//! Appending of tables.

use vitalwire::ErrorKind;
use vitalwire::table::{Table, TableId};

use crate::table::{read, rows};

fn daily(values: &str) -> Table {
    let body = format!(
        r#"{{"from_date":"2025-01-01","to_date":"2025-01-01","statistics":[{{"date":"2025-01-01","record_ids":["a"],"values":{values}}}]}}"#
    );
    read(TableId::DailyStatistics, "daily_statistics", &body)
}

#[test]
fn rows_of_a_table_without_a_column_have_missing_values() {
    let mut table = Table::empty(TableId::DailyStatistics);
    table.append(daily(r#"{"steps":1}"#)).unwrap();
    table.append(daily(r#"{"moon":2,"weight":"x"}"#)).unwrap();
    table.append(daily(r#"{"moon":3,"steps":4}"#)).unwrap();
    assert_eq!(rows(&table, &["date", "record_ids", "steps", "moon"]), ["20089 a 1 -", "20089 a - 2", "20089 a 4 3"]);
}

#[test]
fn a_table_of_another_kind_is_rejected() {
    let mut table = Table::empty(TableId::DailyStatistics);
    let error = table.append(Table::empty(TableId::SleepStages)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
}

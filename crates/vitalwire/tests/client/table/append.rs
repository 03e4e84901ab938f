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

#[test]
fn tables_of_several_people_are_joined_by_a_key() {
    let with_key = |values: &str, key: &str| daily(values).with_key("user", key).unwrap();
    let mut table = with_key(r#"{"steps":1}"#, "anna");
    table.append(with_key(r#"{"moon":2}"#, "ben")).unwrap();
    assert_eq!(rows(&table, &["user", "steps", "moon"]), ["anna 1 -", "ben - 2"]);
    let columns: Vec<_> = table.columns().map(|column| column.field()).collect();
    assert!(columns[0].name == "user" && !columns[0].nullable, "every row has a key");
    let steps = table.column("steps").unwrap().field();
    assert_eq!(steps.unit, Some("count"));
    let error = table.with_key("steps", "x").unwrap_err();
    assert_eq!((error.kind(), error.argument()), (ErrorKind::InvalidArgument, Some("key")));
}

#[test]
fn a_column_that_only_one_table_has_becomes_nullable() {
    let mut table = daily("{}").with_key("user", "anna").unwrap();
    table.append(daily("{}")).unwrap();
    assert!(table.column("user").unwrap().field().nullable && table.column("user").unwrap().is_missing(1));
    let mut table = daily("{}");
    table.append(daily("{}").with_key("user", "anna").unwrap()).unwrap();
    assert!(table.column("user").unwrap().field().nullable && table.column("user").unwrap().is_missing(0));
}

#[test]
fn selected_rows_keep_the_exported_columns() {
    let mut table = daily(r#"{"steps":1}"#);
    table.append(daily(r#"{"moon":2}"#)).unwrap();
    let names = |table: &Table| table.exported().map(|column| column.field().name.to_string()).collect::<Vec<_>>();
    for selected in [vec![], vec![0], vec![1, 0]] {
        let taken = table.take(&selected).unwrap();
        assert_eq!((taken.len(), names(&taken)), (selected.len(), names(&table)));
    }
    assert_eq!(rows(&table.take(&[1, 0]).unwrap(), &["steps", "moon"]), ["- 2", "1 -"]);
}

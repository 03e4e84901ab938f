//! Reading some columns of a table.

use vitalwire::table::{Column, Table, TableId};
use vitalwire::{Client, ErrorKind};
use vitalwire_testkit::{Server, json};

use crate::table::rows;

/// Two days. The first has a value of the wrong type and a number with an undeclared name.
const DAYS: &str = r#"{"from_date":"2025-01-01","to_date":"2025-01-02","statistics":[
    {"date":"2025-01-01","values":{"steps":100,"heartrate":"fast","aura":7},"record_ids":["a","b"]},
    {"date":"2025-01-02","values":{"heartrate":60,"steps":200}}]}"#;

fn read(columns: &[&str], body: &str) -> Result<Table, vitalwire::Error> {
    Table::read_columns(TableId::DailyStatistics, "daily_statistics", columns, body.as_bytes())
}

fn names(table: &Table) -> Vec<&str> {
    table.columns().map(|column| &*column.field().name).collect()
}

#[test]
fn columns_have_the_requested_order_and_the_rows_of_the_whole_table() {
    let table = read(&["steps", "aura", "date"], DAYS).unwrap();
    assert_eq!(names(&table), ["steps", "aura", "date"]);
    assert_eq!(rows(&table, &["date", "steps", "aura"]), ["20089 100 7", "20090 200 -"]);
}

#[test]
fn a_column_without_a_value_is_exported() {
    let table = read(&["date", "sleep_score"], DAYS).unwrap();
    assert_eq!(names(&table), ["date", "sleep_score"]);
    assert!(table.column("sleep_score").is_some_and(Column::is_empty));
    assert_eq!(table.exported().count(), 2);
}

#[test]
fn values_of_other_columns_are_not_counted_as_skipped() {
    assert_eq!(read(&["steps"], DAYS).unwrap().skipped(), 0);
    assert_eq!(read(&["heartrate"], DAYS).unwrap().skipped(), 1);
}

#[test]
fn a_name_that_neither_the_table_nor_the_response_has_is_an_error() {
    let error = read(&["steps", "canary-heron"], DAYS).unwrap_err();
    assert_eq!((error.kind(), error.argument()), (ErrorKind::InvalidArgument, Some("columns")));
    assert!(!error.to_string().contains("heron"));
}

#[test]
fn other_columns_must_be_well_formed() {
    for value in ["01", "tru", "\"\u{1}\"", "[1,]", "{\"a\"}"] {
        let body = DAYS.replace("\"fast\"", value);
        assert_eq!(read(&["steps"], &body).unwrap_err().kind(), ErrorKind::Decode, "{body}");
    }
}

/// Local times are computed from instants, which are computed from offsets.
#[tokio::test]
async fn columns_are_read_from_which_a_selected_one_is_computed() {
    let night = r#"{"modified_at":"2025-01-02T00:00:00Z","start_at_timestamp":"2025-01-01T00:00:00Z","user_time_offset_minutes":60,
        "samples":{"offsets":[0,1000],"values":{"heartrate":[60,61]}}}"#;
    let server = Server::always(json(200, night));
    let client = Client::builder().base_url(server.url()).token("health-token").build().unwrap();
    let whole = client.sleeps().get("n").table(TableId::SleepSamples).await.unwrap();
    let columns: Vec<&str> = names(&whole).into_iter().filter(|name| name.ends_with("_local")).collect();
    assert!(!columns.is_empty());
    let table = client.sleeps().get("n").table_columns(TableId::SleepSamples, &columns).await.unwrap();
    assert_eq!(names(&table), columns);
    assert_eq!(rows(&table, &columns), rows(&whole, &columns));
    assert_eq!(table.metadata().status, 200);
}

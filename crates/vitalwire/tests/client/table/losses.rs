//! Tests of the report of skipped values: it has columns, counts and reasons, but neither values nor unknown names.

use vitalwire::table::{Table, TableId};

use crate::table::read;

/// Column, count and reason of skipped values.
fn left_out(table: &Table) -> Vec<String> {
    table.skipped_by_column().map(|skipped| format!("{} {} {}", skipped.column(), skipped.count(), skipped.reason())).collect()
}

fn daily(statistics: &str) -> Table {
    let body = format!(r#"{{"from_date":"2025-01-01","to_date":"2025-01-02","statistics":{statistics}}}"#);
    read(TableId::DailyStatistics, "daily_statistics", &body)
}

#[test]
fn skipped_values_are_counted_by_column_and_reason() {
    let table = daily(
        r#"[{"date":5,"values":{"steps":"1200","weight":1}},{"values":{"steps":true}},{"values":{"steps":{"value":3}}},{"values":7},
            {"record_ids":["a",7]}]"#,
    );
    let expected = ["date 1 expected a date", "record_ids 1 expected a string", "steps 3 expected a number", "values 1 expected an object"];
    assert_eq!((left_out(&table), table.skipped()), (expected.map(str::to_owned).to_vec(), 6));
    let note = "1 value of column date was left out (expected a date); 1 value of column record_ids was left out (expected a string); \
                3 values of column steps were left out (expected a number); 1 value of field values was left out (expected an object)";
    assert_eq!(table.skipped_note().as_deref(), Some(note));
    assert_eq!((daily("[{}]").skipped_note(), daily("[{}]").skipped_by_column().count()), (None, 0));
}

#[test]
fn skipped_stages_and_series_are_counted() {
    let night = |members: &str| format!(r#"{{"modified_at":"2025-01-02T00:00:00Z","start_at_timestamp":"2025-01-01T00:00:00Z"{members}}}"#);
    let stages = |members: &str| read(TableId::SleepStages, "get_sleep", &night(members));
    let invalid = stages(r#","user_time_offset_minutes":1560,"stages":[{"duration":1000.5},{"duration":2}]"#);
    let offset = "user_time_offset_minutes 1 expected an offset below 26 hours";
    assert_eq!(left_out(&invalid), ["duration 1 expected an integer", offset]);
    assert_eq!(left_out(&stages(r#","stages":{"a":1}"#)), ["stages 1 expected a list of objects"]);
    assert_eq!(left_out(&stages(r#","stages":[{},null,{},5]"#)), ["stages 2 expected an object"]);
    let samples = read(TableId::SleepSamples, "get_sleep", &night(r#","samples":{"offsets":[0,1e300],"values":{"heart_rate_avg":"x"}}"#));
    assert_eq!(left_out(&samples), ["at 1 expected a date-time", "heart_rate_avg 1 expected a list of numbers"]);
}

#[test]
fn texts_do_not_show_unknown_column_names() {
    let table = daily(r#"[{"values":{"jane":"x","doe":[],"steps":1}}]"#);
    assert_eq!(left_out(&table), ["doe 1 expected a number", "jane 1 expected a number"]);
    let note = table.skipped_note().unwrap();
    assert_eq!(note, "2 values of columns that this version does not know were left out (expected a number)");
    assert!(table.skipped_by_column().all(|skipped| !format!("{skipped:?}").contains("jane")));
}

#[test]
fn append_adds_the_counts_of_skipped_values() {
    let mut both = daily(r#"[{"values":{"steps":"x"}}]"#);
    both.append(daily(r#"[{"values":{"steps":"x","weight":"y"}}]"#)).unwrap();
    assert_eq!(left_out(&both), ["steps 2 expected a number", "weight 1 expected a number"]);
}

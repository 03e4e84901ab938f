//! Tests of the tables of daily and interval statistics.

use vitalwire::table::{ColumnData, ColumnKind, Table, TableId};

use crate::table::{NEW_YEAR, SECOND, cell, fault, read, rows};

const DAILY: &str = "daily_statistics";
const INTERVAL: &str = "interval_statistics";

fn daily(statistics: &str) -> Table {
    read(TableId::DailyStatistics, DAILY, &format!(r#"{{"from_date":"2025-01-01","to_date":"2025-01-02","statistics":{statistics}}}"#))
}

#[test]
fn each_day_becomes_a_row() {
    let table = daily(
        r#"[{"date":"2025-01-01","record_ids":["a","b"],"values":{"steps":1200,"heartrate_resting":51.5}},
            {"date":"1969-12-31","record_ids":[],"values":{"steps":0}},
            {"record_ids":null,"values":{"heartrate_resting":60}},
            {}]"#,
    );
    assert_eq!(
        rows(&table, &["date", "record_ids", "steps", "heartrate_resting"]),
        ["20089 a+b 1200 51.5", "-1  0 -", "- - - 60", "- - - -"]
    );
    assert_eq!(table.skipped(), 0);
}

#[test]
fn each_interval_becomes_a_row() {
    let body = r#"{"statistics":[
        {"from_timestamp":"2025-01-01T00:00:00Z","to_timestamp":"2025-01-01T01:00:00","record_ids":["r"],"values":{"steps":7}},
        {"from_timestamp":"2025-01-01T02:00:00+01:00","to_timestamp":null,"values":null}]}"#;
    let table = read(TableId::IntervalStatistics, INTERVAL, body);
    let hour = 3600 * SECOND;
    assert_eq!(
        rows(&table, &["from_timestamp", "to_timestamp", "record_ids", "steps"]),
        [format!("{NEW_YEAR} {} r 7", NEW_YEAR + hour), format!("{} - - -", NEW_YEAR + hour)]
    );
}

#[test]
fn null_and_an_empty_list_have_no_rows() {
    assert!(daily("null").is_empty());
    assert!(daily("[]").is_empty());
    assert!(Table::empty(TableId::DailyStatistics).is_empty());
}

#[test]
fn unknown_numbers_become_columns_after_the_known_ones() {
    let table = daily(r#"[{"values":{"moon_phase":0.5,"steps":1}},{"values":{"date":3,"moon_phase":"full","tide":null}}]"#);
    let last = table.columns().last().unwrap();
    assert_eq!((last.field().name.as_ref(), last.field().kind, last.field().unit), ("moon_phase", ColumnKind::Number, None));
    assert_eq!(rows(&table, &["date", "steps", "moon_phase"]), ["- 1 0.5", "- - -"]);
    assert!(table.column("tide").is_none());
    // `date` is an existing column, and "full" is not a number.
    assert_eq!(table.skipped(), 2);
}

#[test]
fn the_last_of_duplicate_names_counts() {
    let table = daily(
        r#"[{"date":"2025-01-01","date":"2025-01-02","values":{"steps":1,"x":1},"values":{"steps":2,"steps":3,"heartrate_max":4,"heartrate_max":null}},
            {"record_ids":["a"],"record_ids":["b","c"],"values":{"steps":5},"values":{}}]"#,
    );
    assert_eq!(rows(&table, &["date", "record_ids", "steps", "heartrate_max"]), ["20090 - 3 -", "- b+c - -"]);
    assert!(table.column("x").is_none());
    let twice = read(
        TableId::DailyStatistics,
        DAILY,
        r#"{"statistics":[{"date":"2025-01-01"},{}],"from_date":"2025-01-01","to_date":"2025-01-02","statistics":[{"date":"2025-01-02"}]}"#,
    );
    assert_eq!(rows(&twice, &["date"]), ["20090"]);
}

#[test]
fn a_value_of_a_wrong_type_is_missing_and_counted() {
    let table =
        daily(r#"[{"date":5,"record_ids":"a","values":{"steps":"many","heartrate_resting":[1]}},{"values":7},{"date":"2025-02-30"}]"#);
    assert_eq!(rows(&table, &["date", "record_ids", "steps", "heartrate_resting"]), ["- - - -"; 3]);
    assert_eq!(table.skipped(), 6);
}

/// Times are microseconds and a remainder. Before 1970 they are rounded down too.
#[test]
fn instants_keep_all_digits_in_all_years() {
    let body = r#"{"statistics":[{"from_timestamp":"0001-01-01T00:00:00Z","to_timestamp":"9999-12-31T23:59:59.999999999Z"},
        {"from_timestamp":"1969-12-31T23:59:59.999999999Z","to_timestamp":"1969-12-31T23:59:59.9999985Z"}]}"#;
    let table = read(TableId::IntervalStatistics, INTERVAL, body);
    // 719,162 days before 1970, and the last second of 2,932,897 days.
    assert_eq!(
        rows(&table, &["from_timestamp", "to_timestamp"]),
        ["-62135596800000000 253402300799999999+999".to_owned(), "-1+999 -2+500".to_owned()]
    );
    assert_eq!(table.skipped(), 0);
}

#[test]
fn gaps_of_all_lengths_are_missing_values() {
    let days: Vec<String> =
        (0..40).map(|day| if day % 7 == 3 { format!(r#"{{"values":{{"steps":{day}}}}}"#) } else { "{}".to_owned() }).collect();
    let table = daily(&format!("[{}]", days.join(",")));
    for row in 0..40 {
        assert_eq!(cell(&table, row, "steps"), if row % 7 == 3 { row.to_string() } else { "-".to_owned() });
    }
    assert!(table.column("heartrate_resting").unwrap().is_empty(), "an empty column takes no memory");
}

/// Columns of numbers are allocated with an estimate from the first 65 kB of a body. Here this part has only three rows.
#[test]
fn more_rows_than_estimated_are_read() {
    let long = format!(r#"{{"record_ids":["{}"],"values":{{"steps":1}}}}"#, "x".repeat(25_000));
    let short = (0..9_000).map(|day| if day % 5 == 4 { "{}".to_owned() } else { format!(r#"{{"values":{{"steps":{day}}}}}"#) });
    let days: Vec<String> = std::iter::repeat_n(long, 3).chain(short).collect();
    let table = daily(&format!("[{}]", days.join(",")));
    let steps = table.column("steps").unwrap();
    let ColumnData::Number(values) = steps.data() else { panic!("steps are numbers") };
    assert_eq!((table.len(), values.len()), (9_003, 9_003));
    for (row, value) in values.iter().enumerate().skip(3) {
        let day = u32::try_from(row - 3).unwrap();
        let expected = if day % 5 == 4 { (0.0, true) } else { (f64::from(day), false) };
        assert_eq!((*value, steps.is_missing(row)), expected, "{row}");
    }
}

#[test]
fn the_last_of_duplicate_lists_counts() {
    let body = r#"{"from_date":"2025-01-01","to_date":"2025-01-02",
        "statistics":[{"values":{"steps":1,"heartrate_max":9}},{"values":{"steps":2}},{"values":{"steps":3}}],
        "statistics":[{"values":{"steps":4,"steps":"x"}},{"values":{"steps":5}},{}]}"#;
    let table = read(TableId::DailyStatistics, DAILY, body);
    assert_eq!(rows(&table, &["steps", "heartrate_max"]), ["- -", "5 -", "- -"]);
    let ColumnData::Number(values) = table.column("steps").unwrap().data() else { panic!("steps are numbers") };
    assert_eq!(values, &[0.0, 5.0, 0.0]);
    assert!(table.column("heartrate_max").unwrap().is_empty());
}

#[test]
fn a_missing_or_invalid_required_field_is_an_error() {
    let at = |body: &str| fault(TableId::DailyStatistics, DAILY, body).1;
    assert_eq!(at(r#"{"from_date":"2025-01-01","to_date":"2025-01-02"}"#), "statistics");
    assert_eq!(at(r#"{"from_date":"2025-01-01","statistics":[]}"#), "to_date");
    assert_eq!(at(r#"{"from_date":"today","to_date":"2025-01-02","statistics":[]}"#), "from_date");
    assert_eq!(at(r#"{"from_date":"2025-01-01","to_date":"2025-01-02","statistics":5}"#), "statistics");
}

#[test]
fn other_days_are_kept_if_one_is_invalid() {
    let table = daily(r#"[null,{"values":{"steps":1}},{"values":{"steps":2}},"x"]"#);
    assert_eq!((rows(&table, &["steps"]), table.skipped()), (vec!["1".to_owned(), "2".to_owned()], 2));
}

/// Invalid texts of a list are left out and the row is kept, as in models.
#[test]
fn other_ids_are_kept_if_one_is_invalid() {
    let table = daily(r#"[{"record_ids":["a"]},{"record_ids":["b",7,"c"],"values":{"steps":1}},{"record_ids":[[]]},{"record_ids":["d"]}]"#);
    assert_eq!(rows(&table, &["record_ids", "steps"]), ["a -", "b+c 1", " -", "d -"]);
    assert_eq!(table.skipped(), 2);
}

//! Tables as CSV.

use vitalwire::open_sets::StatisticName;
use vitalwire::table::{CsvOptions, Table, TableId};
use vitalwire::value::OpenSet;

use crate::table::read;

fn csv(table: &Table) -> String {
    let mut text = Vec::new();
    table.write_csv(&mut text).unwrap();
    String::from_utf8(text).unwrap()
}

fn escaped(table: &Table) -> String {
    let mut text = Vec::new();
    table.write_csv_with(&mut text, CsvOptions::new().escape_formulas(true)).unwrap();
    String::from_utf8(text).unwrap()
}

fn daily(statistics: &str) -> Table {
    let body = format!(r#"{{"from_date":"2025-01-01","to_date":"2025-01-02","statistics":{statistics}}}"#);
    read(TableId::DailyStatistics, "daily_statistics", &body)
}

#[test]
fn a_missing_value_is_empty_and_zero_is_zero() {
    let table = daily(
        r#"[{"date":"2025-01-01","record_ids":["a","b;c\\d"],"values":{"steps":0,"heartrate_resting":51.5}},
            {"date":"1969-12-31","record_ids":[],"values":{"steps":12000}},{}]"#,
    );
    assert_eq!(csv(&table), "date,record_ids,heartrate_resting,steps\r\n2025-01-01,a;b\\;c\\\\d,51.5,0\r\n1969-12-31,,,12000\r\n,,,\r\n");
}

#[test]
fn column_names_have_units_on_request() {
    let table = daily(r#"[{"date":"2025-01-01","values":{"distance_total":1,"sleep_score":88,"sleep_duration_total":25500000}}]"#);
    let mut text = Vec::new();
    table.write_csv_with(&mut text, CsvOptions::new().units(true)).unwrap();
    let text = String::from_utf8(text).unwrap();
    let (names, rows) = text.split_once("\r\n").unwrap();
    assert!(names.contains("distance_total [m]") && names.contains("sleep_duration_total [ms]") && names.starts_with("date,"), "{names}");
    assert_eq!(csv(&table).split_once("\r\n").unwrap().1, rows);
}

#[test]
fn numbers_are_written_without_loss() {
    let table = daily(
        r#"[{"values":{"steps":0.1}},{"values":{"steps":1e300}},{"values":{"steps":-2.5e-300}},{"values":{"steps":-0.00001}},
            {"values":{"steps":12345678901234567}},{"values":{"steps":100000000000000000}}]"#,
    );
    let text = csv(&table);
    let cells: Vec<&str> = text.lines().skip(1).map(|line| line.trim_start_matches(',')).collect();
    assert_eq!(cells, ["0.1", "1e300", "-2.5e-300", "-0.00001", "12345678901234568", "1e17"]);
}

#[test]
fn instants_are_utc_and_local_times_have_no_offset() {
    let night = r#"{"modified_at":"2025-01-02T00:00:00Z","start_at_timestamp":"2025-01-01T00:00:00Z","sleep_id":"n","user_time_offset_minutes":-90,
        "stages":[{"stage":"rem","start_at":"2025-01-01T00:00:00.25Z","duration":30}]}"#;
    assert_eq!(
        csv(&read(TableId::SleepStages, "get_sleep", night)),
        "sleep_id,stage,start_at,start_at_local,end_at,end_at_local,duration\r\nn,rem,2025-01-01T00:00:00.25Z,2024-12-31T22:30:00.25,,,30\r\n"
    );
}

#[test]
fn text_is_quoted_only_if_necessary() {
    let report = r#"{"record_id":"r","status":"completed","sections":[{"section_notes":"a,\"b\"\nc","results":[
        {"value_text":"=1+1","tested_positive":true},{"value_text":" x ","tested_positive":false}]}]}"#;
    let text = csv(&read(TableId::LabResults, "get_lab_report", report));
    let lines: Vec<&str> = text.split("\r\n").collect();
    assert_eq!(lines[1], "r,completed,,,,,,,,\"a,\"\"b\"\"\nc\",,,,,,,,,,,,,=1+1,,true,");
    assert_eq!(lines[2], "r,completed,,,,,,,,\"a,\"\"b\"\"\nc\",,,,,,,,,,,,, x ,,false,");
    assert_eq!(lines[3], "");
}

#[test]
fn a_table_without_rows_has_a_header_line() {
    let columns = |text: String| text.trim_end().split(',').map(str::to_owned).collect::<Vec<_>>();
    let fixed = columns(csv(&daily("[]")));
    assert_eq!(fixed[..1], ["date"]);
    // All numbers, and the record ids.
    assert_eq!(columns(csv(&daily("[]").with_empty_columns())).len(), fixed.len() + StatisticName::KNOWN.len() + 1);
}

#[test]
fn formulas_in_text_are_escaped_on_request_but_numbers_never() {
    let meals = |dish: &str| {
        let dish = serde_json::to_string(dish).unwrap();
        let body = format!(
            r#"[{{"record_id":"m","status":"completed","uploaded_at":"2025-01-01T12:00:00Z","modified_at":"2025-01-01T12:00:20Z","dish_name":{dish},
                "nutritional_fields":{{"energy_kcal":-12.5}}}}]"#
        );
        read(TableId::NutritionRecords, "list_nutrition_records", &body)
    };
    for (dish, cell) in [
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-soup", "'-soup"),
        ("@sum", "'@sum"),
        ("＝1+1", "'＝1+1"),
        ("＋1", "'＋1"),
        ("－soup", "'－soup"),
        ("＠sum", "'＠sum"),
        ("\t=1", "'\t=1"),
        ("\r=1", "\"'\r=1\""),
        ("\n=1", "\"'\n=1\""),
        ("=\"a\",b", "\"'=\"\"a\"\",b\""),
        ("soup =1", "soup =1"),
        (" =1", " =1"),
        ("'=1", "'=1"),
        ("", ""),
    ] {
        let table = meals(dish);
        let text = escaped(&table);
        assert!(text.contains(&format!(",{cell},")), "{dish:?}: {text}");
        assert!(text.contains(",-12.5") && !text.contains("'-12.5"), "{text}");
        // Without the option, nothing is escaped.
        assert_eq!(csv(&table) != text, cell.contains('\'') && dish != cell, "{dish:?}");
    }
}

#[test]
fn formulas_in_column_names_and_lists_are_escaped() {
    let table = daily(
        r#"[{"date":"2025-01-01","record_ids":["=a","-b"],"values":{"=SUM(A1)":-1,"steps":-2}},
            {"record_ids":["a","=b"],"values":{"steps":-1e300}}]"#,
    );
    assert_eq!(csv(&table), "date,record_ids,steps,=SUM(A1)\r\n2025-01-01,=a;-b,-2,-1\r\n,a;=b,-1e300,\r\n");
    assert_eq!(escaped(&table), "date,record_ids,steps,'=SUM(A1)\r\n2025-01-01,'=a;-b,-2,-1\r\n,a;=b,-1e300,\r\n");
    assert_eq!(CsvOptions::new(), CsvOptions::default().escape_formulas(false));
}

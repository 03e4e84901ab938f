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

/// Creates a table of one row, whose values are missing at random.
fn random_day(random: &mut fastrand::Rng) -> Table {
    let ids = ["", r#""a""#, r#""b","cd""#][random.usize(..3)];
    let values: Vec<String> = ["steps", "hrv_rmssd", "moon"]
        .into_iter()
        .map(|name| (name, random.u32(..200)))
        .filter(|(_, value)| *value < 100)
        .map(|(name, value)| format!(r#""{name}":{value}"#))
        .collect();
    let day = random.u8(1..=9);
    let row = format!(r#"{{"date":"2025-01-0{day}","record_ids":[{ids}],"values":{{{}}}}}"#, values.join(","));
    let body = format!(r#"{{"from_date":"2025-01-01","to_date":"2025-01-09","statistics":[{row}]}}"#);
    read(TableId::DailyStatistics, "daily_statistics", &body)
}

/// Creates a table of one sleep stage, whose values are missing at random. Times have nanoseconds at random.
fn random_stage(random: &mut fastrand::Rng) -> Table {
    let mut time = || format!(r#""2025-01-01T00:0{}:00{}Z""#, random.u8(..9), ["", ".000000007", ".5"][random.usize(..3)]);
    let (start, end) = (time(), time());
    let member = |random: &mut fastrand::Rng, name: &str, value: &str| {
        if random.bool() { format!(r#","{name}":{value}"#) } else { String::new() }
    };
    let end = member(random, "end_at", &end);
    let stage = ["\"rem\"", "\"deep\"", "\"é\""][random.usize(..3)];
    let stage = member(random, "stage", stage);
    let offset = member(random, "user_time_offset_minutes", "60");
    let record = r#""modified_at":"2025-01-02T00:00:00Z","start_at_timestamp":"2025-01-01T00:00:00Z""#;
    let body = format!(r#"{{{record}{offset},"stages":[{{"start_at":{start}{end}{stage}}}]}}"#);
    read(TableId::SleepStages, "get_sleep", &body)
}

#[test]
fn copied_rows_have_the_cells_of_the_original_rows() {
    let mut random = fastrand::Rng::with_seed(7);
    for round in 0..400 {
        let is_day = round % 2 == 0;
        let names: &[&str] =
            if is_day { &["date", "record_ids", "steps", "hrv_rmssd"] } else { &["stage", "start_at", "start_at_local", "end_at"] };
        let mut parts = Vec::new();
        for _ in 0..random.usize(1..6) {
            let mut part = if is_day { random_day(&mut random) } else { random_stage(&mut random) };
            for _ in 0..random.usize(..12) {
                part.append(if is_day { random_day(&mut random) } else { random_stage(&mut random) }).unwrap();
            }
            parts.push(part);
        }
        let expected: Vec<String> = parts.iter().flat_map(|part| rows(part, names)).collect();
        let mut table = parts.remove(0);
        parts.into_iter().for_each(|part| table.append(part).unwrap());
        assert_eq!(rows(&table, names), expected, "round {round}");
        // Runs of rows, in any order, some of them beyond the end.
        let mut taken = Vec::new();
        for _ in 0..random.usize(..5) {
            let first = random.usize(..=table.len());
            taken.extend(first..first + random.usize(..4));
        }
        let missing = || vec!["-"; names.len()].join(" ");
        let expected: Vec<String> = taken.iter().map(|row| expected.get(*row).cloned().unwrap_or_else(missing)).collect();
        assert_eq!(rows(&table.take(&taken).unwrap(), names), expected, "round {round}, rows {taken:?}");
    }
}

//! Tests of local times in a time zone. Expected offsets are calculated by hand from the rules of the zones.

use vitalwire::ErrorKind;
use vitalwire::table::{ColumnKind, Table, TableId};

use crate::table::{NEW_YEAR, SECOND, read, rows};

const HOUR: i64 = 3600 * SECOND;

/// Microseconds of midnight UTC, `days` after 2025-01-01.
fn day(days: i64) -> i64 {
    NEW_YEAR + days * 24 * HOUR
}

fn buckets(instants: &[&str]) -> Table {
    let list: Vec<String> = instants.iter().map(|instant| format!(r#"{{"from_timestamp":{instant},"values":{{"steps":1}}}}"#)).collect();
    read(TableId::IntervalStatistics, "interval_statistics", &format!(r#"{{"statistics":[{}]}}"#, list.join(",")))
}

/// Local times of instants in a time zone.
fn local(zone: &str, instants: &[&str]) -> Vec<String> {
    rows(&buckets(instants).with_local_time(zone).unwrap(), &["from_timestamp_local"])
}

#[test]
fn local_times_skip_an_hour_at_the_start_of_summer_time() {
    // 2025-03-30 is day 88 of the year, counted from 0: 31 + 28 + 29. At 01:00 UTC clocks in Berlin change from 02:00 to 03:00.
    assert_eq!(
        local("Europe/Berlin", &[r#""2025-03-30T00:59:59Z""#, r#""2025-03-30T01:00:00Z""#]),
        [(day(88) + 2 * HOUR - SECOND).to_string(), (day(88) + 3 * HOUR).to_string()]
    );
}

#[test]
fn local_times_repeat_an_hour_at_the_end_of_summer_time() {
    // 2025-10-26 is day 298: 31+28+31+30+31+30+31+31+30 = 273, and 25. At 01:00 UTC clocks in Berlin change from 03:00 to 02:00.
    assert_eq!(
        local("Europe/Berlin", &[r#""2025-10-26T00:00:00Z""#, r#""2025-10-26T00:59:59Z""#, r#""2025-10-26T01:00:00Z""#]),
        [day(298) + 2 * HOUR, day(298) + 3 * HOUR - SECOND, day(298) + 2 * HOUR].map(|time| time.to_string())
    );
}

#[test]
fn offsets_west_of_utc_and_of_half_hours_are_used() {
    // New York changes from -5 to -4 at 07:00 UTC on 2025-03-09, day 67.
    assert_eq!(
        local("America/New_York", &[r#""2025-03-09T06:59:59Z""#, r#""2025-03-09T07:00:00Z""#]),
        [(day(67) + 2 * HOUR - SECOND).to_string(), (day(67) + 3 * HOUR).to_string()]
    );
    assert_eq!(local("Asia/Kolkata", &[r#""2025-01-01T00:00:00Z""#]), [(NEW_YEAR + 11 * HOUR / 2).to_string()]);
    // Lord Howe has +11 in January and +10:30 in July. July starts at day 181.
    assert_eq!(
        local("Australia/Lord_Howe", &[r#""2025-01-01T00:00:00Z""#, r#""2025-07-01T00:00:00Z""#]),
        [(NEW_YEAR + 11 * HOUR).to_string(), (day(181) + 21 * HOUR / 2).to_string()]
    );
}

#[test]
fn a_local_time_column_follows_its_instants_and_has_the_same_gaps() {
    let table = buckets(&["null", r#""2025-01-01T00:00:00Z""#, "null"]).with_local_time("europe/berlin").unwrap();
    let names: Vec<&str> = table.columns().map(|column| column.field().name.as_ref()).take(5).collect();
    assert_eq!(names, ["from_timestamp", "from_timestamp_local", "to_timestamp", "to_timestamp_local", "record_ids"]);
    let column = table.column("from_timestamp_local").unwrap();
    assert_eq!((column.field().kind, column.field().nullable, column.data().len()), (ColumnKind::LocalTime, true, 3));
    let local = (NEW_YEAR + HOUR).to_string();
    assert_eq!(rows(&table, &["from_timestamp_local", "to_timestamp_local"]), ["- -".to_owned(), format!("{local} -"), "- -".to_owned()]);
    // The last call counts.
    let again = table.clone().with_local_time("Asia/Kolkata").unwrap();
    assert_eq!(again.columns().count(), table.columns().count());
    assert_eq!(rows(&again, &["from_timestamp_local"])[1], (NEW_YEAR + 11 * HOUR / 2).to_string());
}

#[test]
fn a_requested_time_zone_overrides_the_offset_of_a_record() {
    // A night from 23:19 on with the end of summer time in Berlin. The record has the offset of its end.
    let stages = |offset: &str| {
        let body = format!(
            r#"{{"modified_at":"2025-10-26T08:00:00Z","start_at_timestamp":"2025-10-25T21:19:00Z",
                "stages":[{{"start_at":"2025-10-25T21:19:00Z"}},{{}}]{offset}}}"#
        );
        read(TableId::SleepStages, "get_sleep", &body)
    };
    let mut both = stages(r#","user_time_offset_minutes":60"#);
    both.append(stages("")).unwrap();
    let start = day(297) + 21 * HOUR + 19 * 60 * SECOND;
    assert_eq!(rows(&both, &["start_at_local"]), [(start + HOUR).to_string(), "-".to_owned(), "-".to_owned(), "-".to_owned()]);
    let stated = both.column("start_at_local").unwrap().field().doc;
    let both = both.with_local_time("Europe/Berlin").unwrap();
    let shown = (start + 2 * HOUR).to_string();
    assert_eq!(rows(&both, &["start_at_local"]), [shown.clone(), "-".to_owned(), shown, "-".to_owned()]);
    assert_ne!(both.column("start_at_local").unwrap().field().doc, stated);
    assert_eq!(both.skipped(), 0);
}

#[test]
fn a_local_time_out_of_range_is_missing_and_counted() {
    let table = buckets(&[r#""0001-01-01T04:59:59Z""#, r#""0001-01-01T05:00:00.0000005Z""#]).with_local_time("-05:00").unwrap();
    // 719,162 days before 1970-01-01.
    let first = (-719_162 * 24 * HOUR).to_string();
    assert_eq!(rows(&table, &["from_timestamp_local"]), ["-".to_owned(), format!("{first}+500")]);
    assert_eq!(table.skipped(), 1);
}

#[test]
fn an_offset_applies_to_all_times_of_the_year() {
    let (winter, summer) = (r#""2025-01-01T00:00:00Z""#, r#""2025-07-01T00:00:00Z""#);
    assert_eq!(local("+02:00", &[winter, summer]), [NEW_YEAR + 2 * HOUR, day(181) + 2 * HOUR].map(|time| time.to_string()));
    assert_eq!(local("-03:30", &[winter]), [(NEW_YEAR - 7 * HOUR / 2).to_string()]);
    assert_eq!(local("+00:00:15", &[winter]), [(NEW_YEAR + 15 * SECOND).to_string()]);
    assert_eq!(local("-23:59:59", &[winter]), [(NEW_YEAR - 24 * HOUR + SECOND).to_string()]);
    assert_eq!(local("-00:00", &[winter]), local("UTC", &[winter]));
}

#[test]
fn an_unknown_time_zone_is_an_error() {
    for zone in ["Mars/Olympus_Mons", "", "+", "+24:00", "-01:60", "+1:00", "+01", "+01:00:60", "+01:00:00:00", "++1:00", "01:00", "+0١:00"]
    {
        let error = Table::empty(TableId::SleepStages).with_local_time(zone).unwrap_err();
        assert_eq!((error.kind(), error.argument()), (ErrorKind::InvalidArgument, Some("zone")), "{zone}");
    }
    assert!(Table::empty(TableId::DailyStatistics).with_local_time("UTC").is_ok());
}

#[test]
fn times_are_read_in_all_formats_and_after_a_byte_order_mark() {
    let hour = |hours: i64| (NEW_YEAR + hours * HOUR).to_string();
    let forms = [
        r#""2025-01-01T06:00Z""#,
        r#""2025-01-01 06:00""#,
        r#""2025-01-01T07:00+01""#,
        r#""2025-01-01T07:00:00+0100""#,
        r#""2025-01-01T06:00:00.0000000000Z""#,
        r#""2024-12-31T24:00+02:00""#,
        r#""2025-01-01T24:00Z""#,
        r#""2025-01-01T24:01Z""#,
    ];
    let expected = [hour(6), hour(6), hour(6), hour(6), hour(6), hour(-2), hour(24), "-".to_owned()];
    assert_eq!(rows(&buckets(&forms), &["from_timestamp"]), expected);
    let marked = "\u{feff}{\"statistics\":[{\"from_timestamp\":\"2025-01-01T06:00Z\",\"values\":{\"steps\":1}}]}";
    assert_eq!(rows(&read(TableId::IntervalStatistics, "interval_statistics", marked), &["from_timestamp"]), [hour(6)]);
}

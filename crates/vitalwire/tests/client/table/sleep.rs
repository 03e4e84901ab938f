//! Tests of the tables of sleep stages and samples.

use vitalwire::table::{Table, TableId};

use crate::table::{NEW_YEAR, SECOND, fault, read, rows};

const GET: &str = "get_sleep";

/// A record with its required fields and then `members`.
fn night(members: &str) -> String {
    format!(r#"{{"modified_at":"2025-01-02T00:00:00Z","start_at_timestamp":"2025-01-01T00:00:00Z"{members}}}"#)
}

fn stages(members: &str) -> Table {
    read(TableId::SleepStages, GET, &night(members))
}

fn samples(members: &str) -> Table {
    read(TableId::SleepSamples, GET, &night(members))
}

#[test]
fn keys_and_the_offset_may_come_after_the_stages() {
    let table = stages(
        r#","stages":[{"stage":"rem","start_at":"2025-01-01T00:00:00Z","end_at":"2025-01-01T00:00:30Z","duration":30.0,"metrics":{"heart_rate_avg":55}},
             {"stage":"brand_new","start_at":"2025-01-01T00:00:30Z"}],"user_time_offset_minutes":-90,"sleep_id":"night-1""#,
    );
    let shown = ["sleep_id", "stage", "start_at", "start_at_local", "end_at_local", "duration"];
    let back = NEW_YEAR - 90 * 60 * SECOND;
    assert_eq!(
        rows(&table, &shown),
        [
            format!("night-1 rem {NEW_YEAR} {back} {} 30", back + 30 * SECOND),
            format!("night-1 brand_new {} {} - -", NEW_YEAR + 30 * SECOND, back + 30 * SECOND),
        ]
    );
}

#[test]
fn local_times_are_missing_without_an_offset() {
    for (offset, skipped) in [("", 0), (r#","user_time_offset_minutes":null"#, 0), (r#","user_time_offset_minutes":1560"#, 1)] {
        let table = stages(&format!(r#","stages":[{{"start_at":"2025-01-01T00:00:00Z"}}]{offset}"#));
        assert_eq!(rows(&table, &["start_at", "start_at_local", "sleep_id"]), [format!("{NEW_YEAR} - -")]);
        assert_eq!(table.skipped(), skipped, "{offset}");
    }
}

#[test]
fn a_table_without_stages_is_empty() {
    for (members, skipped) in [("", 0), (r#","stages":null"#, 0), (r#","stages":[]"#, 0), (r#","stages":{"a":1}"#, 1)] {
        let table = stages(members);
        assert_eq!((table.len(), table.skipped()), (0, skipped), "{members}");
    }
}

#[test]
fn each_sample_becomes_a_row() {
    let table = samples(
        r#","sleep_id":"n","user_time_offset_minutes":60,
            "samples":{"values":{"heart_rate_avg":[50,51.5],"moon":[1,2]},"durations":[60000,60000],"offsets":[0,60000.5]}"#,
    );
    let later = NEW_YEAR + 60_000_500;
    let hour = 3600 * SECOND;
    assert_eq!(
        rows(&table, &["sleep_id", "at", "at_local", "offset", "duration", "moon"]),
        [format!("n {NEW_YEAR} {} 0 60000 1", NEW_YEAR + hour), format!("n {later} {} 60000.5 60000 2", later + hour)]
    );
}

#[test]
fn an_offset_out_of_range_is_skipped_and_counted() {
    let table = samples(r#","user_time_offset_minutes":1,"samples":{"offsets":[0,1e300,2000]}"#);
    let later = NEW_YEAR + 2 * SECOND;
    assert_eq!(
        rows(&table, &["at", "at_local"]),
        [format!("{NEW_YEAR} {}", NEW_YEAR + 60 * SECOND), "- -".to_owned(), format!("{later} {}", later + 60 * SECOND)]
    );
    assert_eq!(table.skipped(), 1);
}

#[test]
fn the_start_may_be_the_last_field() {
    let body = r#"{"samples":{"offsets":[1000]},"modified_at":"2025-01-02T00:00:00Z","start_at_timestamp":"2025-01-01T00:00:00Z"}"#;
    assert_eq!(rows(&read(TableId::SleepSamples, GET, body), &["at"]), [(NEW_YEAR + SECOND).to_string()]);
}

#[test]
fn series_without_offsets_have_no_times() {
    let table = samples(r#","samples":{"offsets":null,"values":{"moon":[1,2]}}"#);
    assert_eq!(rows(&table, &["offset", "at", "moon"]), ["- - 1", "- - 2"]);
}

#[test]
fn a_series_of_a_different_length_leaves_its_column_empty() {
    let rows_and_skipped = |members: &str| {
        let table = samples(members);
        (rows(&table, &["offset", "duration", "weight", "heartrate"]), table.skipped())
    };
    let rest = r#""values":{"weight":[1,2,3],"heartrate":[60,61]}"#;
    assert_eq!(
        rows_and_skipped(&format!(r#","samples":{{"offsets":[0,1],"durations":[1],{rest}}}"#)),
        (vec!["0 - - 60".into(), "1 - - 61".into()], 2)
    );
    // Without offsets, the most common length is used, or the longest of several.
    assert_eq!(rows_and_skipped(&format!(r#","samples":{{"durations":[5,6],{rest}}}"#)), (vec!["- 5 - 60".into(), "- 6 - 61".into()], 1));
    assert_eq!(rows_and_skipped(&format!(r#","samples":{{{rest}}}"#)).0, ["- - 1 -", "- - 2 -", "- - 3 -"]);
    assert_eq!(rows_and_skipped(r#","samples":{"offsets":[],"durations":[1]}"#), (vec![], 1));
    let unknown = samples(r#","samples":{"values":{"jane":[1]},"offsets":[0,1]}"#);
    assert_eq!((unknown.len(), unknown.skipped()), (2, 1));
}

#[test]
fn a_null_in_a_series_is_a_missing_value() {
    let table = samples(r#","samples":{"offsets":[0,null,60000],"durations":[1,2,3],"values":{"heartrate":[null,61,null]}}"#);
    assert_eq!(rows(&table, &["offset", "duration", "heartrate"]), ["0 1 -", "- 2 61", "60000 3 -"]);
    assert_eq!(table.skipped(), 0, "nothing is left out");
    let at = rows(&table, &["at"]);
    assert!(at[0] != "-" && at[1] == "-" && at[2] != "-", "{at:?}");
}

/// serde_json cannot decode such a surrogate or number, but it can read their JSON text.
#[test]
fn lone_surrogates_and_numbers_too_large_for_a_double_are_left_out() {
    for invalid in [r#""\ud800""#, "1e400"] {
        let table = samples(&format!(
            r#","score":{invalid},"metrics":{invalid},"samples":{{"offsets":[0],"durations":{invalid},"values":{invalid}}}"#
        ));
        assert_eq!((rows(&table, &["offset", "duration"]), table.skipped()), (vec!["0 -".to_owned()], 2), "{invalid}");
        assert_eq!(samples(&format!(r#","samples":{invalid}"#)).len(), 0);
    }
}

#[test]
fn a_series_with_an_invalid_number_is_left_out() {
    for invalid in ["[0,\"x\"]", "[0,{}]", "[0,1e400]", "[true,1]"] {
        let table = samples(&format!(r#","samples":{{"offsets":{invalid},"durations":[5,6],"values":{{"heartrate":{invalid}}}}}"#));
        assert_eq!((rows(&table, &["offset", "duration"]), table.skipped()), (vec!["- 5".to_owned(), "- 6".to_owned()], 2), "{invalid}");
    }
}

#[test]
fn the_last_of_duplicate_samples_counts() {
    let table =
        samples(r#","samples":{"offsets":[0,1]},"samples":{"offsets":[5],"offsets":[7],"values":{"moon":[1,2]},"values":{"moon":[3]}}"#);
    assert_eq!(rows(&table, &["offset", "moon"]), ["7 3"]);
}

#[test]
fn a_record_without_required_fields_is_an_error() {
    let body = r#"{"start_at_timestamp":"2025-01-01T00:00:00Z","stages":[]}"#;
    assert_eq!(fault(TableId::SleepStages, GET, body).1, "modified_at");
    let body = r#"{"start_at_timestamp":7,"modified_at":"2025-01-02T00:00:00Z"}"#;
    assert_eq!(fault(TableId::SleepSamples, GET, body).1, "start_at_timestamp");
}

/// Stages that cannot be decoded are left out and all others are kept, as in models.
#[test]
fn other_stages_are_kept_if_one_is_invalid() {
    for (stages, count) in
        [("[{},5]", 1), ("[null]", 0), ("[[],{}]", 1), (r#"[{"stage":"deep","duration":1,"metrics":{"moon":1}},"rem",{}]"#, 2)]
    {
        let table = read(TableId::SleepStages, GET, &night(&format!(",\"stages\":{stages}")));
        assert_eq!((table.len(), table.skipped()), (count, 1), "{stages}");
    }
    let again = read(TableId::SleepStages, GET, &night(r#","stages":[{},5],"stages":[{"stage":"rem"}]"#));
    assert_eq!((rows(&again, &["stage"]), again.skipped()), (vec!["rem".to_owned()], 1));
}

#[test]
fn a_sleep_is_a_row_that_states_whether_it_is_a_nap() {
    let sleep = |members: &str| read(TableId::Sleeps, GET, &night(members));
    let mut table = sleep(r#","sleep_id":"a","duration":3600000,"score":80,"metrics":{"sleep_duration":3000000,"moon":1}"#);
    table.append(sleep(r#","sleep_id":"b","metrics":{"sleep_duration_nap":1200000,"sleep_duration":1200000}"#)).unwrap();
    table.append(sleep(r#","sleep_id":"c","metrics":{"sleep_duration_nap":0}"#)).unwrap();
    table.append(sleep("")).unwrap();
    assert_eq!(
        rows(&table, &["sleep_id", "is_nap", "score", "duration", "sleep_duration", "moon"]),
        ["a false 80 3600000 3000000 1", "b true - - 1200000 -", "c false - - - -", "- false - - - -"]
    );
    let is_duration = |name: &str| table.column(name).unwrap().field().is_duration();
    assert!(is_duration("duration") && is_duration("sleep_duration_nap") && !is_duration("hrv_rmssd") && !is_duration("score"));
}

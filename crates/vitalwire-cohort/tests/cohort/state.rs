//! Tests of the synchronization state of a user and a table.

use vitalwire::range::DateRange;
use vitalwire::table::{Table, TableId};
use vitalwire_cohort::{Changes, CohortTable, RecordKey, SyncState, SyncStates};

use super::{changes, date, days, noon};

/// Returns a table with these steps by day.
fn steps(values: &[(&str, i32)]) -> Table {
    let rows: Vec<String> = values.iter().map(|(day, steps)| format!(r#"{{"date":"{day}","values":{{"steps":{steps}}}}}"#)).collect();
    let body = format!(r#"{{"from_date":"2025-01-01","to_date":"2025-01-31","statistics":[{}]}}"#, rows.join(","));
    Table::read(TableId::DailyStatistics, "daily_statistics", body.as_bytes()).unwrap()
}

/// Updates a state at a time at which all days of the tests are over.
fn update(state: &mut SyncState, table: CohortTable, days: DateRange, rows: &Table, lookback_days: u32) -> Changes {
    state.update(table, days, rows, lookback_days, noon("2025-03-01")).changes
}

#[test]
fn the_last_days_are_requested_again_and_compared() {
    let mut state = SyncState::new();
    assert_eq!(state.due(days("2025-01-01", "2025-01-10"), 3).to_string(), "2025-01-01/2025-01-10");
    let rows = steps(&[("2025-01-01", 1), ("2025-01-08", 8), ("2025-01-09", 9), ("2025-01-10", 10)]);
    assert_eq!(update(&mut state, CohortTable::Daily, days("2025-01-01", "2025-01-10"), &rows, 3), changes(4, 0, 0));
    assert_eq!(state.received().to_string(), "2025-01-01/2025-01-01,2025-01-08/2025-01-10");
    let mut state: SyncState = serde_json::from_str(&serde_json::to_string(&state).unwrap()).unwrap();

    // Due are 2 new days, and the last 3 days again.
    assert_eq!(state.due(days("2025-01-01", "2025-01-12"), 3).to_string(), "2025-01-08/2025-01-12");
    let rows = steps(&[("2025-01-08", 8), ("2025-01-09", 99), ("2025-01-12", 12)]);
    assert_eq!(update(&mut state, CohortTable::Daily, days("2025-01-08", "2025-01-12"), &rows, 3), changes(1, 1, 1));
    assert_eq!(state.received().to_string(), "2025-01-01/2025-01-01,2025-01-08/2025-01-09,2025-01-12/2025-01-12");

    // A day that arrives late is added. The same response again changes nothing.
    let rows = steps(&[("2025-01-11", 11), ("2025-01-12", 12)]);
    assert_eq!(update(&mut state, CohortTable::Daily, days("2025-01-10", "2025-01-12"), &rows, 3), changes(1, 0, 0));
    assert_eq!(update(&mut state, CohortTable::Daily, days("2025-01-10", "2025-01-12"), &rows, 3), changes(0, 0, 0));
}

#[test]
fn an_additional_column_without_values_is_not_a_change() {
    let mut state = SyncState::new();
    let span = days("2025-01-01", "2025-01-01");
    update(&mut state, CohortTable::Daily, span, &steps(&[("2025-01-01", 1)]), 7);
    let rows = steps(&[("2025-01-01", 1)]).with_empty_columns().with_columns(["a_new_statistic"]);
    assert_eq!(update(&mut state, CohortTable::Daily, span, &rows, 7), changes(0, 0, 0));
}

#[test]
fn failed_days_are_due_until_a_request_succeeds() {
    let mut state = SyncState::new();
    update(&mut state, CohortTable::Daily, days("2025-01-01", "2025-01-05"), &steps(&[("2025-01-05", 5)]), 0);
    state.record_failure(days("2025-01-06", "2025-01-10"));
    assert_eq!(state.due(days("2025-01-01", "2025-01-12"), 0).to_string(), "2025-01-06/2025-01-12");
    assert!(state.failed().contains(date("2025-01-06")));
    update(&mut state, CohortTable::Daily, days("2025-01-06", "2025-01-12"), &steps(&[]), 0);
    assert!(state.failed().is_empty());
}

#[test]
fn a_record_whose_date_changes_is_changed_and_not_added() {
    let read = |collected: &str, value: i32| {
        let body = format!(
            r#"[{{"record_id":"7a4f9f0e-0000-4000-8000-000000000001","status":"completed","collection_date":"{collected}","uploaded_at":"2025-01-09T00:00:00Z",
                "sections":[{{"results":[{{"value":{value}}},{{"value":2}}]}}]}}]"#
        );
        Table::read(TableId::LabResults, "list_lab_reports", body.as_bytes()).unwrap()
    };
    let mut state = SyncState::new();
    let span = days("2025-01-01", "2025-01-10");
    assert_eq!(update(&mut state, CohortTable::Labs, span, &read("2025-01-08", 1), 7), changes(2, 0, 0));
    assert_eq!(update(&mut state, CohortTable::Labs, span, &read("2025-01-07", 1), 7), changes(0, 2, 0));
    // The upload date is outside of these days, so a response without the record does not mean that it is removed.
    let none = Table::read(TableId::LabResults, "list_lab_reports", b"[]").unwrap();
    assert_eq!(update(&mut state, CohortTable::Labs, days("2025-01-01", "2025-01-08"), &none, 7), changes(0, 0, 0));
    assert_eq!(update(&mut state, CohortTable::Labs, span, &none, 7), changes(0, 0, 2));
}

#[test]
fn a_state_of_a_newer_version_is_rejected() {
    let text = serde_json::to_string(&SyncState::new()).unwrap();
    assert!(serde_json::from_str::<SyncState>(&text.replace(r#""version":2"#, r#""version":1"#)).is_err());
    assert!(serde_json::from_str::<SyncState>(&text.replace(r#""as_of":null"#, r#""as_of":null,"records":"QUJD""#)).is_err());
}

/// A day that is not over can have rows, but stays due.
#[test]
fn a_day_that_is_not_over_stays_due() {
    let mut state = SyncState::new();
    let span = days("2025-01-01", "2025-01-10");
    state.update(CohortTable::Daily, span, &steps(&[("2025-01-05", 5), ("2025-01-06", 6)]), 0, noon("2025-01-06"));
    assert_eq!(state.requested().to_string(), "2025-01-01/2025-01-05");
    assert_eq!(state.received().to_string(), "2025-01-05/2025-01-06");
    assert_eq!(state.due(span, 0).to_string(), "2025-01-06/2025-01-10");
    assert_eq!(state.as_of(), Some(noon("2025-01-06")));
}

#[test]
fn removed_records_are_returned_with_their_keys() {
    let mut state = SyncState::new();
    let span = days("2025-01-01", "2025-01-03");
    state.update(CohortTable::Daily, span, &steps(&[("2025-01-01", 1), ("2025-01-02", 2)]), 7, noon("2025-01-04"));
    let update = state.update(CohortTable::Daily, span, &steps(&[("2025-01-02", 2)]), 7, noon("2025-01-04"));
    // 2025-01-01 is day 20,089 since 1970-01-01.
    assert_eq!((update.changes, &update.removed[..]), (changes(0, 0, 1), &[RecordKey::Time(20_089)][..]));
}

#[test]
fn states_belong_to_one_service() {
    let mut states = SyncStates::new();
    states.bind("https://health.example.org").unwrap();
    states.entry("anna", CohortTable::Daily).record_failure(days("2025-01-01", "2025-01-02"));
    let mut states = SyncStates::from_json(&states.to_json().unwrap()).unwrap();
    assert!(states.get("anna", CohortTable::Daily).unwrap().failed().contains(date("2025-01-02")));
    assert!(states.bind("https://health.example.org").is_ok());
    assert_eq!(states.bind("https://staging.example.org").unwrap_err().argument(), Some("states"));
    for invalid in ["", "{", "[]", r#"{"service":null,"tables":{"daily":{"anna":{"version":2}}}}"#] {
        assert_eq!(SyncStates::from_json(invalid).unwrap_err().argument(), Some("states"), "{invalid}");
    }
}

//! Tests of the synchronisation state of a user and a table.

use vitalwire::cohort::{Changes, CohortTable, SyncState};
use vitalwire::table::{Table, TableId};

use super::{date, days};

/// Returns a table with these steps by day.
fn steps(values: &[(&str, i32)]) -> Table {
    let rows: Vec<String> = values.iter().map(|(day, steps)| format!(r#"{{"date":"{day}","values":{{"steps":{steps}}}}}"#)).collect();
    let body = format!(r#"{{"from_date":"2025-01-01","to_date":"2025-01-31","statistics":[{}]}}"#, rows.join(","));
    Table::read(TableId::DailyStatistics, "daily_statistics", body.as_bytes()).unwrap()
}

fn changes(added: u64, changed: u64, gone: u64) -> Changes {
    let mut changes = Changes::default();
    (changes.added, changes.changed, changes.gone) = (added, changed, gone);
    changes
}

#[test]
fn the_last_days_are_requested_again_and_compared() {
    let mut state = SyncState::new();
    assert_eq!(state.due(days("2025-01-01", "2025-01-10"), 3).to_string(), "2025-01-01/2025-01-10");
    let rows = steps(&[("2025-01-01", 1), ("2025-01-08", 8), ("2025-01-09", 9), ("2025-01-10", 10)]);
    assert_eq!(state.update(CohortTable::Daily, days("2025-01-01", "2025-01-10"), &rows, 3), changes(4, 0, 0));
    assert_eq!(state.received().to_string(), "2025-01-01/2025-01-01,2025-01-08/2025-01-10");
    let mut state: SyncState = serde_json::from_str(&serde_json::to_string(&state).unwrap()).unwrap();

    // Due are 2 new days, and the last 3 days again.
    assert_eq!(state.due(days("2025-01-01", "2025-01-12"), 3).to_string(), "2025-01-08/2025-01-12");
    let rows = steps(&[("2025-01-08", 8), ("2025-01-09", 99), ("2025-01-12", 12)]);
    assert_eq!(state.update(CohortTable::Daily, days("2025-01-08", "2025-01-12"), &rows, 3), changes(1, 1, 1));
    assert_eq!(state.received().to_string(), "2025-01-01/2025-01-01,2025-01-08/2025-01-09,2025-01-12/2025-01-12");

    // A day that arrives late is added. The same response again changes nothing.
    let rows = steps(&[("2025-01-11", 11), ("2025-01-12", 12)]);
    assert_eq!(state.update(CohortTable::Daily, days("2025-01-10", "2025-01-12"), &rows, 3), changes(1, 0, 0));
    assert_eq!(state.update(CohortTable::Daily, days("2025-01-10", "2025-01-12"), &rows, 3), changes(0, 0, 0));
}

#[test]
fn an_additional_column_without_values_is_not_a_change() {
    let mut state = SyncState::new();
    let span = days("2025-01-01", "2025-01-01");
    state.update(CohortTable::Daily, span, &steps(&[("2025-01-01", 1)]), 7);
    let rows = steps(&[("2025-01-01", 1)]).with_empty_columns().with_columns(["a_new_statistic"]);
    assert_eq!(state.update(CohortTable::Daily, span, &rows, 7), changes(0, 0, 0));
}

#[test]
fn failed_days_are_due_until_a_request_succeeds() {
    let mut state = SyncState::new();
    state.update(CohortTable::Daily, days("2025-01-01", "2025-01-05"), &steps(&[("2025-01-05", 5)]), 0);
    state.record_failure(days("2025-01-06", "2025-01-10"));
    assert_eq!(state.due(days("2025-01-01", "2025-01-12"), 0).to_string(), "2025-01-06/2025-01-12");
    assert!(state.failed().contains(date("2025-01-06")));
    state.update(CohortTable::Daily, days("2025-01-06", "2025-01-12"), &steps(&[]), 0);
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
    assert_eq!(state.update(CohortTable::Labs, span, &read("2025-01-08", 1), 7), changes(2, 0, 0));
    assert_eq!(state.update(CohortTable::Labs, span, &read("2025-01-07", 1), 7), changes(0, 2, 0));
    // The upload date is outside of these days, so a response without the record does not mean that it is gone.
    let none = Table::read(TableId::LabResults, "list_lab_reports", b"[]").unwrap();
    assert_eq!(state.update(CohortTable::Labs, days("2025-01-01", "2025-01-08"), &none, 7), changes(0, 0, 0));
    assert_eq!(state.update(CohortTable::Labs, span, &none, 7), changes(0, 0, 2));
}

#[test]
fn a_state_of_a_newer_version_is_rejected() {
    let text = serde_json::to_string(&SyncState::new()).unwrap();
    assert!(serde_json::from_str::<SyncState>(&text.replace(r#""version":1"#, r#""version":2"#)).is_err());
    assert!(serde_json::from_str::<SyncState>(&text.replace(r#""records":"""#, r#""records":"QUJD""#)).is_err());
}

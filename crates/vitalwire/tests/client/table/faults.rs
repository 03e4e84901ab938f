//! Tests of invalid bodies and unknown tables.

use vitalwire::ErrorKind;
use vitalwire::table::{Table, TableId};

use crate::table::fault;

#[test]
fn every_table_has_a_name_and_rejects_other_operations() {
    for id in TableId::ALL {
        assert_eq!(id.as_str().parse(), Ok(*id));
        assert!(id.spec().operations().next().is_some());
        let error = Table::read(*id, "get_user_info", b"{}").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    }
    assert!("no_such_table".parse::<TableId>().is_err());
}

#[test]
fn a_body_that_is_not_json_is_a_decode_error() {
    for body in ["", "{", "[1,2]", "7", "null", "<html>", "{}x"] {
        for id in TableId::ALL {
            let operation = id.spec().operations().next().unwrap();
            if let Err(error) = Table::read(*id, operation, body.as_bytes()) {
                assert_eq!(error.kind(), ErrorKind::Decode, "{body}");
            } else {
                assert_eq!(body, "null", "{id}");
            }
        }
    }
    let error = Table::read(TableId::SleepStages, "get_sleep", b"{\"sleep_id\":\"\xff\"}").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Decode);
}

/// A small JSON body can describe gigabytes of cells.
#[test]
fn a_body_that_needs_far_more_memory_than_its_size_is_an_error() {
    let head = r#"{"from_date":"2025-01-01","to_date":"2025-01-02","statistics":["#;
    let names: Vec<String> = (0..20_000).map(|at| format!("{{\"values\":{{\"n{at}\":1}}}}")).collect();
    assert_eq!(fault(TableId::DailyStatistics, "daily_statistics", &format!("{head}{}]}}", names.join(","))).0, ErrorKind::Decode);
    let id = "x".repeat(100_000);
    let stages = "{},".repeat(100_000);
    let night = format!(
        r#"{{"modified_at":"2025-01-02T00:00:00Z","start_at_timestamp":"2025-01-01T00:00:00Z","stages":[{stages}{{}}],"sleep_id":"{id}"}}"#
    );
    assert_eq!(fault(TableId::SleepStages, "get_sleep", &night).0, ErrorKind::Decode);
}

/// Texts contain neither names nor values of a body.
#[test]
fn debug_and_errors_do_not_show_the_body() {
    let body = r#"{"modified_at":"2025-01-02T00:00:00Z","start_at_timestamp":"jane@example.org"}"#;
    let error = Table::read(TableId::SleepStages, "get_sleep", body.as_bytes()).unwrap_err();
    assert!(!format!("{error} {error:?}").contains("jane"));
    let body = r#"{"modified_at":"2025-01-02T00:00:00Z","start_at_timestamp":"2025-01-01T00:00:00Z","sleep_id":"jane","stages":[{}]}"#;
    let table = Table::read(TableId::SleepStages, "get_sleep", body.as_bytes()).unwrap();
    assert!(!format!("{table:?} {:?}", table.column("sleep_id")).contains("jane"));
}

//! Range calls that return a table.

use std::sync::{Arc, Mutex};

use vitalwire::error::ErrorKind;
use vitalwire::range::{OnError, PartLength, ResumeToken};
use vitalwire::table::{ColumnData, Table, TableId};
use vitalwire_testkit::{Server, json};

use crate::range::{calendar, client, daily, days, every_day, instants, query_value, response_with};

/// Returns the numbers of a column, `None` for missing values.
fn numbers(table: &Table, name: &str) -> Vec<Option<f64>> {
    let column = table.column(name).unwrap();
    let ColumnData::Number(values) = column.data() else { panic!("no numbers") };
    (0..table.len()).map(|row| (!column.is_missing(row)).then(|| values[row])).collect()
}

fn texts(table: &Table, name: &str) -> Vec<String> {
    let ColumnData::Text(texts) = table.column(name).unwrap().data() else { panic!("no texts") };
    (0..table.len()).map(|row| texts.get(row).to_owned()).collect()
}

/// Returns the dates as days since 1970-01-01. 2025-01-01 is day 20,089.
fn dates(table: &Table) -> Vec<i32> {
    let ColumnData::Date(days) = table.column("date").unwrap().data() else { panic!("no dates") };
    days.clone()
}

#[tokio::test]
async fn a_range_in_parts_is_one_ordered_table() {
    let server = calendar();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let report = Arc::clone(&seen);
    let split = daily(&server, days("2025-01-01", "2025-01-31")).split(PartLength::Days(7));
    let split = split.on_progress(move |progress| report.lock().unwrap().push((progress.done, progress.total, progress.items)));
    let table = split.table(TableId::DailyStatistics).await.unwrap();
    assert_eq!(dates(&table), (20_089..20_120).collect::<Vec<_>>());
    assert_eq!(numbers(&table, "steps"), (1..=31).map(|day| Some(f64::from(day))).collect::<Vec<_>>());
    assert_eq!(table.parts().iter().map(|part| part.rows.clone()).collect::<Vec<_>>(), [0..7, 7..14, 14..21, 21..28, 28..31]);
    assert_eq!((server.count(), table.duplicates(), table.resume_token(), table.failures().len()), (5, 0, None, 0));
    assert_eq!(*seen.lock().unwrap(), [(1, 5, 7), (2, 5, 14), (3, 5, 21), (4, 5, 28), (5, 5, 31)]);
}

#[tokio::test]
async fn a_day_in_two_parts_is_kept_from_the_first() {
    // The second part repeats the last day of the first with another value, and has an additional number. The third is null.
    let server = Server::with_script(|seen, _| match query_value(seen, "from_date").as_str() {
        "2025-01-01" => response_with("2025-01-01", "2025-01-02", &["2025-01-01".into(), "2025-01-02".into()]),
        "2025-01-03" => json(
            200,
            r#"{"from_date":"2025-01-03","to_date":"2025-01-04","statistics":[{"date":"2025-01-02","values":{"steps":99}},
                {"date":"2025-01-03","values":{"moon":5,"steps":"x"}},{"date":"2025-01-03"},{"values":{"steps":7}},{"values":{"steps":7}}]}"#,
        ),
        _ => json(200, r#"{"from_date":"2025-01-05","to_date":"2025-01-05","statistics":null}"#),
    });
    let table = daily(&server, days("2025-01-01", "2025-01-05")).split(PartLength::Days(2)).table(TableId::DailyStatistics).await.unwrap();
    // Duplicates within one part are kept, and so are rows without a key.
    assert_eq!(numbers(&table, "steps"), [Some(1.0), Some(2.0), None, None, Some(7.0), Some(7.0)]);
    assert_eq!(numbers(&table, "moon"), [None, None, Some(5.0), None, None, None]);
    assert_eq!(dates(&table)[..4], [20_089, 20_090, 20_091, 20_091]);
    assert_eq!((table.duplicates(), table.skipped()), (1, 1));
    assert_eq!(table.parts().iter().map(|part| part.rows.clone()).collect::<Vec<_>>(), [0..2, 2..6, 6..6]);
}

/// All rows of a record that the previous part has are left out. All rows of other records are kept.
#[tokio::test]
async fn rows_are_identified_by_their_record() {
    let report = |id: &str, values: &str| format!(r#"{{"record_id":"{id}","status":"completed","sections":[{{"results":[{values}]}}]}}"#);
    let server = Server::with_script(move |seen, _| match query_value(seen, "from_timestamp").as_str() {
        "2025-01-01T00:00:00Z" => json(200, &format!("[{},{}]", report("a", r#"{"value":1}"#), report("b", r#"{"value":2},{"value":3}"#))),
        "2025-01-02T00:00:00Z" => {
            json(200, &format!("[{},{}]", report("b", r#"{"value":9},{"value":9}"#), report("c", r#"{"value":4},{}"#)))
        }
        _ => json(200, &format!("[{}]", report("a", r#"{"value":5}"#))),
    });
    let range = instants("2025-01-01T00:00:00Z", "2025-01-04T00:00:00Z");
    let table = client(&server).lab_reports().list().range(range).split(PartLength::Days(1)).table(TableId::LabResults).await.unwrap();
    // Only the previous part is compared, so `a` of the third part is kept.
    assert_eq!(texts(&table, "record_id"), ["a", "b", "b", "c", "c", "a"]);
    assert_eq!(numbers(&table, "value"), [Some(1.0), Some(2.0), Some(3.0), Some(4.0), None, Some(5.0)]);
    assert_eq!(table.duplicates(), 2);
}

#[tokio::test]
async fn stop_keeps_the_rows_before_a_failure_and_resume_reads_the_rest() {
    let server = Server::with_script(|seen, count| {
        let fails = query_value(seen, "from_date") == "2025-01-05" && count < 3;
        if fails { json(404, "{}") } else { every_day(seen) }
    });
    let range = days("2025-01-01", "2025-01-09");
    let split = daily(&server, range).split(PartLength::Days(2)).concurrency(1);
    let error = split.table(TableId::DailyStatistics).await.unwrap_err();
    assert_eq!((error.error().kind(), error.error().operation()), (ErrorKind::NotFound, Some("daily_statistics")));
    assert_eq!(server.count(), 3, "nothing after the failure");
    assert_eq!((error.partial_result().unwrap().len(), error.partial_result().unwrap().resume_token()), (4, error.resume_token()));
    let token: ResumeToken = error.resume_token().unwrap().to_string().parse().unwrap();
    assert_eq!((token.parts_left(), token.dates()), (3, Some(range)));
    let rest = daily(&server, range).split(None).resume(&token).table(TableId::DailyStatistics).await.unwrap();
    assert_eq!((server.count(), rest.len()), (6, 5));
    let whole = error.into_parts().0.unwrap().merge(rest).unwrap();
    assert_eq!(dates(&whole), (20_089..20_098).collect::<Vec<_>>());
    assert_eq!((whole.parts().len(), whole.resume_token(), whole.duplicates()), (5, None, 0));
}

#[tokio::test]
async fn a_resumed_table_is_merged_in_the_order_of_the_parts() {
    // The middle part fails once. When it succeeds, it repeats the day before with another value.
    let server = Server::with_script(|seen, count| match (query_value(seen, "from_date").as_str(), count < 3) {
        ("2025-01-02", true) => json(404, "{}"),
        ("2025-01-02", false) => json(
            200,
            r#"{"from_date":"2025-01-02","to_date":"2025-01-02","statistics":[
                {"date":"2025-01-01","values":{"steps":99}},{"date":"2025-01-02","values":{"steps":2}}]}"#,
        ),
        _ => every_day(seen),
    });
    let range = days("2025-01-01", "2025-01-03");
    let split = daily(&server, range).split(PartLength::Days(1)).on_error(OnError::Collect);
    let table = split.table(TableId::DailyStatistics).await.unwrap();
    assert_eq!((dates(&table), table.failures().len()), (vec![20_089, 20_091], 1));
    let token = table.resume_token().unwrap().clone();
    let rest = daily(&server, range).split(None).resume(&token).table(TableId::DailyStatistics).await.unwrap();
    assert_eq!(rest.duplicates(), 0, "the resumed call does not know the other parts");
    let whole = table.merge(rest).unwrap();
    assert_eq!(numbers(&whole, "steps"), [Some(1.0), Some(2.0), Some(3.0)]);
    assert_eq!((whole.failures().len(), whole.resume_token(), whole.duplicates()), (0, None, 1));
    let records = daily(&server, range).split(PartLength::Days(2)).table(TableId::DailyStatistics).await.unwrap();
    assert_eq!(whole.merge(records).unwrap_err().argument(), Some("later"));
}

#[tokio::test]
async fn a_table_that_the_response_does_not_have_is_rejected_before_anything_is_sent() {
    let server = calendar();
    let error = daily(&server, days("2025-01-01", "2025-01-03")).split(PartLength::Days(1)).table(TableId::LabResults).await.unwrap_err();
    assert_eq!(
        (error.error().kind(), error.error().operation(), server.count()),
        (ErrorKind::InvalidArgument, Some("daily_statistics"), 0)
    );
    assert!(error.partial_result().is_none() && error.resume_token().is_none());
}

/// A resume token is valid for records and tables.
#[tokio::test]
async fn a_token_of_records_resumes_a_table() {
    let server = Server::with_script(|seen, count| if count < 1 { json(404, "{}") } else { every_day(seen) });
    let range = days("2025-01-01", "2025-01-04");
    let error = daily(&server, range).split(PartLength::Days(2)).concurrency(1).collect().await.unwrap_err();
    let table = daily(&server, range).split(None).resume(error.resume_token().unwrap()).table(TableId::DailyStatistics).await.unwrap();
    assert_eq!(table.len(), 4);
}

#[cfg(feature = "blocking")]
#[test]
fn a_table_can_block_a_thread() {
    let server = calendar();
    let table =
        daily(&server, days("2025-01-01", "2025-01-05")).split(PartLength::Days(2)).table_blocking(TableId::DailyStatistics).unwrap();
    assert_eq!(table.into_inner().len(), 5);
}

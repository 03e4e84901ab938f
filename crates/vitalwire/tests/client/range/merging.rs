//! Merging of parts: duplicates, null lists, lists of records and skipped items.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use vitalwire::models::LabReport;
use vitalwire::range::{MergedRange, OnError, PartLength};
use vitalwire_testkit::{Server, json};

use crate::range::{client, daily, days, instants, query_value, response_with};

#[tokio::test]
async fn a_day_in_two_parts_is_kept_from_the_first() {
    // The second part repeats the last day of the first with another value. The list of the third part is null.
    let server = Server::with_script(|seen, _| match query_value(seen, "from_date").as_str() {
        "2025-01-01" => response_with("2025-01-01", "2025-01-02", &["2025-01-01".into(), "2025-01-02".into()]),
        "2025-01-03" => json(
            200,
            r#"{"from_date":"2025-01-03","to_date":"2025-01-04","statistics":[
                {"date":"2025-01-02","values":{"steps":99}},{"date":"2025-01-03"},{"date":"2025-01-04"},{"values":{}},{"values":{}}]}"#,
        ),
        _ => json(200, r#"{"from_date":"2025-01-05","to_date":"2025-01-05","statistics":null}"#),
    });
    let merged = daily(&server, days("2025-01-01", "2025-01-05")).split(PartLength::Days(2)).collect().await.unwrap();
    let dates: Vec<_> = merged.statistics.iter().map(|day| day.date.map(|date| date.to_string())).collect();
    let expected = ["2025-01-01", "2025-01-02", "2025-01-03", "2025-01-04"].map(|date| Some(date.to_owned()));
    assert_eq!(dates[..4], expected);
    assert_eq!(dates[4..], [None, None], "items without a key are never duplicates");
    assert_eq!(merged.statistics[1].values.as_ref().unwrap().steps(), Some(2.0), "the first is kept");
    assert_eq!(merged.duplicates(), 1);
    assert_eq!(merged.parts().iter().map(|part| part.rows.clone()).collect::<Vec<_>>(), [0..2, 2..6, 6..6]);
}

#[tokio::test]
async fn only_the_previous_part_is_searched_for_duplicates() {
    let first_day = || response_with("2025-01-01", "2025-01-01", &["2025-01-01".into()]);
    let server = Server::with_script(move |seen, _| match query_value(seen, "from_date").as_str() {
        "2025-01-02" => response_with("2025-01-02", "2025-01-02", &[]),
        _ => first_day(),
    });
    let merged = daily(&server, days("2025-01-01", "2025-01-03")).split(PartLength::Days(1)).collect().await.unwrap();
    assert_eq!((merged.statistics.len(), merged.duplicates()), (2, 0));
}

#[tokio::test]
async fn records_are_identified_by_their_id() {
    let server = Server::with_script(|seen, _| match query_value(seen, "from_timestamp").as_str() {
        "2025-01-01T00:00:00Z" => json(200, r#"[{"record_id":"a","status":"completed"},{"record_id":"b","status":"completed"}]"#),
        "2025-01-02T00:00:00Z" => json(200, r#"[{"record_id":"b","status":"failed"},{"record_id":"c","status":"completed"}]"#),
        _ => json(200, "null"),
    });
    let range = instants("2025-01-01T00:00:00Z", "2025-01-04T00:00:00Z");
    let merged = client(&server).lab_reports().list().range(range).split(PartLength::Days(1)).collect().await.unwrap();
    assert_eq!(merged.iter().map(|report| report.record_id.as_str()).collect::<Vec<_>>(), ["a", "b", "c"]);
    assert_eq!((server.count(), merged.duplicates()), (3, 1));
}

#[tokio::test]
async fn skipped_items_keep_the_order_of_the_parts() {
    let broken = Arc::new(AtomicBool::new(true));
    let fails = Arc::clone(&broken);
    let server = Server::with_script(move |seen, _| match query_value(seen, "from_timestamp").as_str() {
        "2025-01-01T00:00:00Z" if fails.load(Ordering::SeqCst) => json(404, "{}"),
        "2025-01-01T00:00:00Z" => json(200, r#"[{"record_id":"a","status":"completed"},1]"#),
        "2025-01-02T00:00:00Z" => json(200, r#"[2,{"record_id":"b","status":"completed"}]"#),
        _ => json(200, "[3]"),
    });
    let call = || {
        let range = instants("2025-01-01T00:00:00Z", "2025-01-04T00:00:00Z");
        client(&server).lab_reports().list().range(range).split(PartLength::Days(1)).on_error(OnError::Collect)
    };
    let skipped = |merged: &MergedRange<Vec<LabReport>>| -> Vec<String> {
        merged.skipped_items().iter().map(|item| format!("{}={}", item.json_path(), item.json())).collect()
    };
    let first = call().collect().await.unwrap();
    assert_eq!((skipped(&first), first.skipped_count()), (vec!["[0]=2".to_owned(), "[0]=3".to_owned()], 2));
    broken.store(false, Ordering::SeqCst);
    let rest = call().resume(first.resume_token().unwrap()).collect().await.unwrap();
    let whole = first.merge(rest).unwrap();
    assert_eq!(skipped(&whole), ["[1]=1", "[0]=2", "[0]=3"]);
    assert_eq!((whole.len(), whole.skipped_count()), (2, 3));
}

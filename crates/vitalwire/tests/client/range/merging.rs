//! Duplicates at seams, null lists, lists of records.

use vitalwire::range::PartLength;
use vitalwire_testkit::{Server, json};

use crate::range::{answer_with, asked, client, daily, days, instants};

#[tokio::test]
async fn a_day_that_two_parts_have_is_kept_once_from_the_first() {
    // The second part also answers the first's last day, with another value; the third one's list is null.
    let server = Server::with(|seen, _| match asked(seen, "from_date").as_str() {
        "2025-01-01" => answer_with("2025-01-01", "2025-01-02", &["2025-01-01".into(), "2025-01-02".into()]),
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
    assert_eq!(dates[4..], [None, None], "items without key are never duplicates");
    assert_eq!(merged.statistics[1].values.as_ref().unwrap().steps(), Some(2.0), "the first is kept");
    assert_eq!(merged.duplicates(), 1);
    assert_eq!(merged.parts().iter().map(|part| part.rows.clone()).collect::<Vec<_>>(), [0..2, 2..6, 6..6]);
}

#[tokio::test]
async fn only_the_part_just_before_is_looked_at() {
    let again = || answer_with("2025-01-01", "2025-01-01", &["2025-01-01".into()]);
    let server = Server::with(move |seen, _| match asked(seen, "from_date").as_str() {
        "2025-01-02" => answer_with("2025-01-02", "2025-01-02", &[]),
        _ => again(),
    });
    let merged = daily(&server, days("2025-01-01", "2025-01-03")).split(PartLength::Days(1)).collect().await.unwrap();
    assert_eq!((merged.statistics.len(), merged.duplicates()), (2, 0));
}

#[tokio::test]
async fn records_are_known_by_their_id() {
    let server = Server::with(|seen, _| match asked(seen, "from_timestamp").as_str() {
        "2025-01-01T00:00:00Z" => json(200, r#"[{"record_id":"a","status":"completed"},{"record_id":"b","status":"completed"}]"#),
        "2025-01-02T00:00:00Z" => json(200, r#"[{"record_id":"b","status":"failed"},{"record_id":"c","status":"completed"}]"#),
        _ => json(200, "null"),
    });
    let range = instants("2025-01-01T00:00:00Z", "2025-01-04T00:00:00Z");
    let merged = client(&server).lab_reports().list().range(range).split(PartLength::Days(1)).collect().await.unwrap();
    assert_eq!(merged.iter().map(|report| report.record_id.as_str()).collect::<Vec<_>>(), ["a", "b", "c"]);
    assert_eq!((server.count(), merged.duplicates()), (3, 1));
}

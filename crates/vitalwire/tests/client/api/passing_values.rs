//! Values passed from one call to another: ids, ranges and lists, and values parsed from text.

use vitalwire::client::CallOptions;
use vitalwire::error::{Error, ErrorKind};
use vitalwire::open_sets::StatisticName;
use vitalwire::operations::StatisticsDailyParams;
use vitalwire::range::{DateRange, InstantRange};
use vitalwire::table::TableId;
use vitalwire::value::{Date, Id, ListMember, Timestamp};
use vitalwire_testkit::{Server, json};

use crate::api::{client, date, instant, pairs, query, target};

const MEAL: &str = r#"{"record_id":"11111111-2222-4333-8444-555555555555","status":"updated",
    "uploaded_at":"2025-01-31T12:00:00Z","modified_at":"2025-01-31T12:00:05Z"}"#;
const DAYS: &str = r#"{"from_date":"2025-01-01","to_date":"2025-01-02","statistics":[
    {"date":"2025-01-01","values":{"steps":1}},{"date":"2025-01-02","values":{"steps":2}}]}"#;

#[tokio::test]
async fn an_id_from_a_response_can_be_passed_to_the_next_call() {
    let server = Server::always(json(200, MEAL));
    let meals = client(&server).nutrition_records();
    let meal = meals.get("11111111-2222-4333-8444-555555555555").await.unwrap();
    meals.get(&meal.record_id).await.unwrap();
    meals.update(meal.record_id.as_str(), 2.0).await.unwrap();
    meals.update(String::from(&meal.record_id), 2.0).await.unwrap();
    meals.get(meal.record_id.to_string()).await.unwrap();
    meals.wait_for(&meal.record_id).await.unwrap();
    meals.get(meal.into_inner().record_id).await.unwrap();
    let paths: Vec<String> = server.requests().iter().map(|seen| target(seen).rsplit('/').next().unwrap().to_owned()).collect();
    assert_eq!(paths, ["11111111-2222-4333-8444-555555555555"; 7]);
}

#[test]
fn ids_convert_from_and_to_text() {
    let id = Id::from(&"A-1".to_owned());
    let same = Id::from(&id);
    assert_eq!((same, String::from(&id), String::from(id.clone())), (id, "A-1".to_owned(), "A-1".to_owned()));
}

#[tokio::test]
async fn every_form_of_a_range_sends_the_same_query() {
    let server = Server::always(json(200, DAYS));
    let (first, last) = (date("2025-01-01"), date("2025-01-02"));
    let statistics = client(&server).statistics();
    statistics.daily(first..=last, ["steps"]).await.unwrap();
    statistics.daily((first, last), ["steps"]).await.unwrap();
    statistics.daily(DateRange::ending(last, 2).unwrap(), ["steps"]).await.unwrap();
    statistics.daily(last..=last, ["steps"]).range(first..=last).await.unwrap();
    let expected = pairs(&[("from_date", "2025-01-01"), ("to_date", "2025-01-02"), ("types", "steps")]);
    assert!(server.requests().iter().all(|seen| query(seen) == expected));
    assert_eq!(server.count(), 4);

    let server = Server::always(json(200, "[]"));
    let (from, to) = (instant("2025-01-01T00:00:00Z"), instant("2025-01-02T00:00:00Z"));
    let list = || client(&server).lab_reports().list();
    list().range(from..to).await.unwrap();
    list().range((from, to)).await.unwrap();
    list().range(InstantRange::new(from, to).unwrap()).await.unwrap();
    let expected = pairs(&[("from_timestamp", "2025-01-01T00:00:00Z"), ("to_timestamp", "2025-01-02T00:00:00Z")]);
    assert!(server.requests().iter().all(|seen| query(seen) == expected));
}

/// A range must be in order. Bounds that are set one by one are checked by the service only.
#[tokio::test]
async fn a_range_in_the_wrong_order_is_an_error_of_the_call() {
    let server = Server::always(json(200, DAYS));
    let (first, last) = (date("2025-01-01"), date("2025-01-02"));
    let (noon, one) = (instant("2025-01-01T12:00:00Z"), instant("2025-01-01T13:00:00Z"));
    let statistics = client(&server).statistics();
    let hours = || statistics.interval("1h", ["steps"]);
    let errors = [
        (statistics.daily(last..=first, ["steps"]).await.unwrap_err(), "to_date"),
        (statistics.daily((last, first), ["steps"]).await.unwrap_err(), "to_date"),
        (statistics.daily(first..=last, ["steps"]).range(last..=first).await.unwrap_err(), "to_date"),
        (statistics.daily(last..=first, ["steps"]).options(CallOptions::new()).await.unwrap_err(), "to_date"),
        (statistics.daily(last..=first, ["steps"]).raw().await.unwrap_err(), "to_date"),
        (statistics.daily(last..=first, ["steps"]).table(TableId::DailyStatistics).await.unwrap_err(), "to_date"),
        (statistics.daily(last..=first, ["steps"]).split(None).collect().await.unwrap_err().into(), "to_date"),
        (hours().range(one..noon).await.unwrap_err(), "to_timestamp"),
        (hours().range((noon, noon)).await.unwrap_err(), "to_timestamp"),
    ];
    for (error, argument) in errors {
        assert_eq!((error.kind(), error.argument(), error.attempts()), (ErrorKind::InvalidArgument, Some(argument), 0));
    }
    assert_eq!(server.count(), 0, "nothing was sent");
    statistics.daily(last..=first, ["steps"]).range(first..=last).await.unwrap();
    client(&server).call(StatisticsDailyParams::new(last, first, ["steps"])).await.unwrap();
    assert_eq!(server.count(), 2);
}

#[test]
fn a_range_in_the_wrong_order_is_empty() {
    let days = DateRange::from(date("2025-01-02")..=date("2025-01-01"));
    assert_eq!((days.days(), days.contains(date("2025-01-01")), days.contains(date("2025-01-02"))), (0, false, false));
    assert_eq!(DateRange::from(date("2025-01-02")..=date("2025-01-01")), DateRange::from((date("2025-01-02"), date("2025-01-01"))));
    let hours = InstantRange::from(instant("2025-01-01T13:00:00Z")..instant("2025-01-01T12:00:00Z"));
    assert_eq!((hours.duration(), hours.contains(instant("2025-01-01T12:30:00Z"))), (std::time::Duration::ZERO, false));
}

#[tokio::test]
async fn a_response_that_holds_a_list_can_be_iterated() {
    let server = Server::always(json(200, DAYS));
    let response = client(&server).statistics().daily(date("2025-01-01")..=date("2025-01-02"), ["steps"]).await.unwrap();
    let mut steps = Vec::new();
    for day in &response {
        steps.push(day.values.as_ref().unwrap().steps());
    }
    for day in &*response {
        steps.push(day.values.as_ref().unwrap().steps());
    }
    for day in response {
        steps.push(day.values.unwrap().steps());
    }
    assert_eq!(steps, [Some(1.0), Some(2.0), Some(1.0), Some(2.0), Some(1.0), Some(2.0)]);

    let server = Server::always(json(200, &format!("[{MEAL}]")));
    let mut ids = Vec::new();
    for meal in client(&server).nutrition_records().list().await.unwrap() {
        ids.push(meal.record_id);
    }
    assert_eq!(ids, [Id::from("11111111-2222-4333-8444-555555555555")]);
}

#[test]
fn a_list_field_behaves_like_a_list() {
    let list = ListMember::List(vec!["a".to_owned(), "b".to_owned()]);
    assert_eq!((list.len(), list.is_empty(), list[1].as_str(), list[..1].len()), (2, false, "b", 1));
    assert_eq!(list.into_iter().collect::<Vec<String>>(), ["a", "b"]);
    for none in [ListMember::<String>::Absent, ListMember::Null, ListMember::List(Vec::new())] {
        assert_eq!((none.len(), none.is_empty(), none.as_slice().first()), (0, true, None));
        assert_eq!(none.into_iter().count(), 0);
    }
}

#[test]
fn a_parse_error_converts_to_an_argument_error() {
    fn read(day: &str, at: &str, table: &str) -> Result<(Date, Timestamp, TableId, StatisticName), Error> {
        Ok((day.parse()?, at.parse()?, table.parse()?, "steps".parse()?))
    }
    let (day, at, table) = ("2025-01-31", "2025-01-31T06:30:00Z", "daily_statistics");
    assert!(read(day, at, table).is_ok());
    let errors = [(read("31.1.2025", at, table), "date"), (read(day, "noon", table), "timestamp"), (read(day, at, "nights"), "table")];
    for (error, argument) in errors {
        let error = error.err().unwrap();
        assert_eq!((error.kind(), error.argument()), (ErrorKind::InvalidArgument, Some(argument)));
    }
}

//! Night searches that return a table.

use vitalwire::error::ErrorKind;
use vitalwire::nights::{empty_table, with_sleep_date};
use vitalwire::range::OnError;
use vitalwire::table::{ColumnData, Table, TableId};
use vitalwire::value::Date;
use vitalwire_testkit::{Server, json};

use crate::nights::{Diary, days, query_value, search, sleep_id};

fn column(table: &Table, name: &str) -> Vec<String> {
    let ColumnData::Text(texts) = table.column(name).unwrap().data() else { panic!("no texts") };
    (0..table.len()).map(|row| texts.get(row).to_owned()).collect()
}

#[tokio::test]
async fn a_table_has_every_night_and_requests_what_it_needs() {
    let server = Diary::new(&[("2025-01-01", &["a"]), ("2025-01-02", &["no", "b", "c"]), ("2025-01-03", &["c"])]).serve();
    for (id, expected) in
        [(TableId::SleepStages, ["true", "false"]), (TableId::SleepSamples, ["false", "true"]), (TableId::Sleeps, ["false", "false"])]
    {
        let table = search(&server, days("2025-01-01", "2025-01-03")).table(id).await.unwrap();
        assert_eq!((TableId::of(&table), column(&table, "sleep_id")), (Some(id), vec!["a".to_owned(), "b".into(), "c".into()]));
        assert_eq!((table.not_found(), table.duplicates()), (1, 1));
        assert_eq!(table.parts().iter().map(|day| day.rows.clone()).collect::<Vec<_>>(), [0..1, 1..3, 3..3]);
        let last = server.requests().into_iter().rfind(|seen| sleep_id(seen).is_some()).unwrap();
        assert_eq!([query_value(&last, "include_stages"), query_value(&last, "include_samples")], expected);
    }
}

#[tokio::test]
async fn a_token_of_a_table_resumes_records_and_vice_versa() {
    let diary = Diary::new(&[("2025-01-01", &["a"]), ("2025-01-02", &["b", "bad"]), ("2025-01-03", &["c"])]);
    let server =
        Server::with_script(
            move |seen, count| {
                if sleep_id(seen).as_deref() == Some("bad") && count < 10 { json(500, "{}") } else { diary.respond(seen) }
            },
        );
    let range = days("2025-01-01", "2025-01-03");
    let table = search(&server, range).on_error(OnError::Collect).table(TableId::SleepStages).await.unwrap();
    assert_eq!(column(&table, "sleep_id"), ["a", "c"], "a day is complete or missing");
    assert_eq!((table.failures().len(), server.count()), (1, 5));
    let error = search(&server, range).concurrency(1).collect().await.unwrap_err();
    let rest = search(&server, range).resume(error.resume_token().unwrap()).table(TableId::SleepStages).await.unwrap();
    assert_eq!(column(&rest, "sleep_id"), ["b", "bad", "c"]);
    let rest = search(&server, range).resume(table.resume_token().unwrap()).collect().await.unwrap();
    assert_eq!(crate::nights::ids(&rest), ["b", "bad"]);
}

#[tokio::test]
async fn a_table_that_sleeps_do_not_have_is_rejected_before_anything_is_sent() {
    let server = Diary::new(&[]).serve();
    let error = search(&server, days("2025-01-01", "2025-01-03")).table(TableId::DailyStatistics).await.unwrap_err();
    assert_eq!((error.error().kind(), error.error().argument(), server.count()), (ErrorKind::InvalidArgument, Some("table"), 0));
    assert!(error.partial_result().is_none() && error.resume_token().is_none());
}

#[tokio::test]
async fn days_without_a_sleep_are_rows_on_request() {
    // The third day shares its sleep with the second, and the fifth fails.
    let diary = Diary::new(&[("2025-01-02", &["a"]), ("2025-01-03", &["a"]), ("2025-01-04", &["no"]), ("2025-01-05", &["bad"])]);
    let server =
        Server::with_script(move |seen, _| if sleep_id(seen).as_deref() == Some("bad") { json(500, "{}") } else { diary.respond(seen) });
    let range = days("2025-01-01", "2025-01-06");
    for (missing, ids) in [(false, vec!["a"]), (true, vec!["", "a", "", ""])] {
        let found = search(&server, range).missing_rows(missing).on_error(OnError::Collect).table(TableId::Sleeps).await.unwrap();
        assert_eq!((column(&found, "sleep_id"), found.failures().len()), (ids.into_iter().map(str::to_owned).collect(), 1));
        if missing {
            let ColumnData::Date(dates) = found.column("sleep_date").unwrap().data() else { panic!("no dates") };
            // Days since 1970: the first, the fourth and the sixth day.
            assert_eq!([dates[0], dates[2], dates[3]], [20_089, 20_092, 20_094]);
            assert!(found.column("is_nap").unwrap().is_missing(0) && !found.column("is_nap").unwrap().is_missing(1));
            assert!(found.columns().all(|column| column.field().nullable));
        }
    }
    let error = search(&server, range).missing_rows(true).table(TableId::SleepStages).await.unwrap_err();
    assert_eq!(error.error().argument(), Some("missing_rows"));
}

fn column_names(table: &Table) -> Vec<&str> {
    table.columns().map(|column| &*column.field().name).collect()
}

fn dates(table: &Table) -> Vec<i32> {
    let ColumnData::Date(dates) = table.column("sleep_date").unwrap().data() else { panic!("no dates") };
    dates[..table.len()].to_vec()
}

#[tokio::test]
async fn tables_state_the_day_of_each_row_on_request() {
    let server = Diary::new(&[("2025-01-01", &["a"]), ("2025-01-03", &["b", "c"])]).serve();
    let range = days("2025-01-01", "2025-01-03");
    for id in [TableId::SleepStages, TableId::SleepSamples] {
        let without = search(&server, range).sleep_dates(false).table(id).await.unwrap();
        assert!(without.column("sleep_date").is_none());
        let with = search(&server, range).sleep_dates(true).table(id).await.unwrap();
        assert_eq!(column_names(&with), [column_names(&without), vec!["sleep_date"]].concat());
        // Days since 1970.
        assert_eq!(dates(&with), [20_089, 20_091, 20_091]);
    }
    // Sleeps have the column already.
    let sleeps = search(&server, range).sleep_dates(true).table(TableId::Sleeps).await.unwrap();
    assert_eq!(column_names(&sleeps).iter().filter(|name| **name == "sleep_date").count(), 1);
    // The column exists even if no day has a sleep.
    let nothing = search(&Diary::new(&[]).serve(), range).sleep_dates(true).table(TableId::SleepStages).await.unwrap();
    assert_eq!((nothing.len(), column_names(&nothing).last()), (0, Some(&"sleep_date")));
}

#[test]
fn an_empty_table_has_the_day_once() {
    for id in [TableId::Sleeps, TableId::SleepStages, TableId::SleepSamples] {
        let table = empty_table(id).unwrap();
        assert_eq!((TableId::of(&table), table.len()), (Some(id), 0));
        assert_eq!(column_names(&table).iter().filter(|name| **name == "sleep_date").count(), 1, "{id:?}");
        let columns = table.columns().count();
        assert_eq!(table.exported().count(), columns);
        assert_eq!(with_sleep_date(table, Date::default()).unwrap().columns().count(), columns);
    }
    let error = empty_table(TableId::DailyStatistics).unwrap_err();
    assert_eq!((error.kind(), error.argument()), (ErrorKind::InvalidArgument, Some("table")));
}

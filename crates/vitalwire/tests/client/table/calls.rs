//! Calls that are read as tables.

use std::sync::Arc;

use vitalwire::client::CallOptions;
use vitalwire::table::{Table, TableId};
use vitalwire::{Client, Date, ErrorKind};
use vitalwire_testkit::{Server, json};

use crate::table::rows;

const NIGHT: &str = r#"{"modified_at":"2025-01-02T00:00:00Z","start_at_timestamp":"2025-01-01T00:00:00Z","sleep_id":"n",
    "stages":[{"stage":"rem"}],"samples":{"offsets":[0,1]}}"#;

const ID: &str = "00000000-0000-4000-8000-000000000001";

fn client(server: &Server) -> Client {
    Client::builder().base_url(server.url()).token("health-token").build().unwrap()
}

#[tokio::test]
async fn one_call_one_table_or_several() {
    let server = Server::always(json(200, NIGHT));
    let client = client(&server);
    let stages = client.sleeps().get("n").table(TableId::SleepStages).await.unwrap();
    assert_eq!(rows(&stages, &["sleep_id", "stage"]), ["n rem"]);
    assert_eq!((stages.metadata().status, stages.metadata().attempts), (200, 1));
    let both = client.sleeps().get("n").tables(&[TableId::SleepSamples, TableId::SleepStages]).await.unwrap();
    assert_eq!(
        both.iter().map(|table| (TableId::of(table), table.len())).collect::<Vec<_>>(),
        [(Some(TableId::SleepSamples), 2), (Some(TableId::SleepStages), 1)]
    );
    assert_eq!(server.requests().len(), 2);
}

#[tokio::test]
async fn a_table_that_is_not_in_the_answer_is_refused_before_anything_is_sent() {
    let server = Server::always(json(200, NIGHT));
    let error = client(&server).sleeps().get("n").table(TableId::LabResults).await.unwrap_err();
    assert_eq!((error.kind(), error.operation()), (ErrorKind::InvalidArgument, Some("get_sleep")));
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn an_answer_that_cannot_be_read_names_the_place_and_the_call() {
    let server = Server::always(json(200, r#"{"start_at_timestamp":"2025-01-01T00:00:00Z"}"#));
    let error = client(&server).sleeps().get("n").table(TableId::SleepStages).await.unwrap_err();
    assert_eq!((error.kind(), error.json_path(), error.status()), (ErrorKind::Decode, Some("modified_at"), Some(200)));
}

/// A night without what nobody has asked for; `more` are further members.
fn bare(more: &str) -> Server {
    Server::always(json(200, &format!(r#"{{"modified_at":"2025-01-02T00:00:00Z","start_at_timestamp":"2025-01-01T00:00:00Z"{more}}}"#)))
}

#[tokio::test]
async fn rows_that_were_not_asked_for_are_refused_and_not_taken_for_none() {
    let server = bare("");
    let client = client(&server);
    for (table, argument) in [(TableId::SleepStages, "include_stages"), (TableId::SleepSamples, "include_samples")] {
        for call in [client.sleeps().get("n"), client.sleeps().get("n").include_stages(false).include_samples(false)] {
            let error = call.table(table).await.unwrap_err();
            assert_eq!((error.kind(), error.argument()), (ErrorKind::InvalidArgument, Some(argument)));
            assert_eq!(error.operation(), Some("get_sleep"));
        }
    }
    let error = client.sleeps().get("n").include_stages(true).tables(&[TableId::SleepStages, TableId::SleepSamples]).await.unwrap_err();
    assert_eq!(error.argument(), Some("include_samples"));
}

#[tokio::test]
async fn rows_that_were_asked_for_or_came_unasked_may_be_none() {
    // Asked for: the service left the member out, because it has none.
    let server = bare("");
    let asked = client(&server).sleeps().get("n").include_stages(true).table(TableId::SleepStages).await.unwrap();
    assert_eq!(asked.len(), 0);
    // Not asked for, and yet the service says that there are none, or what it has.
    for (stages, rows) in [("[]", 0), ("null", 0), (r#"[{"stage":"rem"}]"#, 1)] {
        let server = bare(&format!(r#","stages":{stages}"#));
        assert_eq!(client(&server).sleeps().get("n").table(TableId::SleepStages).await.unwrap().len(), rows, "{stages}");
    }
}

#[tokio::test]
async fn what_an_upload_did_not_ask_for_is_not_known_of_its_record() {
    let meal = |status: &str| {
        let at = "2025-01-01T00:00:00Z";
        json(200, &format!(r#"{{"record_id":"{ID}","status":"{status}","uploaded_at":"{at}","modified_at":"{at}"}}"#))
    };
    for asked in [None, Some(true)] {
        let server = Server::always(meal("completed"));
        let mut upload = client(&server).nutrition_records().upload().body(vec![0xff, 0xd8, 0xff]);
        if let Some(asked) = asked {
            upload = upload.include_ingredients(asked);
        }
        let record = upload.and_wait().send().await.unwrap();
        let body = serde_json::to_vec(&*record).unwrap();
        let table = Table::read(TableId::NutritionIngredients, "get_nutrition_record", &body).unwrap();
        let refused = table.require_requested_rows(record.metadata(), &body).err();
        let argument = refused.as_ref().and_then(vitalwire::Error::argument);
        assert_eq!(argument, if asked.is_some() { None } else { Some("include_ingredients") });
    }
}

#[tokio::test]
async fn columns_come_first_and_records_when_they_are_asked_for() {
    let body = r#"{"from_date":"2025-01-01","to_date":"2025-01-01","statistics":[{"date":"2025-01-01","values":{"steps":1200}}]}"#;
    let server = Server::always(json(200, body));
    let client = Client::builder().base_url(server.url()).token("t").no_proxy().build().unwrap();
    let day: Date = "2025-01-01".parse().unwrap();
    let call = || client.statistics().daily(day..=day, ["heartrate", "steps"]);
    let answer = call().deferred(TableId::DailyStatistics).await.unwrap();
    let columns = answer.columns().unwrap();
    assert_eq!((columns.len(), columns.column("heartrate").is_some(), server.requests().len()), (1, true, 1));
    let record = answer.record().unwrap();
    assert_eq!(record.statistics.len(), 1);
    assert!(Arc::ptr_eq(record, answer.record().unwrap()), "decoded once");
    assert_eq!(answer.provenance().operation(), Some("daily_statistics"));
    assert!(answer.provenance().response().unwrap().raw().is_none());
    let kept = call().options(CallOptions::new().keep_raw(true)).deferred(TableId::DailyStatistics).await.unwrap();
    assert_eq!(kept.provenance().response().unwrap().raw().map(|raw| &raw[..]), Some(body.as_bytes()));
    let refused = call().deferred(TableId::SleepStages).await.err().unwrap();
    assert_eq!((refused.argument(), server.requests().len()), (Some("table"), 2));
}

/// However a body is read, an error of reading it has the body, on request.
#[tokio::test]
async fn a_body_that_cannot_be_read_is_kept_on_request() {
    let body = r#" {"statistics":"canary-heron"}"#;
    let server = Server::always(json(200, body));
    let client = Client::builder().base_url(server.url()).token("t").no_proxy().build().unwrap();
    let day: Date = "2025-01-01".parse().unwrap();
    for keep in [true, false] {
        let call = || client.statistics().daily(day..=day, ["steps"]).options(CallOptions::new().keep_raw(keep));
        let errors = [
            call().send().await.err().unwrap(),
            call().deferred(TableId::DailyStatistics).await.err().unwrap(),
            call().table(TableId::DailyStatistics).await.err().unwrap(),
            call().tables(&[TableId::DailyStatistics]).await.err().unwrap(),
        ];
        for error in errors {
            assert_eq!(error.body().map(|kept| &kept[..]), keep.then_some(body.as_bytes()));
            assert!(!format!("{error} {error:?}").contains("canary"), "{error:?}");
        }
    }
}

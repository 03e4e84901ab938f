//! Calls that return tables.

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
async fn one_call_returns_one_table_or_several() {
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
async fn a_table_that_the_response_does_not_have_is_rejected_before_anything_is_sent() {
    let server = Server::always(json(200, NIGHT));
    let error = client(&server).sleeps().get("n").table(TableId::LabResults).await.unwrap_err();
    assert_eq!((error.kind(), error.operation()), (ErrorKind::InvalidArgument, Some("get_sleep")));
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn a_decode_error_of_a_table_names_the_json_path() {
    let server = Server::always(json(200, r#"{"start_at_timestamp":"2025-01-01T00:00:00Z"}"#));
    let error = client(&server).sleeps().get("n").table(TableId::SleepStages).await.unwrap_err();
    assert_eq!((error.kind(), error.json_path(), error.status()), (ErrorKind::Decode, Some("modified_at"), Some(200)));
}

/// Starts a service with a night without stages and samples. `fields` are additional fields.
fn night_without_rows(fields: &str) -> Server {
    Server::always(json(200, &format!(r#"{{"modified_at":"2025-01-02T00:00:00Z","start_at_timestamp":"2025-01-01T00:00:00Z"{fields}}}"#)))
}

#[tokio::test]
async fn a_table_whose_rows_were_not_requested_is_an_error() {
    let server = night_without_rows("");
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
async fn a_table_may_be_empty_if_its_rows_were_requested_or_stated() {
    // The rows are requested: the service omits the field because there are none.
    let server = night_without_rows("");
    let table = client(&server).sleeps().get("n").include_stages(true).table(TableId::SleepStages).await.unwrap();
    assert_eq!(table.len(), 0);
    // The rows are not requested, but the service sends them, or states that there are none.
    for (stages, rows) in [("[]", 0), ("null", 0), (r#"[{"stage":"rem"}]"#, 1)] {
        let server = night_without_rows(&format!(r#","stages":{stages}"#));
        assert_eq!(client(&server).sleeps().get("n").table(TableId::SleepStages).await.unwrap().len(), rows, "{stages}");
    }
}

#[tokio::test]
async fn rows_that_an_upload_did_not_request_are_unknown_for_its_record() {
    let meal = |status: &str| {
        let at = "2025-01-01T00:00:00Z";
        json(200, &format!(r#"{{"record_id":"{ID}","status":"{status}","uploaded_at":"{at}","modified_at":"{at}"}}"#))
    };
    for requested in [None, Some(true)] {
        let server = Server::always(meal("completed"));
        let mut upload = client(&server).nutrition_records().upload().body(vec![0xff, 0xd8, 0xff]);
        if let Some(requested) = requested {
            upload = upload.include_ingredients(requested);
        }
        let record = upload.and_wait().send().await.unwrap();
        let body = serde_json::to_vec(&*record).unwrap();
        let table = Table::read(TableId::NutritionIngredients, "get_nutrition_record", &body).unwrap();
        let error = table.require_requested_rows(record.metadata(), &body).err();
        let argument = error.as_ref().and_then(vitalwire::Error::argument);
        assert_eq!(argument, if requested.is_some() { None } else { Some("include_ingredients") });
    }
}

/// The upload has succeeded, so a second one would store the meal twice.
#[tokio::test]
async fn a_table_that_cannot_be_read_from_an_upload_names_the_created_record() {
    let at = "2025-01-01T00:00:00Z";
    let body = format!(r#"{{"record_id":"{ID}","status":"completed","uploaded_at":"{at}","modified_at":"{at}"}}"#);
    let server = Server::always(json(200, &body));
    let client = client(&server);
    let upload = || client.nutrition_records().upload().body(vec![0xff, 0xd8, 0xff]);
    let errors = [
        upload().table(TableId::NutritionIngredients).await.unwrap_err(),
        upload().tables(&[TableId::NutritionIngredients]).await.unwrap_err(),
    ];
    let error = upload().table_columns(TableId::NutritionRecords, &["nonsense"]).await.unwrap_err();
    assert_eq!((error.argument(), error.record_id(), error.may_have_taken_effect()), (Some("columns"), Some(ID), true));
    for error in errors {
        assert_eq!((error.argument(), error.record_id()), (Some("include_ingredients"), Some(ID)));
        assert!(error.may_have_taken_effect());
    }
}

#[tokio::test]
async fn a_lazy_response_decodes_records_on_first_use() {
    let body = r#"{"from_date":"2025-01-01","to_date":"2025-01-01","statistics":[{"date":"2025-01-01","values":{"steps":1200}}]}"#;
    let server = Server::always(json(200, body));
    let client = Client::builder().base_url(server.url()).token("t").no_proxy().build().unwrap();
    let day: Date = "2025-01-01".parse().unwrap();
    let call = || client.statistics().daily(day..=day, ["heartrate", "steps"]);
    let response = call().lazy_response(TableId::DailyStatistics).await.unwrap();
    let columns = response.columns().unwrap();
    assert_eq!((columns.len(), columns.column("heartrate").is_some(), server.requests().len()), (1, true, 1));
    let record = response.record().unwrap();
    assert_eq!(record.statistics.len(), 1);
    assert!(Arc::ptr_eq(record, response.record().unwrap()), "decoded once");
    assert_eq!(response.provenance().operation(), Some("daily_statistics"));
    assert!(response.provenance().response().unwrap().body().is_none());
    let deferred = call().options(CallOptions::new().keep_body(true)).lazy_response(TableId::DailyStatistics).await.unwrap();
    assert_eq!(deferred.provenance().response().unwrap().body().map(|raw| &raw[..]), Some(body.as_bytes()));
    let error = call().lazy_response(TableId::SleepStages).await.err().unwrap();
    assert_eq!((error.argument(), server.requests().len()), (Some("table"), 2));
}

/// With `keep_body`, the decode error has the body, however the response is read.
#[tokio::test]
async fn a_decode_error_keeps_the_body_on_request() {
    let body = r#" {"statistics":"canary-heron"}"#;
    let server = Server::always(json(200, body));
    let client = Client::builder().base_url(server.url()).token("t").no_proxy().build().unwrap();
    let day: Date = "2025-01-01".parse().unwrap();
    for keep in [true, false] {
        let call = || client.statistics().daily(day..=day, ["steps"]).options(CallOptions::new().keep_body(keep));
        let errors = [
            call().send().await.err().unwrap(),
            call().lazy_response(TableId::DailyStatistics).await.err().unwrap(),
            call().table(TableId::DailyStatistics).await.err().unwrap(),
            call().tables(&[TableId::DailyStatistics]).await.err().unwrap(),
        ];
        for error in errors {
            assert_eq!(error.body().map(|kept| &kept[..]), keep.then_some(body.as_bytes()));
            assert!(!format!("{error} {error:?}").contains("canary"), "{error:?}");
        }
    }
}

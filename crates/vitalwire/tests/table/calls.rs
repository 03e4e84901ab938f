//! Calls that are read as tables.

use vitalwire::table::TableId;
use vitalwire::{Client, ErrorKind};

use crate::rows;
use crate::support::{Server, json};

const NIGHT: &str = r#"{"modified_at":"2025-01-02T00:00:00Z","start_at_timestamp":"2025-01-01T00:00:00Z","sleep_id":"n",
    "stages":[{"stage":"rem"}],"samples":{"offsets":[0,1]}}"#;

fn client(server: &Server) -> Client {
    Client::builder().base_url(server.url()).token("health-token").build().unwrap()
}

#[tokio::test]
async fn one_call_one_table_or_several() {
    let server = Server::always(json(200, NIGHT));
    let client = client(&server);
    let stages = client.sleeps().get("n").table(TableId::SleepStages).await.unwrap();
    assert_eq!(rows(&stages, &["sleep_id", "stage"]), ["n rem"]);
    assert_eq!((stages.meta().status, stages.meta().attempts), (200, 1));
    let both = client.sleeps().get("n").tables(&[TableId::SleepSamples, TableId::SleepStages]).await.unwrap();
    assert_eq!(
        both.iter().map(|table| (table.id(), table.len())).collect::<Vec<_>>(),
        [(TableId::SleepSamples, 2), (TableId::SleepStages, 1)]
    );
    assert_eq!(server.seen().len(), 2);
}

#[tokio::test]
async fn a_table_that_is_not_in_the_answer_is_refused_before_anything_is_sent() {
    let server = Server::always(json(200, NIGHT));
    let error = client(&server).sleeps().get("n").table(TableId::LabResults).await.unwrap_err();
    assert_eq!((error.kind(), error.operation()), (ErrorKind::InvalidArgument, Some("get_sleep")));
    assert!(server.seen().is_empty());
}

#[tokio::test]
async fn an_answer_that_cannot_be_read_names_the_place_and_the_call() {
    let server = Server::always(json(200, r#"{"start_at_timestamp":"2025-01-01T00:00:00Z"}"#));
    let error = client(&server).sleeps().get("n").table(TableId::SleepStages).await.unwrap_err();
    assert_eq!((error.kind(), error.place(), error.status()), (ErrorKind::Decode, Some("modified_at"), Some(200)));
}

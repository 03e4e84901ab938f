//! JSON paths of decode errors. They contain declared names only.

use vitalwire::client::Client;
use vitalwire::error::{Error, ErrorKind};
use vitalwire_testkit::{Server, json};

use crate::api::{builder, date};

async fn error_of<T>(body: &str, send: impl AsyncFnOnce(Client) -> Result<T, Error>) -> Error {
    let server = Server::always(json(200, body));
    // Without strict lists, invalid items would be skipped.
    let error = send(builder(&server).strict_lists(true).build().unwrap()).await.err().unwrap_or_else(|| panic!("read: {body}"));
    assert_eq!((error.kind(), error.status()), (ErrorKind::Decode, Some(200)), "{body}");
    error
}

fn check_error(error: &Error, body: &str, path: &str, reason: &str) {
    assert_eq!((error.json_path(), error.reason()), (Some(path), Some(reason)), "{body}");
}

#[tokio::test]
async fn a_decode_error_of_a_sleep_names_the_path() {
    for (members, path, reason) in [
        (r#""start_at_timestamp":"2025-01-30T22:00:00Z""#, "modified_at", "missing"),
        (r#""modified_at":"2025-01-30T22:00:00Z""#, "start_at_timestamp", "missing"),
        (r#""modified_at":null,"start_at_timestamp":"2025-01-30T22:00:00Z""#, "modified_at", "expected a date-time"),
        (r#""modified_at":"2025-01-30","start_at_timestamp":"2025-01-30T22:00:00Z""#, "modified_at", "expected a date-time"),
        (r#""modified_at":1738274400,"start_at_timestamp":"2025-01-30T22:00:00Z""#, "modified_at", "expected a date-time"),
        // A series with an item of the wrong type is kept in `extra`. The error is in another field.
        (r#""samples":{"offsets":["canary"]},"modified_at":{}"#, "modified_at", "expected a date-time"),
        (r#""stages":[{"metrics":5},5],"modified_at":"2025-01-30T22:00:00Z""#, "stages[1]", "expected an object"),
        (r#""stages":["canary",{}],"modified_at":{}"#, "stages[0]", "expected an object"),
    ] {
        let body = format!("{{{members}}}");
        let error = error_of(&body, async |client| client.sleeps().get("id").await).await;
        check_error(&error, &body, path, reason);
        assert!(!format!("{error} {error:?}").contains("canary"));
    }
}

#[tokio::test]
async fn a_decode_error_of_a_list_names_the_path() {
    let good = r#"{"record_id":"a","status":"completed"}"#;
    for (item, path, reason) in [
        (r#"{"status":"completed"}"#, "[1].record_id", "missing"),
        (r#"{"record_id":"a"}"#, "[1].status", "missing"),
        (r#"{"record_id":5,"status":"completed"}"#, "[1].record_id", "expected a string"),
        (r#"{"record_id":"a","status":null}"#, "[1].status", "expected a string"),
        ("null", "[1]", "expected an object"),
        ("\"canary\"", "[1]", "expected an object"),
        (r#"{"sections":[{"results":[{},"x"]},0],"status":"b","record_id":"c"}"#, "[1].sections[0].results[1]", "expected an object"),
    ] {
        let body = format!("[{good},{item}]");
        let error = error_of(&body, async |client| client.lab_reports().list().await).await;
        check_error(&error, &body, path, reason);
        let one = error_of(item, async |client| client.lab_reports().get("id").await).await;
        let inner = path.strip_prefix("[1]").unwrap();
        let root = if inner.is_empty() { "byte 0" } else { inner };
        assert_eq!(one.json_path().unwrap_or_default(), root.strip_prefix('.').unwrap_or(root), "{item}");
        let wrapped = format!("{{\"lab_report\":{item}}}");
        let error = error_of(&wrapped, async |client| client.lab_reports().upload(b"x", "x").await).await;
        check_error(&error, &wrapped, &format!("lab_report{inner}"), reason);
    }
    let error = error_of("{}", async |client| client.lab_reports().upload(b"x", "x").await).await;
    check_error(&error, "{}", "lab_report", "missing");
}

#[tokio::test]
async fn a_decode_error_of_a_nutrition_record_names_the_path() {
    let members = [
        ("record_id", "\"a\"", "expected a string"),
        ("status", "\"pending\"", "expected a string"),
        ("uploaded_at", "\"2025-01-31T07:00:00Z\"", "expected a date-time"),
        ("modified_at", "\"2025-01-31T07:00:00Z\"", "expected a date-time"),
    ];
    for (name, _, wrong) in members {
        let body = |value: Option<&str>| {
            let fields = members.iter().filter_map(|(other, valid, _)| {
                let value = if *other == name { value? } else { valid };
                Some(format!("\"{other}\":{value}"))
            });
            format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
        };
        for (value, reason) in [(None, "missing"), (Some("null"), wrong), (Some("{}"), wrong), (Some("[1]"), wrong), (Some("true"), wrong)]
        {
            let body = body(value);
            let error = error_of(&body, async |client| client.nutrition_records().get("id").await).await;
            check_error(&error, &body, name, reason);
            let error = error_of(&body, async |client| client.nutrition_records().update("id", 1.0).await).await;
            check_error(&error, &body, name, reason);
            let list = format!("[{body}]");
            let error = error_of(&list, async |client| client.nutrition_records().list().await).await;
            check_error(&error, &list, &format!("[0].{name}"), reason);
            // `modified_at` is optional in the response to an upload.
            if name != "modified_at" {
                let error = error_of(&body, async |client| client.nutrition_records().upload().await).await;
                check_error(&error, &body, name, reason);
            }
        }
    }
}

#[tokio::test]
async fn a_decode_error_of_statistics_benefits_and_tokens_names_the_path() {
    for (body, path, reason) in [
        (r#"{"to_date":"2025-01-31","statistics":[]}"#, "from_date", "missing"),
        (r#"{"from_date":"2025-01-31","statistics":[]}"#, "to_date", "missing"),
        (r#"{"from_date":"2025-01-31","to_date":"2025-01-31"}"#, "statistics", "missing"),
        (r#"{"from_date":"2025-01-31T00:00:00Z","to_date":"2025-01-31","statistics":[]}"#, "from_date", "expected a date"),
        (r#"{"from_date":"2025-01-31","to_date":20250131,"statistics":[]}"#, "to_date", "expected a date"),
        (r#"{"from_date":"2025-01-31","to_date":"2025-01-31","statistics":{}}"#, "statistics", "expected a list"),
        (r#"{"from_date":"2025-01-31","to_date":"2025-01-31","statistics":[{},{},{},[]]}"#, "statistics[3]", "expected an object"),
        (
            r#"{"from_date":"2025-01-31","to_date":"2025-01-31","statistics":[{"record_ids":[1]},5]}"#,
            "statistics[0].record_ids[0]",
            "expected a string",
        ),
    ] {
        let error = error_of(body, async |c| c.statistics().daily(date("2025-01-31")..=date("2025-01-31"), ["steps"]).await).await;
        check_error(&error, body, path, reason);
    }
    for (body, path, reason) in [
        ("{}", "statistics", "missing"),
        (r#"{"statistics":"canary"}"#, "statistics", "expected a list"),
        (r#"{"statistics":[null]}"#, "statistics[0]", "expected an object"),
    ] {
        check_error(&error_of(body, async |c| c.statistics().interval("1h", ["steps"]).await).await, body, path, reason);
    }
    for (body, path, reason) in [
        (r#"{"status":"pending"}"#, "id", "missing"),
        (r#"{"id":"x"}"#, "status", "missing"),
        (r#"{"id":7,"status":"pending"}"#, "id", "expected a string"),
        (r#"{"id":"x","status":true}"#, "status", "expected a string"),
    ] {
        check_error(&error_of(body, async |c| c.care().benefits("a", "b", "c").await).await, body, path, reason);
    }
    check_error(&error_of("{}", async |c| c.tokens().exchange(1, "u", "00").await).await, "{}", "access_token", "missing");
    let body = r#"{"access_token":{"canary":1}}"#;
    check_error(&error_of(body, async |c| c.tokens().exchange(1, "u", "00").await).await, body, "access_token", "expected a string");
}

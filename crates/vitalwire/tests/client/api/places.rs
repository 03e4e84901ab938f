//! Where a body is wrong: the place that a decode error names, without a name that only the service knows.

use vitalwire::client::Client;
use vitalwire::error::{Error, ErrorKind};
use vitalwire_testkit::{Server, json};

use crate::api::{builder, date};

async fn error_of<T>(body: &str, send: impl AsyncFnOnce(Client) -> Result<T, Error>) -> Error {
    let server = Server::always(json(200, body));
    // An item of a list is left out otherwise, and its place is that of no error.
    let error = send(builder(&server).strict_lists(true).build().unwrap()).await.err().unwrap_or_else(|| panic!("read: {body}"));
    assert_eq!((error.kind(), error.status()), (ErrorKind::Decode, Some(200)), "{body}");
    error
}

fn check(error: &Error, body: &str, place: &str, reason: &str) {
    assert_eq!((error.json_path(), error.reason()), (Some(place), Some(reason)), "{body}");
}

#[tokio::test]
async fn in_a_sleep() {
    for (members, place, reason) in [
        (r#""start_at_timestamp":"2025-01-30T22:00:00Z""#, "modified_at", "missing"),
        (r#""modified_at":"2025-01-30T22:00:00Z""#, "start_at_timestamp", "missing"),
        (r#""modified_at":null,"start_at_timestamp":"2025-01-30T22:00:00Z""#, "modified_at", "expected a date-time"),
        (r#""modified_at":"2025-01-30","start_at_timestamp":"2025-01-30T22:00:00Z""#, "modified_at", "expected a date-time"),
        (r#""modified_at":1738274400,"start_at_timestamp":"2025-01-30T22:00:00Z""#, "modified_at", "expected a date-time"),
        // A series with an item of the wrong type is kept, and what is broken stands elsewhere.
        (r#""samples":{"offsets":["canary"]},"modified_at":{}"#, "modified_at", "expected a date-time"),
        (r#""stages":[{"metrics":5},5],"modified_at":"2025-01-30T22:00:00Z""#, "stages[1]", "expected an object"),
        (r#""stages":["canary",{}],"modified_at":{}"#, "stages[0]", "expected an object"),
    ] {
        let body = format!("{{{members}}}");
        let error = error_of(&body, async |client| client.sleeps().get("id").await).await;
        check(&error, &body, place, reason);
        assert!(!format!("{error} {error:?}").contains("canary"));
    }
}

#[tokio::test]
async fn in_a_list_of_records() {
    let good = r#"{"record_id":"a","status":"completed"}"#;
    for (item, place, reason) in [
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
        check(&error, &body, place, reason);
        let one = error_of(item, async |client| client.lab_reports().get("id").await).await;
        let inner = place.strip_prefix("[1]").unwrap();
        let root = if inner.is_empty() { "byte 0" } else { inner };
        assert_eq!(one.json_path().unwrap_or_default(), root.strip_prefix('.').unwrap_or(root), "{item}");
        let wrapped = format!("{{\"lab_report\":{item}}}");
        let error = error_of(&wrapped, async |client| client.lab_reports().upload(b"x", "x").await).await;
        check(&error, &wrapped, &format!("lab_report{inner}"), reason);
    }
    let error = error_of("{}", async |client| client.lab_reports().upload(b"x", "x").await).await;
    check(&error, "{}", "lab_report", "missing");
}

#[tokio::test]
async fn in_a_nutrition_record() {
    let members = [
        ("record_id", "\"a\"", "expected a string"),
        ("status", "\"pending\"", "expected a string"),
        ("uploaded_at", "\"2025-01-31T07:00:00Z\"", "expected a date-time"),
        ("modified_at", "\"2025-01-31T07:00:00Z\"", "expected a date-time"),
    ];
    for (name, _, wrong) in members {
        let body = |value: Option<&str>| {
            let all = members.iter().filter_map(|(other, right, _)| {
                let value = if *other == name { value? } else { right };
                Some(format!("\"{other}\":{value}"))
            });
            format!("{{{}}}", all.collect::<Vec<_>>().join(","))
        };
        for (value, reason) in [(None, "missing"), (Some("null"), wrong), (Some("{}"), wrong), (Some("[1]"), wrong), (Some("true"), wrong)]
        {
            let body = body(value);
            let error = error_of(&body, async |client| client.nutrition_records().get("id").await).await;
            check(&error, &body, name, reason);
            let error = error_of(&body, async |client| client.nutrition_records().update("id", 1.0).await).await;
            check(&error, &body, name, reason);
            let list = format!("[{body}]");
            let error = error_of(&list, async |client| client.nutrition_records().list().await).await;
            check(&error, &list, &format!("[0].{name}"), reason);
            // An upload's first answer may lack `modified_at`; of the wrong type it is kept.
            if name != "modified_at" {
                let error = error_of(&body, async |client| client.nutrition_records().upload().await).await;
                check(&error, &body, name, reason);
            }
        }
    }
}

#[tokio::test]
async fn in_statistics_benefits_and_tokens() {
    for (body, place, reason) in [
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
        check(&error, body, place, reason);
    }
    for (body, place, reason) in [
        ("{}", "statistics", "missing"),
        (r#"{"statistics":"canary"}"#, "statistics", "expected a list"),
        (r#"{"statistics":[null]}"#, "statistics[0]", "expected an object"),
    ] {
        check(&error_of(body, async |c| c.statistics().interval("1h", ["steps"]).await).await, body, place, reason);
    }
    for (body, place, reason) in [
        (r#"{"status":"pending"}"#, "id", "missing"),
        (r#"{"id":"x"}"#, "status", "missing"),
        (r#"{"id":7,"status":"pending"}"#, "id", "expected a string"),
        (r#"{"id":"x","status":true}"#, "status", "expected a string"),
    ] {
        check(&error_of(body, async |c| c.care().benefits("a", "b", "c").await).await, body, place, reason);
    }
    check(&error_of("{}", async |c| c.tokens().exchange(1, "u", "00").await).await, "{}", "access_token", "missing");
    let body = r#"{"access_token":{"canary":1}}"#;
    check(&error_of(body, async |c| c.tokens().exchange(1, "u", "00").await).await, body, "access_token", "expected a string");
}

//! Client-side validation: arguments that are rejected before anything is sent, and arguments that no check rejects.

use vitalwire::Client;
use vitalwire::client::CallOptions;
use vitalwire::error::{Error, ErrorKind};
use vitalwire_testkit::{Server, json};

use crate::api::{builder, client, date};

const RECORD: &str = r#"{"record_id":"m","status":"updated","uploaded_at":"2025-01-31T12:00:00Z","modified_at":"2025-01-31T12:00:00Z"}"#;
/// The interface says 10 MB for the image and 11 MB for the request. Both are taken as mebibytes, the larger meaning.
const IMAGE_LIMIT: usize = 10 * 1_048_576;
const REQUEST_LIMIT: usize = 11 * 1_048_576;

fn assert_rejected(error: &Error, argument: &str) {
    assert_eq!((error.kind(), error.argument(), error.attempts(), error.status()), (ErrorKind::InvalidArgument, Some(argument), 0, None));
}

fn unchecked(server: &Server) -> Client {
    builder(server).client_side_validation(false).build().unwrap()
}

#[tokio::test]
async fn a_serving_size_below_the_minimum_is_rejected() {
    let server = Server::always(json(200, RECORD));
    let client = client(&server);
    for size in [0.009, 0.0, -0.0, -1.0, 0.009_999_999_999_999_998, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let error = client.nutrition_records().update("m", size).await.unwrap_err();
        assert_rejected(&error, "serving_size");
        assert_eq!(error.operation(), Some("update_nutrition_record"));
    }
    assert_eq!(server.count(), 0, "nothing was sent");
    for size in [0.01, 0.010_000_000_000_000_002, 1.0, f64::MAX] {
        client.nutrition_records().update("m", size).await.unwrap();
    }
    assert_eq!(server.count(), 4);
}

#[tokio::test]
async fn without_checks_a_small_serving_size_is_sent_but_not_nan_or_infinity() {
    let server = Server::always(json(200, RECORD));
    let client = unchecked(&server);
    client.nutrition_records().update("m", 0.009).await.unwrap();
    client.nutrition_records().update("m", -5.0).await.unwrap();
    assert_eq!(server.requests()[0].body, b"{\"serving_size\":0.009}");
    for size in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_rejected(&client.nutrition_records().update("m", size).await.unwrap_err(), "serving_size");
    }
    assert_eq!(server.count(), 2);
}

#[tokio::test]
async fn a_call_option_overrides_client_side_validation_of_the_client() {
    let server = Server::always(json(200, RECORD));
    let text = || client(&server).nutrition_records().upload().body(b"%PDF-1.7");
    assert_rejected(&text().await.unwrap_err(), "body");
    assert_eq!(server.count(), 0, "nothing was sent");
    text().options(CallOptions::new().client_side_validation(false)).await.unwrap();
    let large = || client(&server).nutrition_records().upload().body(vec![0; REQUEST_LIMIT]);
    assert_eq!(large().await.unwrap_err().kind(), ErrorKind::TooLarge);
    large().options(CallOptions::new().client_side_validation(false)).await.unwrap();
    assert_eq!(server.count(), 2);
    let call = unchecked(&server).nutrition_records().update("m", -5.0);
    assert_rejected(&call.options(CallOptions::new().client_side_validation(true)).await.unwrap_err(), "serving_size");
}

#[tokio::test]
async fn types_must_not_be_empty() {
    let none: [&str; 0] = [];
    let daily = r#"{"from_date":"2025-01-01","to_date":"2025-01-02","statistics":[]}"#;
    let server = Server::always(json(200, daily));
    let checked = client(&server);
    let error = checked.statistics().daily(date("2025-01-01")..=date("2025-01-02"), none).await.unwrap_err();
    assert_rejected(&error, "types");
    assert_rejected(&checked.statistics().interval("1h", none).await.unwrap_err(), "types");
    assert_eq!(server.count(), 0, "nothing was sent");
    let free = unchecked(&server);
    free.statistics().daily(date("2025-01-01")..=date("2025-01-02"), none).await.unwrap();
    free.statistics().interval("1h", none).await.unwrap();
    let lines: Vec<String> = server.requests().iter().map(|seen| seen.line().to_owned()).collect();
    assert_eq!(lines[0], "GET /v3/queries/statistics/daily?from_date=2025-01-01&to_date=2025-01-02 HTTP/1.1");
    assert_eq!(lines[1], "GET /v3/queries/statistics/interval?interval=1h HTTP/1.1");
}

#[tokio::test]
async fn an_empty_optional_list_is_left_out() {
    let none: [&str; 0] = [];
    let server = Server::always(json(200, r#"{"statistics":[]}"#));
    client(&server).statistics().interval("1h", ["steps"]).providers(none).device_types(none).await.unwrap();
    assert_eq!(server.requests()[0].line(), "GET /v3/queries/statistics/interval?interval=1h&types=steps HTTP/1.1");
}

#[tokio::test]
async fn an_image_above_its_limit_is_too_large() {
    let server = Server::always(json(200, RECORD));
    let image = vec![0_u8; IMAGE_LIMIT + 1];
    let error = client(&server).nutrition_records().upload().body(image.clone()).await.unwrap_err();
    assert_eq!((error.kind(), error.attempts(), error.status()), (ErrorKind::TooLarge, 0, None));
    assert_eq!(error.operation(), Some("upload_nutrition_record"));
    // At its limit, the image is accepted, but the request with its base64 is too large.
    let at_limit = client(&server).nutrition_records().upload().body(vec![0_u8; IMAGE_LIMIT]).await.unwrap_err();
    assert_eq!(at_limit.kind(), ErrorKind::TooLarge);
    assert!(at_limit.reason().is_some() && error.reason().is_some() && at_limit.reason() != error.reason(), "{error}, {at_limit}");
    assert_eq!(server.count(), 0, "nothing was sent");
    unchecked(&server).nutrition_records().upload().body(image).await.unwrap();
    let seen = server.requests();
    // Base64 encodes three bytes as four characters: 10,485,761 bytes are 13,981,016 characters. The rest of the JSON object has 11 more.
    assert_eq!(seen[0].body.len(), 13_981_016 + 11);
}

/// `{"country_code":"...","body":"..."}` has 29 characters without its two texts. With a country of three letters and 8,650,728 bytes
/// (11,534,304 characters), the request has exactly the maximum size.
#[tokio::test]
async fn a_request_above_its_limit_is_too_large() {
    let server = Server::always(json(200, RECORD));
    let image = vec![0_u8; 8_650_728];
    let client = client(&server);
    client.nutrition_records().upload().country_code("abc").body(image.clone()).await.unwrap();
    assert_eq!(server.requests()[0].body.len(), REQUEST_LIMIT);
    let error = client.nutrition_records().upload().country_code("abcd").body(image.clone()).await.unwrap_err();
    assert_eq!((error.kind(), error.attempts(), error.status()), (ErrorKind::TooLarge, 0, None));
    assert_eq!(error.operation(), Some("upload_nutrition_record"));
    assert_eq!(server.count(), 1, "nothing else was sent");
    unchecked(&server).nutrition_records().upload().country_code("abcd").body(image).await.unwrap();
    assert_eq!(server.requests()[1].body.len(), REQUEST_LIMIT + 1);
}

/// The supplement counts 10 MB on the base64 text of a document: 7,864,320 bytes have a text of 10 MiB.
#[tokio::test]
async fn a_document_above_its_limit_is_too_large() {
    let server = Server::always(json(200, r#"{"lab_report":{"record_id":"r","status":"pending"}}"#));
    let document = vec![0_u8; 7_864_321];
    let client = client(&server);
    let error = client.lab_reports().upload(document.clone(), "x").await.unwrap_err();
    assert_eq!((error.kind(), error.argument(), error.attempts()), (ErrorKind::TooLarge, Some("body"), 0));
    assert_eq!(server.count(), 0, "nothing was sent");
    client.lab_reports().upload(document[1..].to_vec(), "x").await.unwrap();
    unchecked(&server).lab_reports().upload(document, "x").await.unwrap();
    assert_eq!(server.count(), 2);
}

/// A check never rejects an argument that some service could accept.
#[tokio::test]
async fn an_argument_that_the_interface_does_not_restrict_is_sent() {
    let server = Server::always(json(200, RECORD));
    let client = client(&server);
    client.nutrition_records().upload().await.unwrap();
    client.nutrition_records().upload().body(b"any".to_vec()).body_url("ftp://x").country_code("XXX").language_code("").await.unwrap();
    client.nutrition_records().upload().analysis_mode("slow").include_nutrition_fields(["gold_kg", "gold_kg"]).await.unwrap();
    assert_eq!(server.requests()[0].body, b"{}");
    assert_eq!(server.count(), 3);
}

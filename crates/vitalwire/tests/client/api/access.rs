//! Raw responses, response bodies, parameters built by hand, raw requests and blocking calls.

use http::Method;
use vitalwire::client::{CallOptions, Client, Service};
use vitalwire::error::ErrorKind;
use vitalwire::operations::{NutritionRecordsUpdateParams, SleepsGetParams, StatisticsDailyParams};
use vitalwire_testkit::{Server, json, response};

use crate::api::{client, date, instant, only};

const NIGHT: &str = r#"{ "modified_at":"2025-01-31T07:00:00", "start_at_timestamp":"2025-01-30T22:00:00Z" }"#;

#[tokio::test]
async fn raw_returns_the_response_as_received() {
    let server = Server::always(response(200, &[("x-request-id", "req-5"), ("x-note", "n")], b"<html>not JSON"));
    let raw = client(&server).sleeps().get("night").include_stages(true).raw().await.unwrap();
    assert_eq!(&*raw.body, b"<html>not JSON");
    assert_eq!((raw.status(), raw.meta.request_id.as_deref(), raw.meta.attempts), (200, Some("req-5"), 1));
    assert_eq!(raw.headers().get("x-note").unwrap(), "n");
    let seen = only(&server);
    assert_eq!(seen.line(), "GET /v3/queries/sleeps/night?include_stages=true HTTP/1.1");
    assert_eq!(seen.header("authorization"), Some("Bearer health-token"));
}

#[tokio::test]
async fn a_raw_call_is_checked_and_retried_like_any_other() {
    let server = Server::in_order([json(503, "{}"), json(200, "null"), json(404, "{}"), response(204, &[], b"")]);
    let client = client(&server);
    let error = client.nutrition_records().update("m", 0.0).raw().await.unwrap_err();
    assert_eq!((error.kind(), error.argument()), (ErrorKind::InvalidArgument, Some("serving_size")));
    let error = client.sleeps().get("..").raw().await.unwrap_err();
    assert_eq!((error.kind(), error.argument()), (ErrorKind::InvalidArgument, Some("sleep_id")));
    assert_eq!(server.count(), 0);
    let raw = client.lab_reports().list().raw().await.unwrap();
    assert_eq!((&*raw.body, raw.meta.attempts), (&b"null"[..], 2));
    assert_eq!(client.sleeps().get("x").raw().await.unwrap_err().kind(), ErrorKind::NotFound);
    let raw = client.integrations().delete("whoop").raw().await.unwrap();
    assert_eq!((raw.status(), raw.body.len()), (204, 0));
}

#[tokio::test]
async fn keep_body_keeps_the_body_with_the_decoded_value() {
    let server = Server::always(json(200, NIGHT));
    let client = client(&server);
    let response = client.sleeps().get("x").options(CallOptions::new().keep_body(true)).await.unwrap();
    assert_eq!(response.body().unwrap(), NIGHT.as_bytes());
    assert_eq!(response.modified_at, instant("2025-01-31T07:00:00Z"));
    assert!(client.sleeps().get("x").await.unwrap().body().is_none());
    let mapped = response.map(|night| night.start_at_timestamp);
    assert_eq!((*mapped, mapped.body().is_some()), (instant("2025-01-30T22:00:00Z"), true));
    let (start, meta) = mapped.into_parts();
    assert_eq!((start, meta.status), (instant("2025-01-30T22:00:00Z"), 200));
}

#[tokio::test]
async fn parameters_built_by_hand_send_the_same_request() {
    let server = Server::always(json(200, NIGHT));
    let client = client(&server);
    let mut parameters = SleepsGetParams::new("night");
    parameters.include_samples = Some(true);
    let options = CallOptions::new().token("own-token").query("trace", "1").header("x-trace", "t");
    let night = client.execute(parameters.clone(), &options).await.unwrap();
    assert!(night.body().is_none());
    let response = client.execute(parameters, &options.keep_body(true)).await.unwrap();
    assert_eq!(response.body().unwrap(), NIGHT.as_bytes());
    let seen = &server.requests()[0];
    assert_eq!(seen.line(), "GET /v3/queries/sleeps/night?include_samples=true&trace=1 HTTP/1.1");
    assert_eq!((seen.header("authorization"), seen.header("x-trace")), (Some("Bearer own-token"), Some("t")));

    let none = StatisticsDailyParams::new(date("2025-01-01"), date("2025-01-02"), Vec::<&str>::new());
    let error = client.execute(none, &CallOptions::new()).await.unwrap_err();
    assert_eq!((error.kind(), error.argument()), (ErrorKind::InvalidArgument, Some("types")));
    let size = NutritionRecordsUpdateParams::new("m", f64::NAN);
    assert_eq!(client.execute(size, &CallOptions::new()).await.unwrap_err().argument(), Some("serving_size"));
    assert_eq!(server.count(), 2);
}

#[tokio::test]
async fn a_raw_request_reaches_any_path() {
    let server = Server::always(json(200, r#"{"manifest":1}"#));
    let client = client(&server);
    let raw = client.request(Method::GET, Service::Health, "/v3/applicationinfo").query("a", "b c").await.unwrap();
    assert_eq!(&*raw.body, br#"{"manifest":1}"#);
    client.request(Method::GET, Service::Care, "/public/v1/other").await.unwrap();
    let seen = server.requests();
    assert_eq!(seen[0].line(), "GET /v3/applicationinfo?a=b+c HTTP/1.1");
    assert_eq!(seen[0].header("authorization"), Some("Bearer health-token"));
    assert_eq!(seen[1].header("authorization"), Some("Bearer care-token"));
}

#[cfg(feature = "blocking")]
#[test]
fn a_blocking_call_returns_the_same_result() {
    let server = Server::in_order([json(200, NIGHT), json(200, "null"), json(422, "{}")]);
    let client = client(&server);
    let night = client.sleeps().get("night").include_stages(false).send_blocking().unwrap();
    assert_eq!(night.modified_at, instant("2025-01-31T07:00:00Z"));
    assert!(client.nutrition_records().list().send_blocking().unwrap().is_empty());
    let error = client.sleeps().get("night").send_blocking().unwrap_err();
    assert_eq!((error.kind(), error.operation()), (ErrorKind::InvalidRequest, Some("get_sleep")));
    assert_eq!(server.requests()[0].line(), "GET /v3/queries/sleeps/night?include_stages=false HTTP/1.1");
}

#[cfg(feature = "blocking")]
#[tokio::test]
async fn a_blocking_call_inside_a_runtime_is_rejected() {
    let server = Server::always(json(200, NIGHT));
    let error = client(&server).sleeps().get("night").send_blocking().unwrap_err();
    assert_eq!((error.kind(), server.count()), (ErrorKind::Configuration, 0));
}

/// Timers and sockets of tokio would panic outside of its runtimes.
#[test]
fn a_call_without_a_runtime_is_a_configuration_error() {
    let client = Client::builder().base_url("http://127.0.0.1:9").build().unwrap();
    let mut call = std::pin::pin!(client.user().info().send());
    let polled = call.as_mut().poll(&mut std::task::Context::from_waker(std::task::Waker::noop()));
    let std::task::Poll::Ready(Err(error)) = polled else { panic!("an error at once") };
    assert_eq!((error.kind(), error.may_have_taken_effect()), (ErrorKind::Configuration, false));
    assert!(error.to_string().contains("tokio"), "{error}");
}

#[test]
fn debug_shows_which_parameters_are_set() {
    let client = Client::builder().base_url("http://127.0.0.1:9").build().unwrap();
    let call = format!("{:?}", client.sleeps().get("x").include_stages(false).options(CallOptions::new().token("secret")));
    assert!(call.contains("include_stages: .., include_samples: absent") && call.contains("token: .."), "{call}");
    assert!(format!("{:?}", client.sleeps().get("x")).contains("token: absent"));
}

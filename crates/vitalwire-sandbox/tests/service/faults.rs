//! Tests of all faults over a real socket, byte by byte.

use std::collections::BTreeSet;
use std::io::Read;
use std::time::{Duration, Instant};

use http::Method;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::socket::{self, RawResponse};
use super::specification::SPECIFICATION;
use super::support::{Service, ServiceResponse, TODAY};

const INFO: &str = "GET /v3/userinfo";

impl Service {
    /// Sends a request as a person, counted from 0, whose response may be changed by a fault and is not checked.
    pub(crate) async fn get_unchecked(&self, at: usize, path: &str) -> ServiceResponse {
        self.send_unchecked(self.request_as(at, Method::GET, path).build().unwrap()).await
    }
}

async fn get_with_fault(service: &Service, fault: &str) -> RawResponse {
    socket::send_as_person(service, INFO, &[("x-sandbox-fault", fault)], "").await
}

/// Returns the body of a response without a fault.
async fn undisturbed_body(service: &Service) -> Vec<u8> {
    let response = socket::send_as_person(service, INFO, &[], "").await;
    assert_eq!(response.status(), 200);
    response.body().to_vec()
}

fn content_length(response: &RawResponse) -> usize {
    response.header("content-length").unwrap().parse().unwrap()
}

#[tokio::test]
async fn a_status_comes_with_the_documented_body() {
    let service = Service::new().await;
    for (status, detail) in [(401, "expired jwt"), (422, "validation failed"), (500, "internal server error"), (418, "i'm a teapot")] {
        let response = get_with_fault(&service, &format!("status; status={status}")).await;
        assert_eq!(response.status(), status);
        assert_eq!(response.header("content-type").as_deref(), Some("application/problem+json"));
        let body = response.json();
        assert_eq!((&body["status"], &body["detail"]), (&json!(status), &json!(detail)));
        assert_eq!(content_length(&response), response.body().len());
        assert_eq!(response.header("x-synthetic-data").as_deref(), Some("true"));
    }
    let response = get_with_fault(&service, "status; status=401; detail=application not active").await;
    assert_eq!(response.json()["detail"], "application not active");
    let response = get_with_fault(&service, "status; status=502; body=html").await;
    assert_eq!((response.status(), response.header("content-type").as_deref()), (502, Some("text/html")));
    assert!(response.body().starts_with(b"<!doctype html>"));
    let response = get_with_fault(&service, "status; status=504; body=empty").await;
    assert_eq!((response.status(), response.body()), (504, &b""[..]));
}

#[tokio::test]
async fn retry_after_comes_in_both_forms() {
    let service = Service::new().await;
    for status in [429, 503] {
        let response = get_with_fault(&service, &format!("status; status={status}; retry_after=7")).await;
        assert_eq!((response.status(), response.header("retry-after").as_deref()), (status, Some("7")));
        let before = jiff::Timestamp::now().as_second();
        let response = get_with_fault(&service, &format!("status; status={status}; retry_after_date=90")).await;
        let date = response.header("retry-after").unwrap();
        // Sun, 06 Nov 1994 08:49:37 GMT: 29 characters, always GMT.
        assert!(date.len() == 29 && date.ends_with(" gmt"), "{date}");
        let at = jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(&date).unwrap().as_second();
        assert!((before + 90..=before + 95).contains(&at), "{date}");
    }
    assert_eq!(get_with_fault(&service, "status; status=503").await.header("retry-after"), None);
}

#[tokio::test]
async fn a_status_fault_skips_the_operation() {
    let service = Service::new().await;
    let body = r#"{"body":"aGVsbG8=","filename":"a.txt"}"#;
    for fault in ["status; status=500", "reset_before"] {
        let response = socket::send_as_person(
            &service,
            "POST /v3/lab_reports",
            &[("x-sandbox-fault", fault), ("content-type", "application/json")],
            body,
        )
        .await;
        assert!(response.reset || response.status() == 500, "{fault}");
    }
    let count = async || service.get("/lab_reports").await.ok().as_array().unwrap().len();
    assert_eq!(count().await, 3);
    // After a reset without a response, the operation was still executed.
    let header = [("x-sandbox-fault", "reset_after"), ("content-type", "application/json")];
    let response = socket::send_as_person(&service, "POST /v3/lab_reports", &header, body).await;
    assert!(response.reset);
    assert_eq!(response.bytes, b"");
    assert_eq!(count().await, 4);
}

#[tokio::test]
async fn a_connection_is_reset_before_after_or_within_the_response() {
    let service = Service::new().await;
    let whole = undisturbed_body(&service).await;
    for fault in ["reset_before", "reset_after"] {
        let response = get_with_fault(&service, fault).await;
        assert!(response.reset, "{fault}");
        assert_eq!(response.bytes, b"", "{fault}");
    }
    for (percent, sent) in [(0, 0), (50, whole.len() / 2), (100, whole.len())] {
        let response = get_with_fault(&service, &format!("reset_mid_body; percent={percent}")).await;
        assert!(response.reset, "{percent}");
        assert_eq!(content_length(&response), whole.len());
        assert_eq!(response.body(), &whole[..sent]);
    }
    // `reset_before` does not wait for a large body.
    let mut stream = TcpStream::connect(service.sandbox.address()).await.unwrap();
    let head = "POST /v3/lab_reports HTTP/1.1\r\nhost: localhost\r\nx-sandbox-fault: reset_before\r\ncontent-length: 1000000\r\n\r\n";
    stream.write_all(head.as_bytes()).await.unwrap();
    assert!(socket::read_to_end(&mut stream).await.reset);
}

#[tokio::test]
async fn a_truncated_body_ends_without_a_reset() {
    let service = Service::new().await;
    let whole = undisturbed_body(&service).await;
    for (percent, sent) in [(0, 0), (25, whole.len() / 4), (50, whole.len() / 2)] {
        let response = get_with_fault(&service, &format!("truncate; percent={percent}")).await;
        assert!(!response.reset, "{percent}");
        assert_eq!((content_length(&response), response.body()), (whole.len(), &whole[..sent]));
    }
    // With `then=hang`, the truncated body never ends.
    let mut stream = TcpStream::connect(service.sandbox.address()).await.unwrap();
    let token = format!("Bearer {}", service.sandbox.token());
    let headers = [("authorization", token.as_str()), ("x-sandbox-fault", "truncate; then=hang")];
    stream.write_all(&socket::request(&service, INFO, &headers, "")).await.unwrap();
    let mut bytes = Vec::new();
    let end = tokio::time::timeout(Duration::from_millis(500), stream.read_to_end(&mut bytes)).await;
    assert!(end.is_err(), "it must not end");
    assert!(bytes.ends_with(&whole[..whole.len() / 2]));
}

#[tokio::test]
async fn content_length_is_too_large_or_too_small() {
    let service = Service::new().await;
    let whole = undisturbed_body(&service).await;
    for by in [10_isize, -10] {
        let response = get_with_fault(&service, &format!("wrong_length; by={by}")).await;
        assert!(!response.reset);
        assert_eq!((content_length(&response), response.body()), (whole.len().strict_add_signed(by), &whole[..]));
    }
}

#[tokio::test]
async fn json_is_cut_or_replaced_by_html() {
    let service = Service::new().await;
    let whole = undisturbed_body(&service).await;
    let response = get_with_fault(&service, "malformed_json; percent=75").await;
    assert_eq!((response.status(), response.body()), (200, &whole[..whole.len() * 3 / 4]));
    assert_eq!(content_length(&response), response.body().len());
    assert!(serde_json::from_slice::<Value>(response.body()).is_err());
    let response = get_with_fault(&service, "html").await;
    assert_eq!((response.status(), response.header("content-type").as_deref()), (200, Some("text/html")));
    assert!(response.body().starts_with(b"<!doctype html>"));
}

#[tokio::test]
async fn a_real_response_has_unexpected_contents() {
    let service = Service::new().await;
    let before: Value = serde_json::from_slice(&undisturbed_body(&service).await).unwrap();
    let response = get_with_fault(&service, "unknown_values").await;
    let slug = |value: &Value| value["integrated_providers"][0]["provider_slug"].clone();
    assert_ne!(slug(&before), json!("synthetic_unheard_of"));
    assert_eq!(slug(&response.json()), json!("synthetic_unheard_of"));
    let response = get_with_fault(&service, "unknown_members").await.json();
    assert!(response["synthetic_new_member"].is_object() && response["integrated_providers"][0]["synthetic_new_member"].is_object());
    assert_eq!(response["uid"], before["uid"]);
    let response = get_with_fault(&service, "nulls; what=both").await.json();
    assert_eq!((&response["integrated_providers"], &response["uid"]), (&Value::Null, &Value::Null));
    let response = get_with_fault(&service, "missing_offsets").await.json();
    assert_eq!(format!("{}Z", response["created_at"].as_str().unwrap()), before["created_at"].as_str().unwrap());
    // The fault also applies to long responses, which are otherwise streamed.
    let path = "GET /v3/queries/statistics/daily?from_date=2025-01-01&to_date=2025-11-01&types=steps";
    let response = socket::send_as_person(&service, path, &[("x-sandbox-fault", "unknown_members")], "").await.json();
    assert_eq!(response["statistics"].as_array().unwrap().len(), 305);
    assert_eq!(response["statistics"][304]["values"]["synthetic_new_member"], 0.5);
    // A new series has as many numbers as the others.
    let path = format!("GET /v3/queries/sleeps/{}?include_samples=true", service.sandbox.people()[0].sleep_id(TODAY));
    let response = socket::send_as_person(&service, &path, &[("x-sandbox-fault", "unknown_members")], "").await.json();
    let series = response["samples"]["values"]["synthetic_new_member"].as_array().unwrap();
    assert!(series.len() == response["samples"]["offsets"].as_array().unwrap().len() && series.iter().all(Value::is_number));
}

#[tokio::test]
async fn a_response_is_delayed_or_slow() {
    let service = Service::new().await;
    let whole = undisturbed_body(&service).await;
    let begin = Instant::now();
    let response = get_with_fault(&service, "delay; delay_ms=300").await;
    assert!(begin.elapsed() >= Duration::from_millis(300));
    assert_eq!(response.body(), whole);
    let begin = Instant::now();
    let response = get_with_fault(&service, "status; status=500; delay_ms=200").await;
    assert!(begin.elapsed() >= Duration::from_millis(200) && response.status() == 500);

    let pieces = whole.len().div_ceil(100);
    let mut stream = TcpStream::connect(service.sandbox.address()).await.unwrap();
    let token = format!("Bearer {}", service.sandbox.token());
    let headers = [("authorization", token.as_str()), ("x-sandbox-fault", "slow; bytes=100; pause_ms=40")];
    stream.write_all(&socket::request(&service, INFO, &headers, "")).await.unwrap();
    let (mut bytes, mut reads, begin) = (Vec::new(), 0, Instant::now());
    while stream.read_buf(&mut bytes).await.unwrap() > 0 {
        reads += 1;
    }
    assert!(begin.elapsed() >= Duration::from_millis(40) * u32::try_from(pieces - 1).unwrap());
    assert!(reads >= pieces, "{reads} reads of {pieces} pieces");
    let response = RawResponse { bytes, reset: false };
    assert_eq!((content_length(&response), response.body()), (whole.len(), &whole[..]));
}

#[tokio::test]
async fn a_response_is_compressed_or_oversized() {
    let service = Service::new().await;
    let whole = undisturbed_body(&service).await;
    let unpack = |bytes: &[u8]| {
        let mut text = Vec::new();
        flate2::read::GzDecoder::new(bytes).read_to_end(&mut text).map(|_| text)
    };
    let response = get_with_fault(&service, "gzip").await;
    assert_eq!(response.header("content-encoding").as_deref(), Some("gzip"));
    assert_eq!(unpack(response.body()).unwrap(), whole);
    let response = get_with_fault(&service, "gzip; megabytes=4").await;
    assert!(response.body().len() < 100_000);
    let text = unpack(response.body()).unwrap();
    assert_eq!(text.len(), whole.len() + 4 * 1_048_576);
    assert!(text.starts_with(&whole) && text[whole.len()..].iter().all(|byte| *byte == b' '));
    let response = get_with_fault(&service, "gzip; stream=cut").await;
    assert_eq!(content_length(&response), response.body().len());
    assert!(unpack(response.body()).is_err());
    let response = get_with_fault(&service, "big_body; megabytes=3").await;
    assert_eq!(content_length(&response), whole.len() + 3 * 1_048_576);
    assert_eq!(response.body().len(), content_length(&response));
    assert_eq!(response.json(), serde_json::from_slice::<Value>(&whole).unwrap());
}

#[tokio::test]
async fn control_routes_activate_and_deactivate_faults() {
    let service = Service::new().await;
    let order = json!({"kind": "status", "status": 401, "operation": "get_user_info"});
    let response = service.control_post("/faults", &order).await;
    assert_eq!(response.status, 201);
    assert_eq!(response.json()["fault"], "status; operation=get_user_info; status=401");
    // The fault applies once, and only to its operation.
    assert_eq!(service.get("/userproperties").await.status, 200);
    assert_eq!(service.get("/userinfo").await.detail(), "expired jwt");
    assert_eq!(service.get("/userinfo").await.status, 200);

    // This fault applies twice, to one user and one route.
    let order = json!({"fault": "html; route=GET /v3/userinfo; user=person-2; times=2"});
    let id = service.control_post("/faults", &order).await.json()["id"].clone();
    assert_eq!(service.get_as(0, "/userinfo").await.headers["content-type"], "application/json");
    assert_eq!(service.get_unchecked(1, "/userinfo").await.headers["content-type"], "text/html");
    let listed = service.control_get("/faults").await.ok();
    assert_eq!(listed["faults"][0]["id"], id);
    assert_eq!((&listed["faults"][0]["left"], &listed["faults"][0]["met"]), (&json!(1), &json!(1)));
    assert_eq!(listed["faults"][0]["settings"]["user"], "person-2");
    assert_eq!(listed["known"].as_array().unwrap().len(), 16);
    let operations: BTreeSet<&str> =
        listed["operations"].as_array().unwrap().iter().map(|operation| operation["id"].as_str().unwrap()).collect();
    assert_eq!(operations, SPECIFICATION.ids());
    assert_eq!(service.send(service.control(Method::DELETE, &format!("/faults/{id}"))).await.status, 204);
    service.send(service.control(Method::DELETE, &format!("/faults/{id}"))).await.problem(404);
    service.send(service.control(Method::DELETE, "/faults/x")).await.problem(404);
    assert_eq!(service.get_as(1, "/userinfo").await.headers["content-type"], "application/json");

    service.control_post("/faults", &json!({"kind": "html", "times": "always"})).await;
    for _ in 0..3 {
        assert_eq!(service.get_unchecked(0, "/userproperties").await.headers["content-type"], "text/html");
    }
    // Faults do not apply to control routes.
    assert_eq!(service.control_get("/faults").await.ok()["faults"][0]["left"], Value::Null);
    assert_eq!(service.send(service.control(Method::DELETE, "/faults")).await.status, 204);
    service.get("/userproperties").await.ok();
}

#[tokio::test]
async fn a_request_with_the_header_meets_its_fault_at_every_attempt_and_no_other() {
    let service = Service::new().await;
    service.control_post("/faults", &json!({"kind": "status", "status": 418})).await;
    for _ in 0..3 {
        assert_eq!(get_with_fault(&service, "status; status=429").await.status(), 429);
    }
    // A fault in the header that does not match is no reason for another one.
    assert_eq!(get_with_fault(&service, "status; status=429; user=person-2").await.status(), 200);
    assert_eq!(service.get_unchecked(0, "/userinfo").await.status, 418);
}

#[tokio::test]
async fn the_api_activates_faults() {
    let service = Service::new().await;
    let faults = service.sandbox.app().faults();
    let id = faults.add("reset_after; operation=get_user_info".parse().unwrap());
    assert!(service.request_as(0, Method::GET, "/userinfo").send().await.is_err());
    service.get("/userinfo").await.ok();
    assert!(!faults.remove(id));
}

#[tokio::test]
async fn invalid_faults_are_rejected_with_the_known_names() {
    let service = Service::new().await;
    let post = async |body: Value| {
        let response = service.control_post("/faults", &body).await;
        (response.problem(422), response.text)
    };
    let (at, text) = post(json!({"kind": "earthquake"})).await;
    assert!(at == ["body.kind"] && text.contains("expected one of: delay, status, slow, "), "{text}");
    let (at, text) = post(json!({"kind": "slow", "speed": 1, "bytes": 0})).await;
    assert!(text.contains("slow has: bytes, pause_ms, operation, route, user, times, delay_ms"), "{text}");
    assert_eq!(at.len(), 2);
    let (at, text) = post(json!({"fault": "html; operation=get_rich"})).await;
    assert!(at == ["body.fault"] && text.contains("expected one of: ") && text.contains("exchange_token"), "{text}");
    for (body, location) in [
        (json!({}), "body.kind"),
        (json!([]), "body"),
        (json!({"kind": "html", "times": true}), "body.times"),
        (json!({"fault": 1}), "body.fault"),
        (json!({"fault": "html", "times": 1}), "body.times"),
    ] {
        assert_eq!(post(body).await.0, [location]);
    }
    let response = get_with_fault(&service, "earthquake").await;
    assert_eq!(response.status(), 422);
    assert_eq!(response.json()["errors"][0]["location"], "header.x-sandbox-fault");
    assert!(service.sandbox.app().faults().list().is_empty());
    // A fault for another operation or user has no effect.
    for fault in ["html; operation=get_sleep", "html; user=person-2"] {
        assert_eq!(get_with_fault(&service, fault).await.header("content-type").as_deref(), Some("application/json"), "{fault}");
    }
}

#[tokio::test]
async fn connection_faults_are_501_behind_another_server() {
    let app = vitalwire_sandbox::Sandbox::builder().app("http://localhost:1").unwrap();
    for fault in ["reset_before", "reset_after", "reset_mid_body", "truncate", "wrong_length"] {
        let request = http::Request::get("/v3/userinfo").header("x-sandbox-fault", fault).body(axum::body::Body::empty()).unwrap();
        let service = hyper_util::service::TowerToHyperService::new(app.router());
        let response = hyper::service::Service::call(&service, request).await.unwrap();
        assert_eq!(response.status(), 501, "{fault}");
    }
}

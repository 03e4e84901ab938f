//! Request log: its contents, what it leaves out, and its live stream.

use std::time::Duration;

use http::Method;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::socket;
use super::support::{Service, TIMEOUT, TODAY};

/// Waits until the log has `count` entries and returns it.
async fn log(service: &Service, count: usize) -> Vec<Value> {
    let all = async {
        loop {
            let response = service.control_get("/requests").await.ok();
            assert_eq!(response["synthetic"], true);
            let entries = response["requests"].as_array().unwrap().clone();
            if entries.len() >= count {
                return entries;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(TIMEOUT, all).await.expect("the log grows")
}

#[tokio::test]
async fn an_entry_has_the_request_and_its_outcome() {
    let service = Service::new().await;
    let night = service.sandbox.people()[0].sleep_id(TODAY);
    let response = service.get(&format!("/queries/sleeps/{night}?include_stages=true")).await;
    service.get("/lab_reports/nothing").await.problem(404);
    service.get("/nowhere/secret-path").await.problem(404);
    let long = "/queries/statistics/daily?from_date=2025-01-01&to_date=2025-11-01&types=steps";
    let long = service.get(long).await;
    service.delete("/nutrition_records/none").await;
    service.send_unchecked(service.request_as(0, Method::HEAD, "/userinfo").build().unwrap()).await;

    let entries = log(&service, 6).await;
    let first = &entries[0];
    assert_eq!((&first["number"], &first["method"], &first["status"]), (&json!(1), &json!("GET"), &json!(200)));
    assert_eq!(first["path"], "/v3/queries/sleeps/{sleep_id}");
    assert_eq!(first["operation"], "get_sleep");
    assert_eq!(first["bytes"], response.text.len());
    assert_eq!((&first["attempt"], &first["fault"], &first["closed_early"]), (&json!(1), &Value::Null, &json!(false)));
    assert_eq!(first["request_id"], response.headers["x-request-id"].to_str().unwrap());
    assert!(first["duration_ms"].as_f64().unwrap() > 0.0);
    let (at, now) = (first["at"].as_str().unwrap().parse::<jiff::Timestamp>().unwrap(), jiff::Timestamp::now());
    assert!((now.as_second() - 30..=now.as_second()).contains(&at.as_second()), "the machine's time, not the sandbox's");
    assert_eq!((&entries[1]["operation"], &entries[1]["status"]), (&json!("get_lab_report"), &json!(404)));
    assert_eq!((&entries[2]["operation"], &entries[2]["path"]), (&Value::Null, &Value::Null));
    assert_eq!((&entries[3]["bytes"], &entries[3]["closed_early"]), (&json!(long.text.len()), &json!(false)));
    assert_eq!((&entries[4]["status"], &entries[4]["bytes"], &entries[4]["closed_early"]), (&json!(204), &json!(0), &json!(false)));
    assert_eq!((&entries[5]["method"], &entries[5]["closed_early"]), (&json!("HEAD"), &json!(false)));

    // The log contains no tokens, ids, queries or unknown paths.
    let text = service.control_get("/requests").await.text;
    for secret in [service.sandbox.token(), &night, "include_stages", "secret-path", "2025-11-01", "person-1"] {
        assert!(!text.contains(secret), "{secret}");
    }
    let late = service.control_get("/requests?after=5").await.ok();
    assert_eq!((late["requests"].as_array().unwrap().len(), &late["last"], &late["forgotten"]), (1, &json!(6), &json!(0)));
    assert_eq!(service.control_get("/requests?after=x").await.problem(422), ["query.after"]);
    assert_eq!(service.control_get("/state").await.ok()["counts"]["requests"], 6);
}

#[tokio::test]
async fn a_long_log_drops_its_oldest_entries() {
    let service = Service::new().await;
    for _ in 0..1_010 {
        service.send(service.anonymous(Method::GET, "/userinfo")).await;
    }
    let response = service.control_get("/requests").await.ok();
    assert_eq!(
        (response["requests"].as_array().unwrap().len(), &response["forgotten"], &response["last"]),
        (1_000, &json!(10), &json!(1_010))
    );
}

#[tokio::test]
async fn attempts_of_one_call_are_counted() {
    let service = Service::new().await;
    service.sandbox.app().faults().add("status; status=503; times=2; operation=get_user_info".parse().unwrap());
    for status in [503, 503, 200, 200] {
        assert_eq!(service.get_unchecked(0, "/userinfo").await.status, status);
        // A different call in between does not count as an attempt.
        service.get_as(1, "/userproperties").await.ok();
    }
    let entries = log(&service, 8).await;
    let attempts = |operation: &str| -> Vec<u64> {
        entries.iter().filter(|entry| entry["operation"] == operation).map(|entry| entry["attempt"].as_u64().unwrap()).collect()
    };
    assert_eq!(attempts("get_user_info"), [1, 2, 3, 1]);
    assert_eq!(attempts("get_user_properties"), [1, 1, 1, 1]);
    assert_eq!((&entries[0]["fault"], &entries[4]["fault"]), (&json!("status"), &Value::Null));

    // Requests with the same `x-sandbox-call` are attempts of one call, even after a success.
    for _ in 0..2 {
        service.send(service.request_as(0, Method::GET, "/userinfo").header("x-sandbox-call", "one")).await.ok();
    }
    let entries = log(&service, 10).await;
    assert_eq!((&entries[8]["attempt"], &entries[9]["attempt"]), (&json!(1), &json!(2)));
}

#[tokio::test]
async fn a_fault_header_can_apply_to_the_first_attempts() {
    let service = Service::new().await;
    let ask = async || socket::send_as_person(&service, "GET /v3/userinfo", &[("x-sandbox-fault", "reset_after; times=2")], "").await;
    assert!(ask().await.reset);
    assert!(ask().await.reset);
    assert_eq!(ask().await.status(), 200);
    let entries = log(&service, 3).await;
    let seen: Vec<_> = entries.iter().map(|entry| (entry["attempt"].clone(), entry["fault"].clone(), entry["status"].clone())).collect();
    assert_eq!(seen[0], (json!(1), json!("reset_after"), Value::Null));
    assert_eq!(seen[1], (json!(2), json!("reset_after"), Value::Null));
    assert_eq!(seen[2], (json!(3), Value::Null, json!(200)));
    assert!(entries.iter().all(|entry| entry["closed_early"] == false), "we closed, not the caller");
}

#[tokio::test]
async fn logged_bytes_are_those_that_were_sent() {
    let service = Service::new().await;
    let whole = socket::send_as_person(&service, "GET /v3/userinfo", &[], "").await.body().len();
    for fault in ["truncate; percent=25", "reset_mid_body; percent=25", "wrong_length", "malformed_json; percent=25", "slow; pause_ms=1"] {
        socket::send_as_person(&service, "GET /v3/userinfo", &[("x-sandbox-fault", fault)], "").await;
    }
    let bytes: Vec<Value> = log(&service, 6).await.iter().map(|entry| entry["bytes"].clone()).collect();
    assert_eq!(bytes, [whole, whole / 4, whole / 4, whole, whole / 4, whole]);
}

#[tokio::test]
async fn a_client_that_closes_early_is_logged() {
    let service = Service::new().await;
    let token = format!("Bearer {}", service.sandbox.token());
    // The connection is closed before, during and after the response.
    for fault in ["delay; delay_ms=60000", "slow; bytes=1; pause_ms=1000", "truncate; then=hang"] {
        let mut stream = TcpStream::connect(service.sandbox.address()).await.unwrap();
        let headers = [("authorization", token.as_str()), ("x-sandbox-fault", fault)];
        stream.write_all(&socket::request(&service, "GET /v3/userinfo", &headers, "")).await.unwrap();
        if !fault.starts_with("delay") {
            stream.read_u8().await.unwrap();
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let entries = log(&service, 3).await;
    let of = |fault: &str| entries.iter().find(|entry| entry["fault"] == fault).unwrap();
    assert!(entries.iter().all(|entry| entry["closed_early"] == true));
    assert_eq!(of("delay")["status"], Value::Null);
    assert_eq!(of("slow")["status"], 200);
    assert_eq!(of("truncate")["status"], 200);
}

/// Reads a stream until it has sent a text.
async fn read_until(stream: &mut TcpStream, text: &mut String, expected: &str) {
    let all = async {
        while !text.contains(expected) {
            let mut bytes = [0; 4096];
            let count = stream.read(&mut bytes).await.unwrap();
            assert!(count > 0, "the stream ended: {text}");
            text.push_str(&String::from_utf8_lossy(&bytes[..count]));
        }
    };
    tokio::time::timeout(TIMEOUT, all).await.unwrap_or_else(|_| panic!("no {expected}"));
}

#[tokio::test]
async fn the_log_is_streamed_as_it_grows() {
    let service = Service::new().await;
    service.get("/userinfo").await.ok();
    let mut stream = TcpStream::connect(service.sandbox.address()).await.unwrap();
    stream.write_all(&socket::request(&service, "GET /_sandbox/requests/stream", &[], "")).await.unwrap();
    let mut text = String::new();
    read_until(&mut stream, &mut text, "\"get_user_info\"").await;
    assert!(text.to_lowercase().contains("content-type: text/event-stream"));
    assert!(text.contains("x-synthetic-data: true"));
    assert!(text.contains("id: 1\nevent: request\ndata: {"));
    assert!(!text.contains("get_user_properties"));
    service.get("/userproperties").await.ok();
    read_until(&mut stream, &mut text, "\"get_user_properties\"").await;
    assert!(text.contains("id: 2\n"));
    // A reader that reconnects receives only new requests.
    let mut reconnected = TcpStream::connect(service.sandbox.address()).await.unwrap();
    reconnected.write_all(&socket::request(&service, "GET /_sandbox/requests/stream", &[("last-event-id", "1")], "")).await.unwrap();
    let mut text = String::new();
    read_until(&mut reconnected, &mut text, "\"get_user_properties\"").await;
    assert!(!text.contains("get_user_info"));
    // A number from before a restart: the reader receives all requests.
    let mut restarted = TcpStream::connect(service.sandbox.address()).await.unwrap();
    restarted.write_all(&socket::request(&service, "GET /_sandbox/requests/stream", &[("last-event-id", "700")], "")).await.unwrap();
    read_until(&mut restarted, &mut String::new(), "\"get_user_info\"").await;
    // Streams are not logged and do not delay the shutdown.
    assert_eq!(service.sandbox.app().requests().last(), 2);
    let begin = std::time::Instant::now();
    service.sandbox.shutdown().await;
    // Requests in flight would delay the shutdown by 3 s.
    assert!(begin.elapsed() < Duration::from_secs(3), "{:?}", begin.elapsed());
}

#[tokio::test]
async fn clearing_the_log_restarts_its_numbers() {
    let service = Service::new().await;
    service.sandbox.app().faults().add("status; status=503; times=always; operation=get_user_properties".parse().unwrap());
    service.get("/userinfo").await.ok();
    service.get_unchecked(0, "/userproperties").await;
    log(&service, 2).await;
    let mut stream = TcpStream::connect(service.sandbox.address()).await.unwrap();
    stream.write_all(&socket::request(&service, "GET /_sandbox/requests/stream", &[], "")).await.unwrap();
    let mut text = String::new();
    read_until(&mut stream, &mut text, "id: 2\n").await;
    assert!(!text.contains("cleared"));
    let clear = service.send(service.control(Method::DELETE, "/requests")).await;
    assert_eq!((clear.status.as_u16(), clear.text.as_str()), (204, ""));
    let empty = service.control_get("/requests").await.ok();
    assert_eq!((&empty["requests"], &empty["last"], &empty["forgotten"]), (&json!([]), &json!(0), &json!(0)));
    assert_eq!(service.control_get("/state").await.ok()["counts"]["requests"], 0);
    // Attempts are cleared too.
    service.get_unchecked(0, "/userproperties").await;
    let entries = log(&service, 1).await;
    assert_eq!((&entries[0]["number"], &entries[0]["attempt"]), (&json!(1), &json!(1)));
    // The open stream reports the clearing and continues.
    let mut text = String::new();
    read_until(&mut stream, &mut text, "id: 1\n").await;
    assert!(text.contains("event: cleared\ndata: {}\n\n"), "{text}");
    service.send(service.control(Method::DELETE, "/requests").header("origin", "http://evil.test")).await.problem(403);
    assert_eq!(service.sandbox.app().requests().last(), 1);
}

#[tokio::test]
async fn the_number_of_streams_is_limited() {
    let service = Service::new().await;
    let mut open = Vec::new();
    for _ in 0..32 {
        let mut stream = TcpStream::connect(service.sandbox.address()).await.unwrap();
        stream.write_all(&socket::request(&service, "GET /_sandbox/requests/stream", &[], "")).await.unwrap();
        read_until(&mut stream, &mut String::new(), "retry: 1000").await;
        open.push(stream);
    }
    service.control_get("/requests/stream").await.problem(503);
    drop(open);
    let freed = async {
        loop {
            let response = service.control(Method::GET, "/requests/stream").send().await.unwrap();
            if response.status() == 200 {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(TIMEOUT, freed).await.expect("closed streams make room");
}

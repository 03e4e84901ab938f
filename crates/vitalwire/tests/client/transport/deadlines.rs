//! Tests of the three deadlines and of dropping a call.

use std::net::TcpListener;
use std::time::{Duration, Instant};

use vitalwire::client::{CallOptions, Client};
use vitalwire::error::ErrorKind;
use vitalwire::operation::DeadlineClass;
use vitalwire_testkit::{Reply, Server, json, response_bytes};

use crate::transport::{builder, client, get, upload};

const SHORT: Duration = Duration::from_millis(150);
/// A longer duration means that the deadline had no effect.
const FAR: Duration = Duration::from_secs(10);
/// Long enough for an immediate response even on a busy machine.
const AMPLE: Duration = Duration::from_secs(2);

fn hanging() -> Server {
    Server::always(Reply::SendAndHang(Vec::new()))
}

#[tokio::test]
async fn an_attempt_ends_at_its_deadline_and_is_retried() {
    let server = Server::in_order([Reply::SendAndHang(Vec::new()), json(200, "{}")]);
    let started = Instant::now();
    let response = get(&client(&server)).options(CallOptions::new().attempt_timeout(AMPLE)).await.unwrap();
    assert_eq!(response.meta.attempts, 2);
    assert!((AMPLE..FAR).contains(&started.elapsed()));
    assert!((AMPLE..FAR).contains(&response.meta.elapsed));

    let server = hanging();
    let error = get(&builder(&server).attempt_timeout(SHORT).build().unwrap()).await.unwrap_err();
    assert_eq!((error.kind(), error.attempts(), server.count_at_least(3).await), (ErrorKind::Timeout, 3, 3));
    assert_eq!(error.to_string(), "timeout: the attempt's deadline passed, GET (raw), 3 attempts");
}

#[tokio::test]
async fn a_call_ends_at_its_total_deadline() {
    let server = hanging();
    let started = Instant::now();
    let error = get(&builder(&server).timeout(SHORT).build().unwrap()).await.unwrap_err();
    assert!((SHORT..FAR).contains(&started.elapsed()));
    assert_eq!((error.kind(), error.status(), error.attempts(), server.count_at_least(1).await), (ErrorKind::Timeout, None, 1, 1));
    assert_eq!(error.reason(), Some("the call's total deadline passed"));
}

#[tokio::test]
async fn the_total_deadline_applies_to_all_attempts_together() {
    let server = hanging();
    let options = CallOptions::new().attempt_timeout(AMPLE / 2).timeout(AMPLE * 5 / 4).max_retries(50);
    let started = Instant::now();
    let error = get(&client(&server)).options(options).await.unwrap_err();
    // Two and a half attempts, or fewer on a busy machine.
    assert_eq!(error.kind(), ErrorKind::Timeout);
    assert!((2..=3).contains(&error.attempts()), "{error}");
    assert!((AMPLE..FAR).contains(&started.elapsed()));
}

#[tokio::test]
async fn uploads_have_their_own_deadline() {
    let slow = || Server::always(Reply::SendAndHang(Vec::new()));
    let server = slow();
    let client = builder(&server).attempt_timeout(FAR).timeout(FAR).upload_timeout(SHORT).build().unwrap();
    let started = Instant::now();
    let error = upload(&client, "{}").deadline_class(DeadlineClass::Long).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Timeout);
    assert!(started.elapsed() < FAR);
}

/// A server that accepts TCP connections but never responds to TLS.
fn mute() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("https://{}", listener.local_addr().unwrap());
    (listener, url)
}

#[tokio::test]
async fn a_connect_deadline_can_be_set_per_client_and_per_call() {
    let (_listener, url) = mute();
    let client = |connect| Client::builder().base_url(&url).token("t").no_proxy().max_retries(0).connect_timeout(connect).build().unwrap();
    let measure = async |client: &Client, options| {
        let started = Instant::now();
        let error = get(client).options(options).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Timeout);
        assert_eq!(error.reason(), Some("the connect deadline passed"));
        started.elapsed()
    };
    let own = measure(&client(SHORT), CallOptions::new()).await;
    assert!((SHORT..FAR).contains(&own), "{own:?}");
    let shorter = measure(&client(FAR * 2), CallOptions::new().connect_timeout(SHORT)).await;
    assert!((SHORT..FAR).contains(&shorter), "{shorter:?}");
    let longer = measure(&client(SHORT / 2), CallOptions::new().connect_timeout(SHORT * 4)).await;
    assert!((SHORT * 4..FAR).contains(&longer), "{longer:?}");
}

#[tokio::test]
async fn an_upload_is_retried_after_a_connect_timeout() {
    let (_listener, url) = mute();
    let client = Client::builder().base_url(url).token("t").no_proxy().connect_timeout(SHORT).retry_delay_scale(0.0).build().unwrap();
    assert_eq!(upload(&client, "{}").await.unwrap_err().attempts(), 3);
}

#[tokio::test]
async fn an_incomplete_body_is_a_timeout_with_status_and_request_id() {
    let part = response_bytes(200, &[("x-request-id", "req-7"), ("content-length", "100")], b"[1,2");
    let server = Server::always(Reply::SendAndHang(part));
    let options = CallOptions::new().attempt_timeout(AMPLE).max_retries(0);
    let error = get(&client(&server)).options(options).await.unwrap_err();
    assert_eq!((error.kind(), error.status(), error.request_id()), (ErrorKind::Timeout, Some(200), Some("req-7")));
}

#[tokio::test]
async fn an_error_with_an_incomplete_body_keeps_its_kind() {
    let part = response_bytes(403, &[("content-length", "100")], b"{\"detail\"");
    let server = Server::always(Reply::SendAndHang(part));
    let error = get(&client(&server)).options(CallOptions::new().attempt_timeout(AMPLE)).await.unwrap_err();
    assert_eq!((error.kind(), error.status(), error.attempts()), (ErrorKind::Permission, Some(403), 1));
}

#[tokio::test]
async fn dropping_a_call_closes_its_connection() {
    let part = response_bytes(200, &[("content-length", "100")], b"[1,2");
    for reply in [Reply::SendAndHang(Vec::new()), Reply::SendAndHang(part)] {
        let server = Server::always(reply);
        let call = tokio::spawn(get(&client(&server)).send());
        server.wait_for(1).await;
        // The response head, if any, needs time to arrive.
        tokio::time::sleep(Duration::from_millis(50)).await;
        call.abort();
        let _ = call.await;
        // The benchmark checks the limit of 250 ms. Here the machine may be busy.
        server.wait_for_close().expect("the server sees the closed connection");
        assert_eq!(server.count(), 1);
    }
}

/// By default, only the two uploads may take long.
#[test]
fn only_uploads_have_the_long_deadline() {
    for operation in vitalwire::OPERATIONS {
        let expected = if operation.method_name == "upload" { DeadlineClass::Long } else { DeadlineClass::Short };
        assert_eq!(operation.deadline, expected, "{}", operation.id);
    }
}

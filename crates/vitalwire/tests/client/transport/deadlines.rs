//! The three deadlines, and cancelling.

use std::net::TcpListener;
use std::time::{Duration, Instant};

use vitalwire::client::{CallOptions, Client};
use vitalwire::error::ErrorKind;
use vitalwire::operation::DeadlineClass;
use vitalwire_testkit::{Reply, Server, response_bytes, json};

use crate::transport::{builder, client, get, upload};

const SHORT: Duration = Duration::from_millis(150);
/// Anything that takes this long was not cut off where it should have been.
const FAR: Duration = Duration::from_secs(10);
/// Long enough for an answer that comes at once, on a busy machine too.
const AMPLE: Duration = Duration::from_secs(2);

fn hanging() -> Server {
    Server::always(Reply::SendAndHang(Vec::new()))
}

#[tokio::test]
async fn an_attempt_ends_at_its_deadline_and_is_tried_again() {
    let server = Server::in_order([Reply::SendAndHang(Vec::new()), json(200, "{}")]);
    let started = Instant::now();
    let answer = get(&client(&server)).options(CallOptions::new().attempt_timeout(AMPLE)).await.unwrap();
    assert_eq!(answer.meta.attempts, 2);
    assert!((AMPLE..FAR).contains(&started.elapsed()));
    assert!((AMPLE..FAR).contains(&answer.meta.elapsed));

    let server = hanging();
    let error = get(&builder(&server).attempt_timeout(SHORT).build().unwrap()).await.unwrap_err();
    assert_eq!((error.kind(), error.attempts(), server.count_at_least(3).await), (ErrorKind::Timeout, 3, 3));
    assert_eq!(error.to_string(), "timeout: the attempt's deadline passed, GET (raw), 3 attempts");
}

#[tokio::test]
async fn the_call_ends_at_its_total_deadline() {
    let server = hanging();
    let started = Instant::now();
    let error = get(&builder(&server).timeout(SHORT).build().unwrap()).await.unwrap_err();
    assert!((SHORT..FAR).contains(&started.elapsed()));
    assert_eq!((error.kind(), error.status(), error.attempts(), server.count_at_least(1).await), (ErrorKind::Timeout, None, 1, 1));
    assert_eq!(error.reason(), Some("the call's total deadline passed"));
}

#[tokio::test]
async fn the_total_deadline_bounds_all_attempts_together() {
    let server = hanging();
    let options = CallOptions::new().attempt_timeout(AMPLE / 2).timeout(AMPLE * 5 / 4).max_retries(50);
    let started = Instant::now();
    let error = get(&client(&server)).options(options).await.unwrap_err();
    // Two whole attempts and the half of one; fewer, where a busy machine takes longer for each.
    assert_eq!(error.kind(), ErrorKind::Timeout);
    assert!((2..=3).contains(&error.attempts()), "{error}");
    assert!((AMPLE..FAR).contains(&started.elapsed()));
}

#[tokio::test]
async fn uploads_have_deadlines_of_their_own() {
    let slow = || Server::always(Reply::SendAndHang(Vec::new()));
    let server = slow();
    let client = builder(&server).attempt_timeout(FAR).timeout(FAR).upload_timeout(SHORT).build().unwrap();
    let started = Instant::now();
    let error = upload(&client, "{}").deadline_class(DeadlineClass::Long).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Timeout);
    assert!(started.elapsed() < FAR);
}

/// A server that takes TCP connections and never says a word of TLS.
fn mute() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("https://{}", listener.local_addr().unwrap());
    (listener, url)
}

#[tokio::test]
async fn connecting_has_a_deadline_and_each_call_may_set_its_own() {
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
async fn a_connect_timeout_never_left_so_even_an_upload_is_tried_again() {
    let (_listener, url) = mute();
    let client = Client::builder().base_url(url).token("t").no_proxy().connect_timeout(SHORT).retry_delay_scale(0.0).build().unwrap();
    assert_eq!(upload(&client, "{}").await.unwrap_err().attempts(), 3);
}

#[tokio::test]
async fn a_body_that_stops_is_a_timeout_that_knows_its_answer() {
    let part = response_bytes(200, &[("x-request-id", "req-7"), ("content-length", "100")], b"[1,2");
    let server = Server::always(Reply::SendAndHang(part));
    let options = CallOptions::new().attempt_timeout(AMPLE).max_retries(0);
    let error = get(&client(&server)).options(options).await.unwrap_err();
    assert_eq!((error.kind(), error.status(), error.request_id()), (ErrorKind::Timeout, Some(200), Some("req-7")));
}

#[tokio::test]
async fn an_error_whose_body_stops_keeps_its_kind() {
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
        // Time for the head to arrive, where there is one.
        tokio::time::sleep(Duration::from_millis(50)).await;
        call.abort();
        let _ = call.await;
        // That it takes at most 250 ms is a gate of the benchmark: here the machine may be busy.
        server.wait_for_close().expect("the server sees the end of it");
        assert_eq!(server.count(), 1);
    }
}

/// The two uploads may be waited for; nothing else takes long by default.
#[test]
fn uploads_alone_have_the_long_deadlines() {
    for operation in vitalwire::OPERATIONS {
        let expected = if operation.method_name == "upload" { DeadlineClass::Long } else { DeadlineClass::Short };
        assert_eq!(operation.deadline, expected, "{}", operation.id);
    }
}

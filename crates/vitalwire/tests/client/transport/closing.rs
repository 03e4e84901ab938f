//! Tests of closing a client. New calls fail, and calls in flight complete or are aborted.

use std::time::Duration;

use vitalwire::client::CloseMode;
use vitalwire::error::ErrorKind;
use vitalwire_testkit::{Reply, Server, json, response_bytes};

use super::{client, get, upload};

/// A response that keeps its connection open, so that the server sees when the client closes it.
fn keep_alive(status: u16, body: &str) -> Reply {
    Reply::SendAndHang(response_bytes(status, &[], body.as_bytes()))
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_of_all_clones_fail_after_close_without_a_request() {
    for mode in [CloseMode::Drain, CloseMode::Abort] {
        let server = Server::always(keep_alive(200, "{}"));
        let client = client(&server);
        let other = client.clone();
        get(&client).await.unwrap();
        assert!(!other.is_closed());
        client.close(mode);
        client.close(CloseMode::Abort);
        assert!(other.is_closed());
        let info = other.user().info().await.unwrap_err();
        assert_eq!((info.kind(), info.code(), info.attempts(), info.operation()), (ErrorKind::Closed, 1602, 0, Some("get_user_info")));
        let raw = upload(&client, "{}").await.unwrap_err();
        assert_eq!((raw.kind(), raw.may_have_taken_effect(), raw.is_transient()), (ErrorKind::Closed, false, false));
        let waited = other.nutrition_records().wait_for("n-1").await.unwrap_err();
        assert_eq!((waited.error().kind(), waited.record_id()), (ErrorKind::Closed, None));
        assert_eq!(server.count(), 1);
        // The only connection of the client was idle.
        assert!(server.wait_for_close().is_some());
        assert!(!format!("{client:?} {info} {info:?}").contains("token-0"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_running_call_continues_with_its_retries() {
    let server = Server::with_script(|_, number| if number == 0 { json(503, "{}") } else { keep_alive(200, "[1]") });
    let client = super::builder(&server).retry_delay_scale(1.0).build().unwrap();
    let (response, ()) = futures_util::future::join(get(&client).send(), async {
        server.wait_for(1).await;
        client.close(CloseMode::Drain);
    })
    .await;
    assert_eq!((&response.unwrap().body[..], server.count()), (&b"[1]"[..], 2));
    assert!(server.wait_for_close().is_some(), "the connection of the last call is closed");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_running_call_is_ended_and_reports_its_possible_effect() {
    // `Abort` also aborts the calls that an earlier `Finish` allowed to complete.
    for first in [CloseMode::Drain, CloseMode::Abort] {
        let server = Server::always(Reply::SendAndHang(Vec::new()));
        let client = client(&server);
        let (outcome, ()) = futures_util::future::join(upload(&client, "{}").send(), async {
            server.wait_for(1).await;
            client.close(first);
            client.close(CloseMode::Abort);
        })
        .await;
        let error = outcome.unwrap_err();
        assert_eq!((error.kind(), error.attempts(), error.may_have_taken_effect()), (ErrorKind::Closed, 1, true));
        assert!(server.wait_for_close().is_some());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wait_continues_or_reports_its_record() {
    const UPLOADED: &str = r#"{"record_id":"n-1","status":"pending","uploaded_at":"2025-01-31T06:30:00Z"}"#;
    const DONE: &str =
        r#"{"record_id":"n-1","status":"completed","uploaded_at":"2025-01-31T06:30:00Z","modified_at":"2025-01-31T06:31:00Z"}"#;
    for mode in [CloseMode::Drain, CloseMode::Abort] {
        let server = Server::with_script(|request, _| json(200, if request.line().starts_with("POST") { UPLOADED } else { DONE }));
        let client = client(&server);
        let pause = Duration::from_millis(400);
        let wait = client.nutrition_records().upload().body(b"\xff\xd8\xff").and_wait().interval(pause, pause);
        let (outcome, ()) = futures_util::future::join(wait.send(), async {
            server.wait_for(1).await;
            tokio::time::sleep(pause / 4).await;
            client.close(mode);
        })
        .await;
        match mode {
            CloseMode::Abort => {
                let error = outcome.unwrap_err();
                assert_eq!((error.error().kind(), error.record_id(), server.count()), (ErrorKind::Closed, Some("n-1"), 1));
                assert!(error.error().may_have_taken_effect());
            }
            _ => assert_eq!((outcome.unwrap().record_id.as_str(), server.count()), ("n-1", 2)),
        }
    }
}

#[cfg(feature = "blocking")]
#[test]
fn close_ends_a_blocking_call() {
    let server = Server::always(Reply::SendAndHang(Vec::new()));
    let client = client(&server);
    let closer = client.clone();
    std::thread::scope(|scope| {
        let blocked = scope.spawn(|| get(&client).send_blocking());
        server.wait_for_blocking(1);
        closer.close(CloseMode::Abort);
        assert_eq!(blocked.join().unwrap().unwrap_err().kind(), ErrorKind::Closed);
    });
    assert_eq!(get(&client).send_blocking().unwrap_err().kind(), ErrorKind::Closed);
}

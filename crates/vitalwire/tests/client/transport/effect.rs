//! What a caller knows after a failure: whether the request may have taken effect, and how far a call came that was ended.

use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

use http::Method;
use vitalwire::client::{CallOptions, CancelToken, Client, Service, Token, TokenReason};
use vitalwire::error::{BoxError, Error, ErrorKind};
use vitalwire::operation::RetryClass;
use vitalwire_testkit::{Reply, Server, response_bytes, json};

use crate::transport::{CLASSES, builder, client, of_class, upload};

/// Whether the failed call of each class may have taken effect: safe, idempotent, once.
async fn effects(make: impl Fn() -> (Client, Option<Server>), options: &CallOptions) -> [bool; 3] {
    let mut effects = [false; 3];
    for (effect, class) in effects.iter_mut().zip(CLASSES) {
        let (client, _server) = make();
        let error = of_class(&client, class).options(options.clone()).await.unwrap_err();
        *effect = error.may_have_taken_effect();
        assert_eq!(error.to_string().contains("it may have taken effect"), *effect, "{error}");
        if class == RetryClass::Once {
            assert!(!(*effect && error.is_transient()), "{error}");
        }
    }
    effects
}

const SURELY_NOT: [bool; 3] = [false, false, false];
/// A read has no effect, whatever becomes of it.
const PERHAPS: [bool; 3] = [false, true, true];

#[tokio::test]
async fn an_answer_says_whether_the_request_was_carried_out() {
    let statuses = [(400, SURELY_NOT), (401, SURELY_NOT), (403, SURELY_NOT), (404, SURELY_NOT), (409, SURELY_NOT), (413, SURELY_NOT)];
    let unsure = [(302, PERHAPS), (408, PERHAPS), (500, PERHAPS), (502, PERHAPS), (503, PERHAPS), (504, PERHAPS)];
    for (status, expected) in statuses.into_iter().chain([(422, SURELY_NOT), (429, SURELY_NOT)]).chain(unsure) {
        let make = || {
            let server = Server::always(json(status, "{}"));
            (client(&server), Some(server))
        };
        assert_eq!(effects(make, &CallOptions::new()).await, expected, "{status}");
    }
}

#[tokio::test]
async fn a_broken_connection_leaves_it_open_and_a_refused_one_does_not() {
    let served = |reply: Reply| {
        move || {
            let server = Server::always(reply.clone());
            (client(&server), Some(server))
        }
    };
    let none = CallOptions::new();
    assert_eq!(effects(served(Reply::Close), &none).await, PERHAPS);
    let cut = response_bytes(200, &[("content-length", "100")], b"{}");
    assert_eq!(effects(served(Reply::SendAndClose(cut)), &none).await, PERHAPS);
    // The success was there; what it says was too large to keep.
    assert_eq!(effects(served(json(200, "[1,2,3,4]")), &CallOptions::new().max_response_bytes(3)).await, PERHAPS);
    let refused = || {
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        (Client::builder().base_url(format!("http://{address}")).token("t").no_proxy().retry_delay_scale(0.01).build().unwrap(), None)
    };
    assert_eq!(effects(refused, &none).await, SURELY_NOT);
    let unknown = || {
        (Client::builder().base_url("https://no-such-host.invalid").token("t").no_proxy().retry_delay_scale(0.01).build().unwrap(), None)
    };
    assert_eq!(effects(unknown, &none).await, SURELY_NOT);
}

#[tokio::test]
async fn a_deadline_counts_from_when_something_was_sent() {
    let hang = || {
        let server = Server::always(Reply::SendAndHang(Vec::new()));
        (client(&server), Some(server))
    };
    let options = CallOptions::new().timeout(Duration::from_millis(300));
    assert_eq!(effects(hang, &options).await, PERHAPS);
    let attempt = CallOptions::new().attempt_timeout(Duration::from_millis(200)).max_retries(0);
    assert_eq!(effects(hang, &attempt).await, PERHAPS);
    assert_eq!(effects(hang, &CallOptions::new().timeout(Duration::ZERO)).await, SURELY_NOT);
}

/// An attempt that may have been carried out is not forgotten when a later one is refused.
#[tokio::test]
async fn a_later_refusal_does_not_take_back_what_an_earlier_attempt_may_have_done() {
    let server = Server::in_order([Reply::Close, json(403, "{}")]);
    let error = of_class(&client(&server), RetryClass::Idempotent).await.unwrap_err();
    assert_eq!((error.kind(), error.attempts(), error.may_have_taken_effect()), (ErrorKind::Permission, 2, true));
}

#[tokio::test]
async fn what_is_refused_here_was_not_sent() {
    let server = Server::always(json(200, "{}"));
    let error = client(&server).request(Method::POST, Service::Health, "no path").json(&1).await.unwrap_err();
    assert_eq!((error.may_have_taken_effect(), error.attempts(), server.count()), (false, 0, 0));
}

/// Ends a call as soon as the server has the request.
async fn cancelled(client: &Client, class: RetryClass, server: &Server, requests: usize) -> Error {
    let token = CancelToken::new();
    let call = of_class(client, class).options(CallOptions::new().cancel_token(&token)).send();
    let (outcome, ()) = futures_util::future::join(call, async {
        server.wait_for(requests).await;
        token.cancel();
    })
    .await;
    outcome.unwrap_err()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_call_knows_what_it_did() {
    for (class, effect) in CLASSES.into_iter().zip(PERHAPS) {
        let server = Server::always(Reply::SendAndHang(Vec::new()));
        let error = cancelled(&client(&server), class, &server, 1).await;
        assert_eq!((error.kind(), error.attempts(), error.operation(), error.status()), (ErrorKind::Cancelled, 1, Some("raw"), None));
        assert_eq!((error.may_have_taken_effect(), error.is_transient()), (effect, false), "{class:?}");
        assert!(server.wait_for_close().is_some());
    }
    // Within the answer, and between two attempts, the last status is known.
    let server = Server::always(Reply::SendAndHang(response_bytes(200, &[("content-length", "100")], b"{}")));
    let token = CancelToken::new();
    let call = upload(&client(&server), "{}").options(CallOptions::new().cancel_token(&token)).send();
    let (outcome, ()) = futures_util::future::join(call, async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        token.cancel();
    })
    .await;
    let error = outcome.unwrap_err();
    assert_eq!((error.attempts(), error.status(), error.may_have_taken_effect()), (1, Some(200), true));
    let server = Server::always(json(503, "{}"));
    let slow = builder(&server).retry_delay_scale(1000.0).timeout(Duration::MAX).build().unwrap();
    let token = CancelToken::new();
    let call = of_class(&slow, RetryClass::Safe).options(CallOptions::new().cancel_token(&token)).send();
    let (outcome, ()) = futures_util::future::join(call, async {
        server.wait_for(1).await;
        tokio::time::sleep(Duration::from_millis(100)).await;
        token.cancel();
    })
    .await;
    let error = outcome.unwrap_err();
    assert_eq!((error.kind(), error.attempts(), error.status(), server.count()), (ErrorKind::Cancelled, 1, Some(503), 1));
}

#[tokio::test]
async fn what_is_cancelled_before_is_never_sent() {
    let server = Server::always(json(200, "{}"));
    let token = CancelToken::new();
    token.child().cancel();
    assert!(!token.is_cancelled());
    let child = token.child();
    token.cancel();
    let error = upload(&client(&server), "{}").options(CallOptions::new().cancel_token(&child)).await.unwrap_err();
    assert_eq!((error.kind(), error.attempts(), error.may_have_taken_effect()), (ErrorKind::Cancelled, 0, false));
    assert_eq!((error.operation(), server.count()), (Some("raw"), 0));
}

/// A provider that blocks its thread: no timer can end it.
fn overrunning(server: &Server, asked: &Arc<AtomicUsize>, time: Duration) -> Client {
    let asked = Arc::clone(asked);
    let provider = move |_: TokenReason| {
        let number = asked.fetch_add(1, Ordering::SeqCst);
        std::thread::sleep(time);
        // Used up at once: each call asks.
        async move { Ok::<_, BoxError>(Token::expiring(&format!("token-{number}"), SystemTime::now())) }
    };
    builder(server).token_provider(provider).build().unwrap()
}

#[tokio::test]
async fn nothing_begins_after_the_deadline() {
    let server = Server::always(json(200, "{}"));
    let asked = Arc::new(AtomicUsize::new(0));
    let client = overrunning(&server, &asked, Duration::from_millis(80));
    let options = CallOptions::new().timeout(Duration::from_millis(40));
    for class in CLASSES {
        let error = of_class(&client, class).options(options.clone()).await.unwrap_err();
        assert_eq!((error.kind(), error.attempts(), error.may_have_taken_effect()), (ErrorKind::Timeout, 0, false), "{class:?}");
        // With time again the connection is there: the next class meets a kept one, and must not use it too late.
        of_class(&client, class).await.unwrap();
        asked.store(0, Ordering::SeqCst);
    }
    assert_eq!(server.count(), 3);
}

/// The refused token's successor comes too late: neither the request nor the provider is asked a second time.
#[tokio::test]
async fn no_token_is_asked_for_after_the_deadline() {
    let server = Server::always(json(401, "{}"));
    let asked = Arc::new(AtomicUsize::new(0));
    let client = overrunning(&server, &asked, Duration::from_millis(400));
    let options = CallOptions::new().timeout(Duration::from_millis(700));
    let error = upload(&client, "{}").options(options).await.unwrap_err();
    // The first token took 400 ms; the second was begun within the deadline and came after it.
    assert_eq!((error.kind(), error.attempts(), error.status()), (ErrorKind::Timeout, 1, Some(401)));
    assert_eq!((asked.load(Ordering::SeqCst), server.count(), error.may_have_taken_effect()), (2, 1, false));
}

/// A success of another number is one: the record is there.
#[tokio::test]
async fn any_success_that_decodes_is_one() {
    for status in [200, 201, 202, 203, 206] {
        let body = r#"{"record_id":"n-1","status":"pending","uploaded_at":"2025-01-31T06:30:00Z","nutritional_fields":{}}"#;
        let server = Server::always(json(status, body));
        let answer = client(&server).nutrition_records().upload().body(b"\xff\xd8\xff").await.unwrap();
        assert_eq!((answer.record_id.as_str(), answer.metadata().status), ("n-1", status));
        let raw = client(&server).nutrition_records().upload().body(b"\xff\xd8\xff").raw().await.unwrap();
        assert_eq!((raw.status(), &raw.body[..]), (status, body.as_bytes()));
        client(&server).nutrition_records().delete("n-1").await.unwrap();
    }
}

#[tokio::test]
async fn a_record_that_was_made_is_named_although_its_answer_cannot_be_read() {
    let odd = r#"{"record_id":"n-1","status":7}"#;
    let wrapped = r#"{"lab_report":{"record_id":"r-1","status":[]}}"#;
    for (body, id) in [(odd, Some("n-1")), ("{}", None), ("no JSON", None), (r#"["n-1"]"#, None), (r#"{"a":["n-1"]}"#, None)] {
        let server = Server::always(json(201, body));
        let call = || client(&server).nutrition_records().upload().body(b"\xff\xd8\xff");
        let error = call().await.unwrap_err();
        assert_eq!((error.kind(), error.record_id(), error.body()), (ErrorKind::Decode, id, None), "{body}");
        assert!(error.may_have_taken_effect() && !error.is_transient());
        let error = call().options(CallOptions::new().keep_raw(true)).await.unwrap_err();
        assert_eq!(error.body().map(|body| &body[..]), Some(body.as_bytes()));
        assert!(!format!("{error} {error:?}").contains("n-1"));
    }
    let server = Server::always(json(201, wrapped));
    let error = client(&server).lab_reports().upload(b"x", "x.pdf").await.unwrap_err();
    assert_eq!((error.record_id(), error.may_have_taken_effect()), (Some("r-1"), true));
    // A read makes nothing.
    let server = Server::always(json(200, odd));
    let error = client(&server).nutrition_records().get("n-1").await.unwrap_err();
    assert_eq!((error.record_id(), error.may_have_taken_effect()), (None, false));
}

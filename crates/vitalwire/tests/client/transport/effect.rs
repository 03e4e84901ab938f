//! Tests of the details of errors: whether a request may have taken effect, and the state of a call that ended early.

use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

use http::Method;
use vitalwire::client::{CallOptions, CancelToken, Client, RefreshReason, Service, Token};
use vitalwire::error::{BoxError, Error, ErrorKind};
use vitalwire::operation::RetryClass;
use vitalwire_testkit::{Reply, Server, json, response, response_bytes};

use crate::transport::{CLASSES, builder, client, request_of_class, upload};

/// Whether a failed call of each retry class (safe, idempotent, once) may have taken effect.
async fn effects(make: impl Fn() -> (Client, Option<Server>), options: &CallOptions) -> [bool; 3] {
    let mut effects = [false; 3];
    for (effect, class) in effects.iter_mut().zip(CLASSES) {
        let (client, _server) = make();
        let error = request_of_class(&client, class).options(options.clone()).await.unwrap_err();
        *effect = error.may_have_taken_effect();
        assert_eq!(error.to_string().contains("it may have taken effect"), *effect, "{error}");
        if class == RetryClass::Once {
            assert!(!(*effect && error.is_transient()), "{error}");
        }
    }
    effects
}

const NO_EFFECT: [bool; 3] = [false, false, false];
/// Reads never have an effect.
const POSSIBLE_EFFECT: [bool; 3] = [false, true, true];

#[tokio::test]
async fn the_status_decides_whether_a_request_may_have_taken_effect() {
    let statuses = [(400, NO_EFFECT), (401, NO_EFFECT), (403, NO_EFFECT), (404, NO_EFFECT), (409, NO_EFFECT), (413, NO_EFFECT)];
    let uncertain = [
        (302, POSSIBLE_EFFECT),
        (408, POSSIBLE_EFFECT),
        (500, POSSIBLE_EFFECT),
        (502, POSSIBLE_EFFECT),
        (503, POSSIBLE_EFFECT),
        (504, POSSIBLE_EFFECT),
    ];
    for (status, expected) in statuses.into_iter().chain([(422, NO_EFFECT), (429, NO_EFFECT)]).chain(uncertain) {
        let make = || {
            let server = Server::always(json(status, "{}"));
            (client(&server), Some(server))
        };
        assert_eq!(effects(make, &CallOptions::new()).await, expected, "{status}");
    }
}

#[tokio::test]
async fn a_request_may_have_taken_effect_after_a_broken_but_not_a_refused_connection() {
    let served = |reply: Reply| {
        move || {
            let server = Server::always(reply.clone());
            (client(&server), Some(server))
        }
    };
    let none = CallOptions::new();
    assert_eq!(effects(served(Reply::Close), &none).await, POSSIBLE_EFFECT);
    let cut = response_bytes(200, &[("content-length", "100")], b"{}");
    assert_eq!(effects(served(Reply::SendAndClose(cut)), &none).await, POSSIBLE_EFFECT);
    // The call succeeded, but its body was too large.
    assert_eq!(effects(served(json(200, "[1,2,3,4]")), &CallOptions::new().max_response_bytes(3)).await, POSSIBLE_EFFECT);
    let refused = || {
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        (Client::builder().base_url(format!("http://{address}")).token("t").no_proxy().retry_delay_scale(0.01).build().unwrap(), None)
    };
    assert_eq!(effects(refused, &none).await, NO_EFFECT);
    let unknown = || {
        (Client::builder().base_url("https://no-such-host.invalid").token("t").no_proxy().retry_delay_scale(0.01).build().unwrap(), None)
    };
    assert_eq!(effects(unknown, &none).await, NO_EFFECT);
}

#[tokio::test]
async fn a_request_may_have_taken_effect_if_a_deadline_passes_after_it_was_sent() {
    let hang = || {
        let server = Server::always(Reply::SendAndHang(Vec::new()));
        (client(&server), Some(server))
    };
    let options = CallOptions::new().timeout(Duration::from_millis(300));
    assert_eq!(effects(hang, &options).await, POSSIBLE_EFFECT);
    let attempt = CallOptions::new().attempt_timeout(Duration::from_millis(200)).max_retries(0);
    assert_eq!(effects(hang, &attempt).await, POSSIBLE_EFFECT);
    assert_eq!(effects(hang, &CallOptions::new().timeout(Duration::ZERO)).await, NO_EFFECT);
}

/// A rejection of a later attempt does not hide that an earlier one may have taken effect.
#[tokio::test]
async fn the_possible_effect_of_an_earlier_attempt_is_reported_after_a_later_rejection() {
    let server = Server::in_order([Reply::Close, json(403, "{}")]);
    let error = request_of_class(&client(&server), RetryClass::Idempotent).await.unwrap_err();
    assert_eq!((error.kind(), error.attempts(), error.may_have_taken_effect()), (ErrorKind::Permission, 2, true));
}

#[tokio::test]
async fn a_request_with_invalid_arguments_has_no_effect() {
    let server = Server::always(json(200, "{}"));
    let error = client(&server).request(Method::POST, Service::Health, "no path").json(&1).await.unwrap_err();
    assert_eq!((error.may_have_taken_effect(), error.attempts(), server.count()), (false, 0, 0));
}

/// Cancels a call as soon as the server has received the requests.
async fn cancel_after(client: &Client, class: RetryClass, server: &Server, requests: usize) -> Error {
    let token = CancelToken::new();
    let call = request_of_class(client, class).options(CallOptions::new().cancel_token(&token)).send();
    let (outcome, ()) = futures_util::future::join(call, async {
        server.wait_for(requests).await;
        token.cancel();
    })
    .await;
    outcome.unwrap_err()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_call_reports_its_possible_effect() {
    for (class, effect) in CLASSES.into_iter().zip(POSSIBLE_EFFECT) {
        let server = Server::always(Reply::SendAndHang(Vec::new()));
        let error = cancel_after(&client(&server), class, &server, 1).await;
        assert_eq!((error.kind(), error.attempts(), error.operation(), error.status()), (ErrorKind::Cancelled, 1, Some("raw"), None));
        assert_eq!((error.may_have_taken_effect(), error.is_transient()), (effect, false), "{class:?}");
        assert!(server.wait_for_close().is_some());
    }
    // The last status is known during a response and between two attempts.
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
    let call = request_of_class(&slow, RetryClass::Safe).options(CallOptions::new().cancel_token(&token)).send();
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
async fn a_call_that_is_cancelled_before_its_start_is_not_sent() {
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

/// A client whose token provider blocks its thread, so that no timer can end it.
fn with_slow_provider(server: &Server, provider_runs: &Arc<AtomicUsize>, time: Duration) -> Client {
    let provider_runs = Arc::clone(provider_runs);
    let provider = move |_: RefreshReason| {
        let number = provider_runs.fetch_add(1, Ordering::SeqCst);
        std::thread::sleep(time);
        // The token is expired, so that each call runs the provider.
        async move { Ok::<_, BoxError>(Token::expiring(&format!("token-{number}"), SystemTime::now())) }
    };
    builder(server).token_provider(provider).build().unwrap()
}

#[tokio::test]
async fn no_request_is_sent_after_the_deadline() {
    let server = Server::always(json(200, "{}"));
    let provider_runs = Arc::new(AtomicUsize::new(0));
    let client = with_slow_provider(&server, &provider_runs, Duration::from_millis(80));
    let options = CallOptions::new().timeout(Duration::from_millis(40));
    for class in CLASSES {
        let error = request_of_class(&client, class).options(options.clone()).await.unwrap_err();
        assert_eq!((error.kind(), error.attempts(), error.may_have_taken_effect()), (ErrorKind::Timeout, 0, false), "{class:?}");
        // This call opens a connection. A call of the next class must not use the connection after its deadline.
        request_of_class(&client, class).await.unwrap();
        provider_runs.store(0, Ordering::SeqCst);
    }
    assert_eq!(server.count(), 3);
}

/// The new token comes too late. Neither the request is sent again nor the provider called again.
#[tokio::test]
async fn the_provider_is_not_called_after_the_deadline() {
    let server = Server::always(json(401, "{}"));
    let provider_runs = Arc::new(AtomicUsize::new(0));
    let client = with_slow_provider(&server, &provider_runs, Duration::from_millis(400));
    let options = CallOptions::new().timeout(Duration::from_millis(700));
    let error = upload(&client, "{}").options(options).await.unwrap_err();
    // The first token takes 400 ms. The second is requested before the deadline and arrives after it.
    assert_eq!((error.kind(), error.attempts(), error.status()), (ErrorKind::Timeout, 1, Some(401)));
    assert_eq!((provider_runs.load(Ordering::SeqCst), server.count(), error.may_have_taken_effect()), (2, 1, false));
}

/// Any status 2xx is a success: the record exists.
#[tokio::test]
async fn all_success_statuses_are_accepted() {
    for status in [200, 201, 202, 203, 206] {
        let body = r#"{"record_id":"n-1","status":"pending","uploaded_at":"2025-01-31T06:30:00Z","nutritional_fields":{}}"#;
        let server = Server::always(json(status, body));
        let response = client(&server).nutrition_records().upload().body(b"\xff\xd8\xff").await.unwrap();
        assert_eq!((response.record_id.as_str(), response.metadata().status), ("n-1", status));
        let raw = client(&server).nutrition_records().upload().body(b"\xff\xd8\xff").raw().await.unwrap();
        assert_eq!((raw.status(), &raw.body[..]), (status, body.as_bytes()));
        client(&server).nutrition_records().delete("n-1").await.unwrap();
    }
}

#[tokio::test]
async fn a_decode_error_of_an_upload_has_the_record_id() {
    let odd = r#"{"record_id":"n-1","status":7}"#;
    let wrapped = r#"{"lab_report":{"record_id":"r-1","status":[]}}"#;
    for (body, id) in [(odd, Some("n-1")), ("{}", None), ("no JSON", None), (r#"["n-1"]"#, None), (r#"{"a":["n-1"]}"#, None)] {
        let server = Server::always(json(201, body));
        let call = || client(&server).nutrition_records().upload().body(b"\xff\xd8\xff");
        let error = call().await.unwrap_err();
        assert_eq!((error.kind(), error.record_id(), error.body()), (ErrorKind::Decode, id, None), "{body}");
        assert!(error.may_have_taken_effect() && !error.is_transient());
        let error = call().options(CallOptions::new().keep_body(true)).await.unwrap_err();
        assert_eq!(error.body().map(|body| &body[..]), Some(body.as_bytes()));
        assert!(!format!("{error} {error:?}").contains("n-1"));
    }
    // Bytes that are not UTF-8, and a long body.
    let long = [&b"{\"record_id\":\"n-1\",\"dish_name\":\"Caf\xe9"[..], &b"x".repeat(2 << 20), b"\"}"].concat();
    let server = Server::always(response(201, &[("Content-Type", "application/json")], &long));
    let error = client(&server).nutrition_records().upload().body(b"\xff\xd8\xff").await.unwrap_err();
    assert_eq!((error.kind(), error.record_id()), (ErrorKind::Decode, Some("n-1")));
    let server = Server::always(json(201, wrapped));
    let error = client(&server).lab_reports().upload(b"x", "x.pdf").await.unwrap_err();
    assert_eq!((error.record_id(), error.may_have_taken_effect()), (Some("r-1"), true));
    // A read creates no record.
    let server = Server::always(json(200, odd));
    let error = client(&server).nutrition_records().get("n-1").await.unwrap_err();
    assert_eq!((error.record_id(), error.may_have_taken_effect()), (None, false));
}

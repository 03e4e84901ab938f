//! Tests of which attempts are retried, how often, and after which delays.

use std::time::{Duration, Instant, SystemTime};

use http::Method;
use vitalwire::client::{CallOptions, RetryPolicy, Service};
use vitalwire::error::ErrorKind;
use vitalwire::operation::RetryClass;
use vitalwire_testkit::{Reply, Server, json, response};

use crate::transport::{CLASSES, builder, client, get, record_attempts, request_of_class};

#[tokio::test]
async fn transient_statuses_are_retried_except_for_uploads() {
    for class in CLASSES {
        for status in [408, 429, 502, 503, 504] {
            let server = Server::in_order([json(status, "{}"), json(200, "[1]")]);
            let outcome = request_of_class(&client(&server), class).await;
            if class == RetryClass::Once {
                let error = outcome.unwrap_err();
                assert_eq!((error.status(), error.attempts(), server.count()), (Some(status), 1, 1));
            } else {
                let response = outcome.unwrap();
                assert_eq!((response.status(), response.meta.attempts, server.count()), (200, 2, 2), "{class:?} {status}");
                assert_eq!(&response.body[..], b"[1]");
            }
        }
    }
}

#[tokio::test]
async fn other_statuses_are_not_retried() {
    for class in CLASSES {
        for status in [400, 401, 403, 404, 409, 413, 422, 500, 501] {
            let server = Server::in_order([json(status, "{}"), json(200, "{}")]);
            let error = request_of_class(&client(&server), class).await.unwrap_err();
            assert_eq!((error.status(), error.attempts(), server.count()), (Some(status), 1, 1), "{class:?}");
        }
    }
}

#[tokio::test]
async fn broken_connections_are_retried_except_for_uploads() {
    for class in CLASSES {
        let server = Server::in_order([Reply::Close, json(200, "{}")]);
        let outcome = request_of_class(&client(&server), class).await;
        if class == RetryClass::Once {
            let error = outcome.unwrap_err();
            assert_eq!((error.kind(), error.status(), error.attempts()), (ErrorKind::Transport, None, 1));
            assert_eq!(server.count(), 1);
        } else {
            assert_eq!(outcome.unwrap().meta.attempts, 2);
        }
    }
}

#[tokio::test]
async fn retries_can_be_set_per_client_and_per_call() {
    let server = Server::always(json(503, "{}"));
    let client = client(&server);
    let error = get(&client).await.unwrap_err();
    assert_eq!((error.kind(), error.attempts(), server.count()), (ErrorKind::Service, 3, 3));
    let error = get(&client).options(CallOptions::new().max_retries(0)).await.unwrap_err();
    assert_eq!((error.attempts(), server.count()), (1, 4));
    let error = get(&client).options(CallOptions::new().max_retries(4)).await.unwrap_err();
    assert_eq!((error.attempts(), server.count()), (5, 9));
}

#[tokio::test]
async fn delays_are_doubled_jittered_and_reported_to_callbacks() {
    let server = Server::always(json(503, "{}"));
    let (builder, events) = record_attempts(builder(&server));
    let client = builder.build().unwrap();
    let started = Instant::now();
    get(&client).options(CallOptions::new().max_retries(3)).await.unwrap_err();
    let events = events.lock().unwrap().clone();
    assert_eq!(events.iter().map(|event| event.attempt).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert!(events.iter().all(|event| event.status == Some(503) && event.error == Some(ErrorKind::Service)));
    assert!(events.iter().all(|event| event.operation == "raw" && event.path_template == "(raw)"));
    let waits: Vec<_> = events.iter().map(|event| event.next_delay).collect();
    // At most 1% of 250, 500 and 1000 ms. There is no delay after the last attempt.
    for (wait, most) in waits.iter().zip([2.5, 5.0, 10.0]) {
        assert!(wait.unwrap().as_secs_f64() * 1000.0 <= most, "{waits:?}");
    }
    assert_eq!(waits[3], None);
    assert!(started.elapsed() >= waits.iter().flatten().sum::<Duration>());
}

#[tokio::test]
async fn retry_after_in_seconds_is_used() {
    for status in [429, 503] {
        let server = Server::in_order([response(status, &[("retry-after", "10")], b""), json(200, "{}")]);
        let (builder, events) = record_attempts(builder(&server));
        let started = Instant::now();
        get(&builder.build().unwrap()).await.unwrap();
        // 1% of ten seconds.
        assert_eq!(events.lock().unwrap()[0].next_delay, Some(Duration::from_millis(100)));
        assert!(started.elapsed() >= Duration::from_millis(100));
    }
}

#[tokio::test]
async fn retry_after_as_a_date_is_used() {
    let date = httpdate::fmt_http_date(SystemTime::now() + Duration::from_secs(50));
    let server = Server::in_order([response(503, &[("retry-after", &date)], b""), json(200, "{}")]);
    let (builder, events) = record_attempts(builder(&server));
    get(&builder.build().unwrap()).await.unwrap();
    let wait = events.lock().unwrap()[0].next_delay.unwrap();
    // 35 to 50 s, because the date has whole seconds and the machine may be slow.
    assert!((Duration::from_millis(350)..=Duration::from_millis(500)).contains(&wait), "{wait:?}");
}

#[tokio::test]
async fn a_retry_after_over_the_maximum_ends_the_call() {
    let server = Server::always(response(429, &[("retry-after", "61")], b""));
    let started = Instant::now();
    let error = get(&client(&server)).await.unwrap_err();
    assert_eq!((error.kind(), error.attempts(), server.count()), (ErrorKind::RateLimited, 1, 1));
    assert_eq!(error.retry_after(), Some(Duration::from_secs(61)));
    assert!(started.elapsed() < Duration::from_secs(10));
}

#[tokio::test]
async fn a_retry_after_beyond_the_total_deadline_ends_the_call() {
    let server = Server::always(response(503, &[("retry-after", "20")], b""));
    let client = builder(&server).retry_delay_scale(1.0).timeout(Duration::from_secs(15)).build().unwrap();
    let started = Instant::now();
    let error = get(&client).await.unwrap_err();
    assert_eq!((error.kind(), error.status(), server.count()), (ErrorKind::Service, Some(503), 1));
    assert_eq!(error.retry_after(), Some(Duration::from_secs(20)));
    assert!(started.elapsed() < Duration::from_secs(10));
}

#[tokio::test]
async fn all_calls_share_a_retry_budget() {
    let server = Server::always(json(503, "{}"));
    let client = builder(&server).retry_policy(RetryPolicy::default().budget(3)).build().unwrap();
    // Each call has two retries. None are left for the third call or a clone.
    for (client, attempts) in [(client.clone(), 3), (client.clone(), 2), (client.clone(), 1), (client, 1)] {
        assert_eq!(get(&client).await.unwrap_err().attempts(), attempts);
    }
    assert_eq!(server.count(), 7);
}

#[tokio::test]
async fn a_repeated_delete_that_returns_404_succeeds() {
    let delete = async |replies: [Reply; 2]| {
        let server = Server::in_order(replies);
        client(&server).request(Method::DELETE, Service::Health, "/v3/thing").await
    };
    for first in [json(503, "{}"), json(408, "{}"), Reply::Close] {
        let response = delete([first, json(404, "{}")]).await.unwrap();
        assert_eq!((response.status(), response.meta.attempts, response.body.len()), (204, 2, 0));
    }
    // A rejected request deletes nothing.
    let error = delete([json(429, "{}"), json(404, "{}")]).await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::NotFound, 2));
    let error = delete([json(404, "{}"), json(204, "")]).await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::NotFound, 1));
    // Reads still fail.
    let server = Server::in_order([json(503, "{}"), json(404, "{}")]);
    assert_eq!(get(&client(&server)).await.unwrap_err().kind(), ErrorKind::NotFound);
}

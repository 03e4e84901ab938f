//! Tests of requested pauses with many parallel calls and real sockets.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use vitalwire::client::{CallOptions, RetryPolicy, Service};
use vitalwire::error::ErrorKind;
use vitalwire_testkit::{Reply, Server, json, response};

use crate::transport::{builder, client, get, record_attempts, upload};

/// A 429 response with `Retry-After`. Clients wait 1% of it.
fn limited(seconds: &str) -> Reply {
    response(429, &[("retry-after", seconds)], b"{}")
}

/// A service that requests a pause of 20 s, which takes 200 ms here, in its first `refusals` responses. Also returns the times of all
/// requests.
fn service(refusals: usize) -> (Server, Arc<Mutex<Vec<Instant>>>) {
    let times = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&times);
    let server = Server::with_script(move |_, number| {
        seen.lock().unwrap().push(Instant::now());
        std::thread::sleep(Duration::from_millis(20));
        if number < refusals { limited("20") } else { json(200, "{}") }
    });
    (server, times)
}

#[tokio::test]
async fn all_calls_succeed_and_one_request_is_sent_per_pause() {
    const CONNECTIONS: usize = 16;
    let (server, times) = service(CONNECTIONS + 10);
    let client = builder(&server).max_connections(CONNECTIONS).build().unwrap();
    let outcomes = join_all((0..200).map(|_| get(&client).send())).await;
    assert!(outcomes.iter().all(Result::is_ok), "{:?}", outcomes.iter().find(|outcome| outcome.is_err()));
    assert_eq!(server.count(), 200 + CONNECTIONS + 10);
    // The first requests were in flight when the first pause began. Each of the ten further pauses was followed by a single request.
    let times = times.lock().unwrap();
    for pair in times[CONNECTIONS - 1..=CONNECTIONS + 10].windows(2) {
        assert!(pair[1] - pair[0] >= Duration::from_millis(200), "{:?}", pair[1] - pair[0]);
    }
}

#[tokio::test]
async fn blocking_calls_share_a_pause() {
    let (server, _) = service(12);
    let client = builder(&server).max_connections(8).build().unwrap();
    tokio::task::spawn_blocking(move || {
        std::thread::scope(|scope| {
            let calls: Vec<_> = (0..40).map(|_| scope.spawn(|| get(&client).send_blocking())).collect();
            calls.into_iter().for_each(|call| assert!(call.join().unwrap().is_ok()));
        });
    })
    .await
    .unwrap();
    assert_eq!(server.count(), 52);
}

#[tokio::test]
async fn a_call_counts_its_own_429_responses() {
    let server = Server::always(limited("1"));
    let (builder, events) = record_attempts(builder(&server));
    let error = get(&builder.build().unwrap()).await.unwrap_err();
    assert_eq!((error.kind(), error.attempts(), server.count()), (ErrorKind::RateLimited, 3, 3));
    let waits: Vec<_> = events.lock().unwrap().iter().map(|event| event.next_delay).collect();
    assert_eq!(waits, [Some(Duration::from_millis(10)), Some(Duration::from_millis(10)), None]);
}

#[tokio::test]
async fn retries_after_a_pause_do_not_use_the_budget() {
    let server = Server::in_order([limited("1"), limited("1"), json(200, "{}")]);
    let client = builder(&server).retry_policy(RetryPolicy::default().budget(0)).build().unwrap();
    assert_eq!(get(&client).await.unwrap().meta.attempts, 3);
}

#[tokio::test]
async fn calls_without_retries_fail_on_429() {
    let (server, _) = service(8);
    let client = client(&server);
    let calls = || get(&client).options(CallOptions::new().max_retries(0)).send();
    let outcomes = join_all((0..8).map(|_| calls())).await;
    assert!(outcomes.into_iter().all(|outcome| outcome.is_err_and(|error| error.kind() == ErrorKind::RateLimited)));
    assert_eq!(server.count(), 8);
    assert!(calls().await.is_ok());
}

#[tokio::test]
async fn a_client_pauses_on_503_but_not_on_500() {
    for (status, paused) in [(429, true), (503, true), (502, true), (500, false)] {
        let server = Server::in_order([response(status, &[("retry-after", "30")], b"{}"), json(200, "{}")]);
        let client = client(&server);
        get(&client).options(CallOptions::new().max_retries(0)).await.unwrap_err();
        let started = Instant::now();
        get(&client).await.unwrap();
        assert_eq!(started.elapsed() >= Duration::from_millis(250), paused, "{status}");
    }
}

#[tokio::test]
async fn a_429_without_retry_after_delays_only_its_own_call() {
    for headers in [&[][..], &[("retry-after", "0")], &[("retry-after", "soon")]] {
        let server = Server::in_order([response(429, headers, b"{}"), json(200, "1"), json(200, "2")]);
        let client = builder(&server).retry_delay_scale(1.0).build().unwrap();
        get(&client).options(CallOptions::new().max_retries(0)).await.unwrap_err();
        let started = Instant::now();
        get(&client).await.unwrap();
        assert!(started.elapsed() < Duration::from_millis(200));
    }
}

#[tokio::test]
async fn the_next_call_probes_if_the_probing_call_is_dropped() {
    let stuck = Arc::new(AtomicBool::new(true));
    let (requests, first) = (Arc::new(AtomicUsize::new(0)), Arc::clone(&stuck));
    let counter = Arc::clone(&requests);
    let server = Server::with_script(move |_, number| {
        counter.store(number + 1, SeqCst);
        match number {
            0 => limited("10"),
            _ if first.swap(false, SeqCst) => Reply::SendAndHang(Vec::new()),
            _ => json(200, "{}"),
        }
    });
    let client = client(&server);
    get(&client).options(CallOptions::new().max_retries(0)).await.unwrap_err();
    let probe = tokio::spawn(get(&client).send());
    server.wait_for(2).await;
    let others = tokio::spawn(join_all((0..10).map(|_| get(&client).send()).collect::<Vec<_>>()));
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(requests.load(SeqCst), 2);
    probe.abort();
    assert!(others.await.unwrap().iter().all(Result::is_ok));
}

#[tokio::test]
async fn an_upload_waits_for_a_pause_and_is_sent_once() {
    let server = Server::in_order([limited("20"), limited("20"), json(200, "{}")]);
    let client = client(&server);
    get(&client).options(CallOptions::new().max_retries(0)).await.unwrap_err();
    let started = Instant::now();
    let error = upload(&client, "{}").await.unwrap_err();
    assert!(started.elapsed() >= Duration::from_millis(200));
    assert_eq!((error.kind(), error.attempts(), error.may_have_taken_effect()), (ErrorKind::RateLimited, 1, false));
    upload(&client, "{}").await.unwrap();
    assert!(started.elapsed() >= Duration::from_millis(400));
}

#[tokio::test]
async fn each_service_has_its_own_pause() {
    let server = Server::in_order([limited("60"), json(200, "{}")]);
    let client = builder(&server).care_base_url(server.url()).care_token("token-1").build().unwrap();
    get(&client).options(CallOptions::new().max_retries(0)).await.unwrap_err();
    let started = Instant::now();
    client.request(http::Method::GET, Service::Care, "/thing").await.unwrap();
    assert!(started.elapsed() < Duration::from_millis(500));
}

//! Tests of the limit of requests per second with real sockets.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use vitalwire::client::{CallOptions, Client};
use vitalwire::error::ErrorKind;
use vitalwire_testkit::{Server, json};

use crate::transport::{builder, get};

#[tokio::test]
async fn no_second_has_more_requests_than_the_limit() {
    let arrivals = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&arrivals);
    let server = Server::with_script(move |_, number| {
        seen.lock().unwrap().push(Instant::now());
        // Some responses are slow.
        std::thread::sleep(Duration::from_millis(if number % 3 == 0 { 120 } else { 5 }));
        json(200, "{}")
    });
    let client = builder(&server).max_requests_per_second(20.5).build().unwrap();
    let outcomes = join_all((0..50).map(|_| get(&client).send())).await;
    assert!(outcomes.iter().all(Result::is_ok));
    let mut arrivals = arrivals.lock().unwrap().clone();
    arrivals.sort_unstable();
    let within = |start: &Instant| arrivals.iter().filter(|at| (*start..*start + Duration::from_secs(1)).contains(*at)).count();
    let most = arrivals.iter().map(within).max().unwrap();
    assert!((14..=20).contains(&most), "{most}");
}

#[tokio::test]
async fn a_call_fails_at_once_if_its_turn_is_after_its_deadline() {
    let server = Server::with_script(|_, _| json(200, "{}"));
    let client = builder(&server).max_requests_per_second(0.1).build().unwrap();
    get(&client).send().await.unwrap();
    let started = Instant::now();
    let error = get(&client).options(CallOptions::new().timeout(Duration::from_secs(5))).await.unwrap_err();
    assert!(started.elapsed() < Duration::from_secs(2));
    assert_eq!((error.kind(), error.attempts(), server.count()), (ErrorKind::Timeout, 0, 1));
}

#[test]
fn an_invalid_limit_is_a_configuration_error() {
    for limit in [0.0, -1.0, 0.0009, 1e7, f64::NAN, f64::INFINITY] {
        let error = Client::builder().max_requests_per_second(limit).build().unwrap_err();
        assert_eq!((error.kind(), error.argument()), (ErrorKind::Configuration, Some("max_requests_per_second")), "{limit}");
    }
}

//! Tests with a paused clock, which advances when all tasks are idle.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};

use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::*;
use crate::operation::DeadlineClass;
use crate::transport::CallOptions;
use crate::transport::deadlines::Deadlines;

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn clock(total: u64) -> CallClock {
    CallClock::start(&Deadlines::default(), DeadlineClass::Short, &CallOptions::new().timeout(seconds(total)))
}

/// Creates a service pause that the first response has started.
fn paused(time: u64) -> ServicePause {
    let pause = ServicePause::new();
    let requested = pause.try_acquire().expect("open at first").record_response(Some(seconds(time)));
    assert_eq!(requested, Some(RequestedPause { time: seconds(time), charged: true }));
    pause
}

/// Request counters of a simulated service.
#[derive(Default)]
struct Counters {
    in_flight: AtomicU32,
    requests: AtomicU32,
    max_in_flight: AtomicU32,
}

/// Makes one call. The service rejects the first `rejections` attempts, each with a pause of 2 s, and then accepts.
async fn call(pause: &ServicePause, counters: &Counters, rejections: u32) -> u32 {
    let (clock, mut charged) = (clock(1000), 0);
    loop {
        let mut permit = match pause.try_acquire() {
            Some(permit) => permit,
            None => pause.acquire(&clock).await.expect("a long deadline"),
        };
        counters.max_in_flight.fetch_max(counters.in_flight.fetch_add(1, SeqCst) + 1, SeqCst);
        let number = counters.requests.fetch_add(1, SeqCst);
        sleep(Duration::from_millis(20)).await;
        counters.in_flight.fetch_sub(1, SeqCst);
        match permit.record_response((number < rejections).then_some(seconds(2))) {
            Some(requested) => charged += u32::from(requested.charged),
            None => return charged,
        }
    }
}

#[tokio::test(start_paused = true)]
async fn one_request_is_sent_per_pause_until_one_is_accepted() {
    let (pause, counters) = (Arc::new(paused(2)), Arc::new(Counters::default()));
    let started = Instant::now();
    let mut calls = JoinSet::new();
    for _ in 0..200 {
        let (pause, counters) = (Arc::clone(&pause), Arc::clone(&counters));
        calls.spawn(async move { call(&pause, &counters, 60).await });
    }
    sleep(Duration::from_millis(124_500)).await;
    // 61 pauses of 2 s, each followed by a probe of 20 ms. The last probe is accepted, and the other 199 calls follow.
    assert_eq!((counters.requests.load(SeqCst), counters.max_in_flight.load(SeqCst)), (260, 199));
    let charged = calls.join_all().await;
    assert!(started.elapsed() < seconds(125), "{:?}", started.elapsed());
    // The queue is fair: sixty calls were the probe once each.
    assert_eq!((charged.iter().sum::<u32>(), charged.iter().max()), (60, Some(&1)));
}

#[tokio::test(start_paused = true)]
async fn requests_in_flight_when_a_pause_begins_are_not_charged() {
    let (pause, counters) = (Arc::new(ServicePause::new()), Arc::new(Counters::default()));
    let charged = futures_util::future::join_all((0..60).map(|_| call(&pause, &counters, 60))).await;
    assert_eq!((charged.iter().sum::<u32>(), counters.requests.load(SeqCst)), (1, 120));
}

#[tokio::test(start_paused = true)]
async fn a_probe_is_sent_alone_until_its_response_head() {
    let pause = paused(2);
    assert!(pause.try_acquire().is_none());
    let (started, clock) = (Instant::now(), clock(60));
    let mut probe = pause.acquire(&clock).await.expect("the first in the queue");
    assert_eq!(started.elapsed(), seconds(2));
    let others = async { futures_util::future::join_all((0..20).map(|_| pause.acquire(&clock))).await };
    let (others, ()) = futures_util::future::join(others, async {
        sleep(seconds(1)).await;
        assert_eq!(probe.record_response(None), None);
    })
    .await;
    assert!(others.into_iter().all(|permit| permit.is_ok_and(|permit| permit.probe.is_none() && permit.is_current())));
    assert_eq!(started.elapsed(), seconds(3));
    assert!(pause.try_acquire().is_some());
}

#[tokio::test(start_paused = true)]
async fn a_failed_probe_admits_the_other_calls() {
    let pause = paused(1);
    let mut probe = pause.acquire(&clock(60)).await.expect("the first in the queue");
    assert!(pause.try_acquire().is_none());
    probe.record_failure();
    assert!(pause.try_acquire().is_some());
}

#[tokio::test(start_paused = true)]
async fn a_dropped_probe_makes_the_next_call_the_probe() {
    let pause = paused(1);
    let clock = clock(60);
    for _ in 0..10 {
        let probe = pause.acquire(&clock).await.expect("the first in the queue");
        assert!(probe.probe.is_some());
        let next = async { pause.acquire(&clock).await.expect("the next in the queue") };
        let (next, ()) = futures_util::future::join(next, async { drop(probe) }).await;
        assert!(next.probe.is_some());
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_dropped_in_the_queue_is_skipped() {
    let pause = paused(2);
    let clock = clock(60);
    let (first, second, third) = (pause.acquire(&clock), timeout(seconds(1), pause.acquire(&clock)), pause.acquire(&clock));
    let (first, second, third) = futures_util::future::join3(timeout(Duration::from_millis(500), first), second, third).await;
    assert!(first.is_err() && second.is_err());
    assert!(third.is_ok_and(|permit| permit.probe.is_some()));
}

#[tokio::test(start_paused = true)]
async fn a_deadline_before_the_end_of_a_pause_fails_at_once() {
    let pause = paused(10);
    let started = Instant::now();
    let error = pause.acquire(&clock(10)).await.err().expect("the pause is as long as the deadline");
    assert_eq!((error.kind(), error.retry_after(), started.elapsed()), (ErrorKind::RateLimited, Some(seconds(10)), Duration::ZERO));
    // The same holds if the pause is extended while the call waits.
    let clock = clock(15);
    let longer = async {
        sleep(seconds(8)).await;
        pause.start(seconds(20), 0);
    };
    let (waiting, ()) = futures_util::future::join(pause.acquire(&clock), longer).await;
    let error = waiting.err().expect("the pause is longer than the deadline now");
    assert_eq!((error.kind(), error.retry_after(), started.elapsed()), (ErrorKind::RateLimited, Some(seconds(20)), seconds(8)));
}

#[tokio::test(start_paused = true)]
async fn a_probe_without_a_response_delays_other_calls_for_a_limited_time() {
    let pause = paused(1);
    let _probe = pause.acquire(&clock(60)).await.expect("the first in the queue");
    let started = Instant::now();
    let error = pause.acquire(&clock(3)).await.err().expect("the deadline passes first");
    assert_eq!((error.kind(), started.elapsed()), (ErrorKind::Timeout, seconds(3)));
    let clock = clock(60);
    let passes = futures_util::future::join_all((0..20).map(|_| pause.acquire(&clock))).await;
    assert!(passes.iter().all(Result::is_ok));
    assert_eq!(started.elapsed(), MAX_PROBE_TIME);
}

#[tokio::test(start_paused = true)]
async fn a_late_429_restarts_the_pause_and_charges_no_call_in_flight() {
    let pause = ServicePause::new();
    let permit = || pause.try_acquire().expect("open");
    let (mut first, mut second, mut third) = (permit(), permit(), permit());
    assert!(first.record_response(Some(seconds(2))).is_some_and(|requested| requested.charged));
    sleep(seconds(1)).await;
    assert!(second.record_response(Some(seconds(2))).is_some_and(|requested| !requested.charged));
    let started = Instant::now();
    let mut probe = pause.acquire(&clock(60)).await.expect("the first in the queue");
    assert_eq!(started.elapsed(), seconds(2));
    assert_eq!(probe.record_response(None), None);
    let mut fourth = permit();
    assert!(third.record_response(Some(seconds(2))).is_some_and(|requested| !requested.charged));
    assert!(pause.try_acquire().is_none() && !fourth.is_current());
    assert!(fourth.record_response(Some(seconds(1))).is_some_and(|requested| !requested.charged));
    let mut probe = pause.acquire(&clock(60)).await.expect("the first in the queue");
    assert_eq!(started.elapsed(), seconds(4));
    assert!(probe.record_response(Some(seconds(1))).is_some_and(|requested| requested.charged));
}

/// Drops, times out, fails, rejects and accepts calls in random orders. Checks that no waiting call is left behind.
#[tokio::test(start_paused = true)]
async fn no_waiting_call_is_forgotten() {
    for seed in 0..200 {
        let mut random = fastrand::Rng::with_seed(seed);
        let pause = Arc::new(paused(1));
        let mut calls = JoinSet::new();
        for _ in 0..30 {
            let (pause, mut random) = (Arc::clone(&pause), random.fork());
            let patience = if random.bool() { Duration::from_millis(random.u64(1..4000)) } else { seconds(900) };
            let work = async move {
                let clock = clock(1000);
                loop {
                    let mut permit = pause.acquire(&clock).await.expect("a long deadline");
                    sleep(Duration::from_millis(random.u64(1..50))).await;
                    match random.u8(0..6) {
                        0 | 1 if permit.record_response(Some(seconds(1))).is_some() => {}
                        2 => permit.record_failure(),
                        3 => drop(permit),
                        _ if permit.record_response(None).is_none() => return,
                        _ => {}
                    }
                }
            };
            calls.spawn(async move { timeout(patience, work).await.is_err() && patience == seconds(900) });
        }
        let started = Instant::now();
        assert!(calls.join_all().await.into_iter().all(|stuck| !stuck), "seed {seed}");
        // Each of the 30 calls was rejected a few times at most, and none waited for a lost wake-up.
        assert!(started.elapsed() < seconds(120), "seed {seed}: {:?}", started.elapsed());
    }
}

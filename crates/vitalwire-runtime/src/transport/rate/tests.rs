//! Tests with a paused clock, which advances when all tasks are idle.

use futures_util::StreamExt;

use super::*;
use crate::operation::DeadlineClass;
use crate::transport::CallOptions;
use crate::transport::deadlines::DeadlineSettings;

fn clock(timeout: Duration) -> CallClock {
    CallClock::start(&DeadlineSettings::default().or_defaults(), DeadlineClass::Short, &CallOptions::new().timeout(timeout))
}

/// Sends `count` requests with `connections` concurrent calls. `latencies` returns the time until a request arrives, and the time until
/// its response head does; `None` drops the attempt after the first. Returns the times of arrival, in order.
async fn send(
    rate: &RequestRate,
    connections: usize,
    count: usize,
    latencies: impl FnMut() -> (Duration, Option<Duration>),
) -> Vec<Instant> {
    let clock = clock(Duration::from_secs(100_000));
    let calls = std::iter::repeat_with(latencies).take(count).map(|(arrival, head)| {
        let clock = &clock;
        async move {
            let mut slot = rate.wait(clock).await.unwrap();
            let arrived = Instant::now() + arrival;
            match head {
                Some(head) => {
                    tokio::time::sleep(head).await;
                    slot.record_arrival();
                    // The body is read.
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
                None => tokio::time::sleep(arrival / 2).await,
            }
            arrived
        }
    });
    let mut arrivals: Vec<Instant> = futures_util::stream::iter(calls).buffer_unordered(connections).collect().await;
    arrivals.sort_unstable();
    arrivals
}

/// Returns the largest number of arrivals within a period, which includes its start but not its end.
fn most_arrivals(arrivals: &[Instant], period: Duration) -> usize {
    let within = |(index, start): (usize, &Instant)| arrivals[index..].iter().take_while(|&&at| at < *start + period).count();
    arrivals.iter().enumerate().map(within).max().unwrap_or(0)
}

fn millis(range: std::ops::RangeInclusive<u64>) -> Duration {
    Duration::from_millis(fastrand::u64(range))
}

#[tokio::test(start_paused = true)]
async fn requests_are_spaced_evenly() {
    let (rate, clock, start) = (RequestRate::new(10.0), clock(Duration::from_secs(60)), Instant::now());
    for _ in 0..10 {
        rate.wait(&clock).await.unwrap();
    }
    let elapsed = start.elapsed().as_secs_f64();
    assert!((0.91..0.93).contains(&elapsed), "{elapsed}");
}

#[tokio::test(start_paused = true)]
async fn no_period_has_more_arrivals_than_the_limit() {
    for limit in [0.3, 1.0, 1.9, 2.5, 10.0, 20.0, 37.0, 200.0] {
        for round in 0..5 {
            let rate = RequestRate::new(limit);
            let arrivals = send(&rate, 500, 600, || {
                let arrival = millis(0..=250);
                // Heads arrive later than requests, or never.
                (arrival, (round == 0 || fastrand::u8(..) > 25).then(|| arrival + millis(0..=400 * round)))
            })
            .await;
            let (most, allowed) = (most_arrivals(&arrivals, rate.period), (limit as usize).max(1));
            assert!(most <= allowed, "{most} at a limit of {limit}");
            assert!(most * 10 >= allowed * 8, "only {most} at a limit of {limit}");
        }
    }
}

/// The slots matter: with spacing alone, this jitter moves more requests into one second than the limit allows.
#[tokio::test(start_paused = true)]
async fn requests_that_a_delay_moves_together_are_within_the_limit() {
    let (rate, mut number) = (RequestRate::new(20.0), 0);
    let arrivals = send(&rate, 64, 400, || {
        number += 1;
        // The first requests of each second are slow, the others fast.
        let arrival = Duration::from_millis(if number % 20 < 5 { 250 } else { 0 });
        (arrival, Some(arrival))
    })
    .await;
    assert!(most_arrivals(&arrivals, Duration::from_secs(1)) <= 20);
}

#[tokio::test(start_paused = true)]
async fn throughput_is_near_the_limit() {
    for (latency, at_least) in [(0, 0.97), (10, 0.95), (100, 0.88), (250, 0.78), (2_000, 0.78)] {
        for limit in [10.0, 200.0] {
            let (rate, start) = (RequestRate::new(limit), Instant::now());
            let latency = Duration::from_millis(latency);
            send(&rate, 500, 1_500, || (latency.min(MAX_ARRIVAL_TIME), Some(latency))).await;
            let throughput = 1_500.0 / (start.elapsed() - latency).as_secs_f64() / limit;
            assert!((at_least..1.0).contains(&throughput), "{throughput} of {limit} with {latency:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_dropped_attempt_keeps_its_slot_until_its_request_must_have_arrived() {
    let (rate, clock, start) = (RequestRate::new(1.0), clock(Duration::from_secs(60)), Instant::now());
    rate.wait(&clock).await.unwrap();
    rate.wait(&clock).await.unwrap();
    assert_eq!(start.elapsed(), Duration::from_millis(1_250));
    let mut slot = rate.wait(&clock).await.unwrap();
    assert_eq!(start.elapsed(), Duration::from_millis(2_500));
    tokio::time::sleep(Duration::from_millis(30)).await;
    slot.record_arrival();
    rate.wait(&clock).await.unwrap();
    assert_eq!(start.elapsed(), Duration::from_millis(3_530));
}

#[tokio::test(start_paused = true)]
async fn an_early_response_wakes_the_first_call() {
    let (rate, clock, start) = (RequestRate::new(1.0), clock(Duration::from_secs(60)), Instant::now());
    let mut slot = rate.wait(&clock).await.unwrap();
    let respond = async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        slot.record_arrival();
    };
    let (next, ()) = tokio::join!(rate.wait(&clock), respond);
    assert!(next.unwrap().waited);
    assert_eq!(start.elapsed(), Duration::from_millis(1_050));
}

#[tokio::test(start_paused = true)]
async fn calls_that_are_not_polled_do_not_block_others() {
    let (rate, clock) = (RequestRate::new(10.0), clock(Duration::from_secs(60)));
    let mut slots = vec![rate.wait(&clock).await.unwrap()];
    let mut unpolled: Vec<_> = (0..5).map(|_| Box::pin(rate.wait(&clock))).collect();
    for call in &mut unpolled {
        assert!(futures_util::poll!(call).is_pending());
    }
    let start = Instant::now();
    slots.push(rate.wait(&clock).await.unwrap());
    assert!(start.elapsed() < Duration::from_millis(700), "{:?}", start.elapsed());
    slots.push(rate.wait(&clock).await.unwrap());
    assert!(start.elapsed() < Duration::from_millis(850), "{:?}", start.elapsed());
    // They are first in line when they are polled again.
    slots.push(unpolled.remove(4).await.unwrap());
    assert!(start.elapsed() < Duration::from_millis(950), "{:?}", start.elapsed());
    drop(unpolled);
    assert!(rate.state().queue.is_empty());
}

#[tokio::test(start_paused = true)]
async fn calls_are_sent_in_order() {
    let (rate, clock) = (RequestRate::new(100.0), clock(Duration::from_secs(60)));
    let order = Mutex::new(Vec::new());
    let calls = (0..150).map(|number| {
        let (rate, clock, order) = (&rate, &clock, &order);
        async move {
            rate.wait(clock).await.unwrap();
            order.lock().unwrap().push(number);
        }
    });
    futures_util::future::join_all(calls).await;
    assert_eq!(order.into_inner().unwrap(), (0..150).collect::<Vec<_>>());
}

#[tokio::test(start_paused = true)]
async fn a_call_fails_at_once_if_the_rate_allows_no_request_before_its_deadline() {
    let (rate, clock) = (RequestRate::new(0.1), clock(Duration::from_secs(5)));
    rate.wait(&clock).await.unwrap();
    assert_eq!(rate.wait(&clock).await.err().unwrap().kind(), ErrorKind::Timeout);
    assert_eq!(clock.started.elapsed().as_secs(), 0);
    assert!(rate.state().queue.is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_429_halves_the_rate_at_most_once_a_second_and_successes_raise_it_again() {
    let rate = RequestRate::new(100.0);
    for status in [429, 503, 429] {
        rate.record_status(status);
    }
    assert_eq!(rate.state().rate, 50.0);
    tokio::time::advance(Duration::from_secs(1)).await;
    rate.record_status(429);
    assert_eq!(rate.state().rate, 25.0);
    for _ in 0..200 {
        rate.record_status(200);
    }
    assert_eq!(rate.state().rate, 100.0);
}

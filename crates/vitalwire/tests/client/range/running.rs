//! Concurrency, order, progress and cancellation of parts.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

use vitalwire::client::CloseMode;
use vitalwire::error::ErrorKind;
use vitalwire::range::{OnError, PartLength};
use vitalwire_testkit::{PATIENCE, Reply, Server, json};

use crate::range::{block_until_done, daily, days, every_day, query_value};

/// Delays responses until a number of requests has arrived. Works on slow machines too.
struct RequestBarrier {
    count: usize,
    arrived: Mutex<usize>,
    changed: Condvar,
}

impl RequestBarrier {
    fn new(count: usize) -> Self {
        Self { count, arrived: Mutex::new(0), changed: Condvar::new() }
    }

    fn wait(&self) {
        let mut arrived = self.arrived.lock().unwrap();
        *arrived += 1;
        self.changed.notify_all();
        drop(self.changed.wait_timeout_while(arrived, PATIENCE, |arrived| *arrived < self.count).unwrap());
    }
}

#[tokio::test]
async fn parts_are_ordered_and_requests_in_flight_are_limited() {
    for bound in [1, 3] {
        let (running, max_in_flight, barrier) = (AtomicUsize::new(0), Arc::new(AtomicUsize::new(0)), RequestBarrier::new(bound));
        let recorded = Arc::clone(&max_in_flight);
        let server = Server::with_script(move |seen, number| {
            recorded.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            barrier.wait();
            // The first of three requests takes longest, so later ones get their responses first.
            thread::sleep(Duration::from_millis(if number % 3 == 0 { 90 } else { 30 }));
            running.fetch_sub(1, Ordering::SeqCst);
            every_day(seen)
        });
        let split = daily(&server, days("2025-01-01", "2025-01-12")).split(PartLength::Days(1)).concurrency(bound);
        let mut parts = split.stream().unwrap();
        let mut indexes = Vec::new();
        while let Some(part) = parts.next().await {
            let part = part.unwrap();
            assert_eq!(part.response.statistics[0].date.unwrap(), part.range.unwrap().first());
            indexes.push(part.index);
        }
        assert_eq!(indexes, (0..12).collect::<Vec<_>>());
        assert_eq!(max_in_flight.load(Ordering::SeqCst), bound, "the limit is reached but not exceeded");
    }
}

#[tokio::test]
async fn progress_counts_parts_and_items() {
    let server =
        Server::with_script(|seen, _| if query_value(seen, "from_date") == "2025-01-04" { json(404, "{}") } else { every_day(seen) });
    let reports = Arc::new(Mutex::new(Vec::new()));
    let recorded = Arc::clone(&reports);
    let split = daily(&server, days("2025-01-01", "2025-01-10")).split(PartLength::Days(3)).on_error(OnError::Collect);
    let split = split.on_progress(move |progress| recorded.lock().unwrap().push((progress.done, progress.total, progress.items)));
    split.collect().await.unwrap();
    assert_eq!(*reports.lock().unwrap(), [(1, 4, 3), (2, 4, 3), (3, 4, 6), (4, 4, 7)]);
}

#[tokio::test]
async fn dropping_the_stream_closes_the_connections_in_flight() {
    for spawned in [false, true] {
        let server = Server::always(Reply::SendAndHang(Vec::new()));
        let split = daily(&server, days("2025-01-01", "2025-01-10")).split(PartLength::Days(1)).concurrency(2);
        let mut parts = if spawned { split.spawned() } else { split }.stream().unwrap();
        tokio::select! {
            _ = parts.next() => panic!("no part gets a response"),
            () = server.wait_for(2) => {}
        }
        drop(parts);
        let server = tokio::task::spawn_blocking(move || {
            for _ in 0..2 {
                assert!(server.wait_for_close().is_some(), "a connection stayed open");
            }
            server
        });
        assert_eq!(server.await.unwrap().count(), 2);
    }
}

#[tokio::test]
async fn spawned_parts_run_while_the_stream_is_not_polled() {
    let (first, failed) = ("2025-01-01", AtomicUsize::new(0));
    let server = Server::with_script(move |seen, _| {
        if query_value(seen, "from_date") != first {
            // Leave time to read the first part. The stream is not polled for a while after that.
            thread::sleep(Duration::from_millis(100));
            if failed.fetch_add(1, Ordering::SeqCst) < 2 {
                return json(503, "{}");
            }
        }
        every_day(seen)
    });
    let split = daily(&server, days(first, "2025-01-09")).max_retries(1).split(PartLength::Days(1)).concurrency(3).spawned();
    let mut parts = split.stream().unwrap();
    assert_eq!(parts.next().await.unwrap().unwrap().index, 0);
    // Three parts were started together, and two of them are retried. A fourth is not started.
    server.wait_for(5).await;
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!(server.count(), 5);
    let mut completed = 0;
    while let Some(part) = parts.next().await {
        completed += u32::from(part.is_ok());
    }
    assert_eq!((completed, server.count()), (8, 11));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn spawned_parts_start_together() {
    let server = crate::range::calendar();
    let split = daily(&server, days("2025-01-01", "2025-01-05")).split(PartLength::Days(1)).concurrency(3).spawned_within(block_until_done);
    let mut parts = split.stream().unwrap();
    assert_eq!(parts.next().await.unwrap().unwrap().index, 0);
    // Each part completed before the first one was read. A fourth is not started before the stream is polled again.
    assert_eq!(server.count(), 3);
    assert_eq!(parts.next().await.unwrap().unwrap().index, 1);
    assert_eq!(server.count(), 4);
}

#[tokio::test]
async fn a_spawned_part_runs_within_its_wrapper() {
    tokio::task_local! { static READER: u32; }
    let server = crate::range::calendar();
    let values = Arc::new(Mutex::new(Vec::new()));
    let recorded = Arc::clone(&values);
    let split = daily(&server, days("2025-01-01", "2025-01-06")).split(PartLength::Days(2)).spawned_within(move |part| {
        let (reader, recorded) = (READER.get(), Arc::clone(&recorded));
        Box::pin(READER.scope(reader, async move {
            part.await;
            recorded.lock().unwrap().push(READER.get());
        }))
    });
    assert_eq!(READER.scope(7, split.collect()).await.unwrap().statistics.len(), 6);
    tokio::task::yield_now().await;
    assert_eq!(*values.lock().unwrap(), [7, 7, 7]);
}

#[tokio::test]
async fn a_failure_aborts_the_later_parts_in_flight() {
    let barrier = RequestBarrier::new(3);
    let server = Server::with_script(move |seen, _| {
        barrier.wait();
        if query_value(seen, "from_date") == "2025-01-01" { json(404, "{}") } else { Reply::SendAndHang(Vec::new()) }
    });
    let mut parts = daily(&server, days("2025-01-01", "2025-01-09")).split(PartLength::Days(1)).concurrency(3).stream().unwrap();
    assert!(parts.next().await.unwrap().is_err());
    // `parts` still exists, so only the failure can have aborted them.
    let closed = tokio::task::spawn_blocking(move || (0..2).all(|_| server.wait_for_close().is_some()));
    assert!(closed.await.unwrap());
    assert!(parts.next().await.is_none());
}

#[tokio::test]
async fn closing_the_client_finishes_or_aborts_its_range() {
    for closing in [CloseMode::Drain, CloseMode::Abort] {
        let server = crate::range::calendar();
        let client = crate::range::client(&server);
        let call = || client.statistics().daily(days("2025-01-01", "2025-01-03"), ["steps"]);
        let mut parts = call().split(PartLength::Days(1)).concurrency(1).stream().unwrap();
        parts.next().await.unwrap().unwrap();
        client.close(closing);
        assert_eq!(call().split(PartLength::Days(1)).stream().unwrap_err().kind(), ErrorKind::Closed);
        let next = parts.next().await.unwrap();
        match closing {
            CloseMode::Abort => assert_eq!(next.unwrap_err().error().kind(), ErrorKind::Closed),
            _ => assert!(next.is_ok() && parts.next().await.unwrap().is_ok() && parts.next().await.is_none()),
        }
    }
}

#[tokio::test]
async fn a_stream_can_be_read_by_another_task() {
    fn assert_send<T: Send + Unpin + 'static>(value: T) -> T {
        value
    }
    let server = crate::range::calendar();
    let mut parts = assert_send(daily(&server, days("2025-01-01", "2025-01-04")).split(PartLength::Days(2)).stream().unwrap());
    let read = tokio::spawn(async move {
        parts.next().await.unwrap().unwrap();
        // Parts that were returned are not requested again.
        (parts.resume_token().unwrap().parts_left(), parts.progress().done)
    });
    assert_eq!(read.await.unwrap(), (1, 1));
}

#[cfg(feature = "blocking")]
#[test]
fn a_range_can_block_a_thread() {
    let server = crate::range::calendar();
    let range = days("2025-01-01", "2025-01-05");
    let merged = daily(&server, range).split(PartLength::Days(2)).collect_blocking().unwrap();
    assert_eq!(merged.statistics.len(), 5);
    let mut parts = daily(&server, range).split(PartLength::Days(2)).stream().unwrap();
    let mut sizes = Vec::new();
    while let Some(part) = parts.next_blocking().unwrap() {
        sizes.push(part.unwrap().response.statistics.len());
    }
    assert_eq!(sizes, [2, 2, 1]);
}

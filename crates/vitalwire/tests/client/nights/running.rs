//! Concurrency, progress, cancellation and redaction of searches.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use vitalwire::client::CloseMode;
use vitalwire::error::ErrorKind;
use vitalwire::range::OnError;
use vitalwire_testkit::{Reply, Server, json};

use crate::nights::{Diary, days, requested_sleeps, search, sleep_id};
use crate::range::block_until_done;

#[tokio::test]
async fn nights_are_ordered_and_calls_in_flight_are_limited() {
    let diary =
        || Diary::new(&[("2025-01-01", &["a", "b"]), ("2025-01-02", &["c", "no", "d"]), ("2025-01-03", &["e"]), ("2025-07-01", &["f"])]);
    for bound in [1, 2] {
        let (running, max_in_flight) = (AtomicUsize::new(0), Arc::new(AtomicUsize::new(0)));
        let recorded = Arc::clone(&max_in_flight);
        let diary = diary();
        let server = Server::with_script(move |seen, number| {
            recorded.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            // Later requests get their responses first.
            thread::sleep(Duration::from_millis(if number % 2 == 0 { 150 } else { 50 }));
            running.fetch_sub(1, Ordering::SeqCst);
            diary.respond(seen)
        });
        let mut stream = search(&server, days("2025-01-01", "2025-07-31")).concurrency(bound).stream().unwrap();
        let mut ids = String::new();
        while let Some(night) = stream.next().await {
            ids += night.unwrap().sleep_id.as_deref().unwrap();
        }
        assert_eq!((ids.as_str(), stream.not_found()), ("abcdef", 1));
        assert_eq!(max_in_flight.load(Ordering::SeqCst), bound, "the limit is reached but not exceeded");
    }
}

#[tokio::test]
async fn progress_counts_days_and_nights() {
    let diary = Diary::new(&[("2025-01-01", &["a", "b"]), ("2025-01-02", &["bad"]), ("2025-01-04", &["no", "c"])]);
    let server =
        Server::with_script(move |seen, _| if sleep_id(seen).as_deref() == Some("bad") { json(400, "{}") } else { diary.respond(seen) });
    let expected = [(1, 4, 2), (2, 4, 2), (3, 4, 2), (4, 4, 3)];
    let reports = Arc::new(Mutex::new(Vec::new()));
    let started = || {
        let recorded = Arc::clone(&reports);
        let nights = search(&server, days("2025-01-01", "2025-01-04")).on_error(OnError::Collect);
        nights.on_progress(move |progress| recorded.lock().unwrap().push((progress.done, progress.total, progress.items)))
    };
    started().collect().await.unwrap();
    assert_eq!(*reports.lock().unwrap(), expected);
    reports.lock().unwrap().clear();
    let mut stream = started().stream().unwrap();
    while let Some(_night) = stream.next().await {}
    assert_eq!(*reports.lock().unwrap(), expected);
    assert_eq!((stream.progress().done, stream.progress().total), (4, 4));
}

#[tokio::test]
async fn dropping_the_stream_closes_the_connections_in_flight() {
    for spawned in [false, true] {
        let diary = Diary::new(&[("2025-01-01", &["a"]), ("2025-01-02", &["b"]), ("2025-01-03", &["c"])]);
        let server =
            Server::with_script(move |seen, _| if sleep_id(seen).is_some() { Reply::SendAndHang(Vec::new()) } else { diary.respond(seen) });
        let nights = search(&server, days("2025-01-01", "2025-01-03")).concurrency(2);
        let mut stream = if spawned { nights.spawned() } else { nights }.stream().unwrap();
        tokio::select! {
            _ = stream.next() => panic!("no sleep request gets a response"),
            () = server.wait_for(3) => {}
        }
        drop(stream);
        let server = tokio::task::spawn_blocking(move || {
            assert!((0..2).all(|_| server.wait_for_close().is_some()), "a connection stayed open");
            server
        });
        assert_eq!(server.await.unwrap().count(), 3);
    }
}

#[tokio::test]
async fn closing_the_client_finishes_or_aborts_its_search() {
    for closing in [CloseMode::Drain, CloseMode::Abort] {
        let server = Diary::new(&[("2025-01-01", &["a"]), ("2025-01-02", &["b"]), ("2025-01-03", &["c"])]).serve();
        let client = super::client(&server);
        let search = || client.sleeps().between(days("2025-01-01", "2025-01-03")).concurrency(1);
        let mut stream = search().stream().unwrap();
        stream.next().await.unwrap().unwrap();
        client.close(closing);
        assert_eq!(search().stream().unwrap_err().kind(), ErrorKind::Closed);
        let next = stream.next().await.unwrap();
        match closing {
            CloseMode::Abort => assert_eq!(next.unwrap_err().error().kind(), ErrorKind::Closed),
            _ => assert!(next.is_ok() && stream.next().await.unwrap().is_ok() && stream.next().await.is_none()),
        }
    }
}

#[tokio::test]
async fn spawned_days_are_read_while_the_stream_is_not_polled() {
    let server = Diary::new(&[("2025-01-01", &["a"]), ("2025-01-02", &["b", "c"]), ("2025-01-03", &["d"]), ("2025-01-04", &["e"])]).serve();
    let mut stream = search(&server, days("2025-01-01", "2025-01-04")).concurrency(2).spawned().stream().unwrap();
    assert_eq!(stream.next().await.unwrap().unwrap().sleep_id.as_deref(), Some("a"));
    // The day that was started with the first is read completely.
    server.wait_for(4).await;
    let mut remaining = 0;
    while let Some(night) = stream.next().await {
        night.unwrap();
        remaining += 1;
    }
    assert_eq!(remaining, 4);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn spawned_days_start_together() {
    let server = Diary::new(&[("2025-01-01", &["a"]), ("2025-01-02", &["b", "c"]), ("2025-01-03", &["d"])]).serve();
    let mut stream = search(&server, days("2025-01-01", "2025-01-03")).concurrency(2).spawned_within(block_until_done).stream().unwrap();
    assert_eq!(stream.next().await.unwrap().unwrap().sleep_id.as_deref(), Some("a"));
    // The third day does not start before the stream is polled again.
    assert_eq!(requested_sleeps(&server), ["a", "b", "c"]);
}

#[cfg(feature = "blocking")]
#[test]
fn a_search_can_block_a_thread() {
    let server = Diary::new(&[("2025-01-01", &["a"]), ("2025-01-02", &["b"])]).serve();
    let range = days("2025-01-01", "2025-01-02");
    assert_eq!(search(&server, range).collect_blocking().unwrap().len(), 2);
    let mut stream = search(&server, range).stream().unwrap();
    let mut count = 0;
    while let Some(night) = stream.next_blocking().unwrap() {
        night.unwrap();
        count += 1;
    }
    assert_eq!(count, 2);
    assert_eq!(search(&server, range).table_blocking(vitalwire::table::TableId::SleepStages).unwrap().len(), 2);
}

#[tokio::test]
async fn debug_output_contains_no_dates() {
    let server = Diary::new(&[("2025-01-01", &["a"])]).serve();
    let searched = search(&server, days("2025-01-01", "2025-01-01"));
    let search_text = format!("{searched:?}");
    let nights = searched.collect().await.unwrap();
    for shown in [search_text, format!("{nights:?}"), format!("{:?}", nights[0])] {
        assert!(!shown.contains("2025-"), "{shown}");
    }
}

//! Tests of blocking calls.

use std::time::{Duration, Instant};

use vitalwire::client::CallOptions;
use vitalwire::error::ErrorKind;
use vitalwire_testkit::{Reply, Server, json};

use crate::transport::{client, get};

#[test]
fn a_blocking_call_does_not_block_other_threads() {
    let server = Server::always(json(200, "[1]"));
    let client = client(&server);
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let client = client.clone();
            std::thread::spawn(move || get(&client).send_blocking())
        })
        .collect();
    for thread in threads {
        assert_eq!(&thread.join().unwrap().unwrap().body[..], b"[1]");
    }
}

#[tokio::test]
async fn a_blocking_call_inside_a_runtime_is_an_error() {
    let server = Server::always(json(200, "{}"));
    let error = get(&client(&server)).send_blocking().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Configuration);
    assert_eq!(server.count(), 0);
}

/// A thread cannot drop a call that it waits for. The deadline ends the call and its connection.
#[test]
fn a_blocking_call_closes_its_connection_at_its_deadline() {
    const DEADLINE: Duration = Duration::from_millis(300);
    const FAR: Duration = Duration::from_secs(10);
    let server = Server::always(Reply::SendAndHang(Vec::new()));
    let client = client(&server);
    let raw = || get(&client).options(CallOptions::new().timeout(DEADLINE)).send_blocking().unwrap_err();
    let typed = || client.user().info().timeout(DEADLINE).send_blocking().unwrap_err();
    let calls: [&dyn Fn() -> vitalwire::Error; 2] = [&raw, &typed];
    for call in calls {
        let started = Instant::now();
        assert_eq!(call().kind(), ErrorKind::Timeout);
        // Each call has its own connection, which is closed without waiting for the idle timeout.
        let closed = server.wait_for_close().expect("the server sees the closed connection") - started;
        assert!((DEADLINE..FAR).contains(&closed), "{closed:?}");
    }
}

/// The driver of a call also drives its new connections. Later calls on a connection must not depend on that driver.
#[test]
fn threads_and_tasks_share_connections() {
    const CALLS: usize = 25;
    // Too large for one step of a call, so that threads of the runtime take over.
    let large = format!("[{}]", "1,".repeat(1 << 20) + "1");
    let length = large.len();
    let server = Server::with_script(move |_, number| json(200, if number % 5 == 0 { &large } else { "[1]" }));
    let client = client(&server);
    let options = || CallOptions::new().max_retries(0).timeout(vitalwire_testkit::PATIENCE);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    // The first connection belongs to a call without parallel calls.
    get(&client).options(options()).send_blocking().unwrap();
    let lengths: Vec<usize> = std::thread::scope(|scope| {
        let in_a_row = || (0..CALLS).map(|_| get(&client).options(options()).send_blocking().unwrap().body.len()).collect::<Vec<_>>();
        let threads: Vec<_> = (0..3).map(|_| scope.spawn(in_a_row)).collect();
        let tasks = runtime.block_on(async {
            let mut lengths = Vec::new();
            for _ in 0..CALLS {
                lengths.push(get(&client).options(options()).send().await.unwrap().body.len());
            }
            lengths
        });
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).chain(tasks).collect()
    });
    assert_eq!((server.count(), lengths.len()), (4 * CALLS + 1, 4 * CALLS));
    assert!(lengths.iter().all(|got| [length, 3].contains(got)));
}

//! Calls from code that is not async.

use std::time::{Duration, Instant};

use vitalwire::client::CallOptions;
use vitalwire::error::ErrorKind;
use vitalwire_testkit::{Reply, Server, json};

use crate::transport::{client, get};

#[test]
fn a_call_blocks_its_thread_only() {
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
async fn a_blocking_call_inside_a_runtime_is_refused() {
    let server = Server::always(json(200, "{}"));
    let error = get(&client(&server)).send_blocking().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Configuration);
    assert_eq!(server.count(), 0);
}

/// A thread cannot drop the call that it waits in: the deadline ends it, and its connection with it.
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
        // Connections of their own: neither is kept for the other, nor until it is idle for long.
        let closed = server.closed().expect("the server sees the end of it") - started;
        assert!((DEADLINE..FAR).contains(&closed), "{closed:?}");
    }
}

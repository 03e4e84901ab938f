//! Tests of callbacks that block, and of other calls in that time.

use std::sync::{Mutex, mpsc};
use std::time::{Duration, Instant};

use vitalwire::client::{CallOptions, RawResponse};
use vitalwire::error::ErrorKind;
use vitalwire::{Client, Error};
use vitalwire_testkit::{Reply, Server, json};

use crate::transport::{builder, get};

const DEADLINE: Duration = Duration::from_millis(300);
/// Later than any deadline on a busy machine, but earlier than `CALLBACK_TIMEOUT`.
const FAR: Duration = Duration::from_secs(10);
/// Time after which a callback ends by itself, so that failed tests end.
const CALLBACK_TIMEOUT: Duration = Duration::from_secs(30);

/// A client with a callback that blocks. The receiver gets a message when the callback starts. Dropping the sender ends the callback.
fn client_with_blocking_callback(server: &Server) -> (Client, mpsc::Receiver<()>, mpsc::Sender<()>) {
    let (enter, entered) = mpsc::channel();
    let (release, released) = mpsc::channel::<()>();
    let released = Mutex::new(released);
    let callback = move |_: &_| {
        enter.send(()).unwrap();
        let _ = released.lock().unwrap().recv_timeout(CALLBACK_TIMEOUT);
    };
    (builder(server).on_attempt(callback).build().unwrap(), entered, release)
}

fn assert_timeout(started: Instant, result: Result<RawResponse, Error>) {
    assert_eq!(result.unwrap_err().kind(), ErrorKind::Timeout);
    assert!((DEADLINE..FAR).contains(&started.elapsed()), "{:?}", started.elapsed());
}

/// A callback that blocks takes one thread of its runtime.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn other_calls_keep_their_deadlines_while_a_thread_of_the_runtime_is_free() {
    let (answering, hanging) = (Server::always(json(200, "[1]")), Server::always(Reply::SendAndHang(Vec::new())));
    let ((client, entered, release), other_client) = (client_with_blocking_callback(&answering), crate::transport::client(&hanging));
    let blocked = tokio::spawn(async move { get(&client).send().await });
    tokio::task::spawn_blocking(move || entered.recv().unwrap()).await.unwrap();
    let started = Instant::now();
    let others = (0..4).map(|_| {
        let call = get(&other_client).options(CallOptions::new().timeout(DEADLINE));
        tokio::spawn(async move { assert_timeout(started, call.send().await) })
    });
    for call in others.collect::<Vec<_>>() {
        call.await.unwrap();
    }
    assert!(!blocked.is_finished());
    drop(release);
    assert_eq!(&blocked.await.unwrap().unwrap().body[..], b"[1]");
}

/// A blocking call drives the connections of its client. A callback that blocks delays only these.
#[cfg(feature = "blocking")]
#[test]
fn blocking_calls_of_other_clients_keep_their_deadlines_while_a_callback_blocks() {
    let (answering, hanging) = (Server::always(json(200, "[1]")), Server::always(Reply::SendAndHang(Vec::new())));
    let ((client, entered, release), other_client) = (client_with_blocking_callback(&answering), crate::transport::client(&hanging));
    std::thread::scope(|scope| {
        let blocked = scope.spawn(|| get(&client).send_blocking());
        entered.recv().unwrap();
        let started = Instant::now();
        assert_timeout(started, get(&other_client).options(CallOptions::new().timeout(DEADLINE)).send_blocking());
        assert!(!blocked.is_finished());
        drop(release);
        assert_eq!(&blocked.join().unwrap().unwrap().body[..], b"[1]");
    });
}

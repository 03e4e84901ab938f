//! Hooks that block: what else goes on meanwhile.

use std::sync::{Mutex, mpsc};
use std::time::{Duration, Instant};

use vitalwire::client::{CallOptions, RawResponse};
use vitalwire::error::ErrorKind;
use vitalwire::{Client, Error};
use vitalwire_testkit::{Reply, Server, json};

use crate::transport::{builder, client, get};

const DEADLINE: Duration = Duration::from_millis(300);
/// Later than any deadline on a busy machine, sooner than the hook lets go.
const FAR: Duration = Duration::from_secs(10);
/// A hook lets go by itself at last: a test that fails ends.
const LETS_GO: Duration = Duration::from_secs(30);

/// A client whose hook tells that it was called and then blocks until the second of these is dropped.
fn held(server: &Server) -> (Client, mpsc::Receiver<()>, mpsc::Sender<()>) {
    let (enter, entered) = mpsc::channel();
    let (release, released) = mpsc::channel::<()>();
    let released = Mutex::new(released);
    let hook = move |_: &_| {
        enter.send(()).unwrap();
        let _ = released.lock().unwrap().recv_timeout(LETS_GO);
    };
    (builder(server).on_attempt(hook).build().unwrap(), entered, release)
}

fn ends_in_time(started: Instant, ended: Result<RawResponse, Error>) {
    assert_eq!(ended.unwrap_err().kind(), ErrorKind::Timeout);
    assert!((DEADLINE..FAR).contains(&started.elapsed()), "{:?}", started.elapsed());
}

/// A task whose hook blocks takes one thread of its runtime.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn other_calls_keep_their_deadlines_while_a_thread_of_the_runtime_is_free() {
    let (answering, hanging) = (Server::always(json(200, "[1]")), Server::always(Reply::SendAndHang(Vec::new())));
    let ((held, entered, release), other) = (held(&answering), client(&hanging));
    let blocked = tokio::spawn(async move { get(&held).send().await });
    tokio::task::spawn_blocking(move || entered.recv().unwrap()).await.unwrap();
    let started = Instant::now();
    let others = (0..4).map(|_| {
        let call = get(&other).options(CallOptions::new().timeout(DEADLINE));
        tokio::spawn(async move { ends_in_time(started, call.send().await) })
    });
    for call in others.collect::<Vec<_>>() {
        call.await.unwrap();
    }
    assert!(!blocked.is_finished());
    drop(release);
    assert_eq!(&blocked.await.unwrap().unwrap().body[..], b"[1]");
}

/// A blocking call that is alone drives its client's connections: a hook that blocks holds up those, and no other client's.
#[cfg(feature = "blocking")]
#[test]
fn blocking_calls_of_other_clients_keep_their_deadlines_while_a_hook_blocks() {
    let (answering, hanging) = (Server::always(json(200, "[1]")), Server::always(Reply::SendAndHang(Vec::new())));
    let ((held, entered, release), other) = (held(&answering), client(&hanging));
    std::thread::scope(|scope| {
        let blocked = scope.spawn(|| get(&held).send_blocking());
        entered.recv().unwrap();
        let started = Instant::now();
        ends_in_time(started, get(&other).options(CallOptions::new().timeout(DEADLINE)).send_blocking());
        assert!(!blocked.is_finished());
        drop(release);
        assert_eq!(&blocked.join().unwrap().unwrap().body[..], b"[1]");
    });
}

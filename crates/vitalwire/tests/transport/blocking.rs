//! Calls from code that is not async.

use vitalwire::error::ErrorKind;

use crate::support::{Server, json};
use crate::{client, get};

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

//! Cancellation of an upload with a wait, at each of its await points: the caller knows the id of every record that the sandbox has.
//!
//! Each point is run 20 times, or as often as `VITALWIRE_RUNS` says.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use std::collections::BTreeSet;
use std::future::{IntoFuture, poll_fn};
use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::time::Duration;

use vitalwire::Client;
use vitalwire::client::CancelToken;
use vitalwire::error::ErrorKind;
use vitalwire_sandbox::Sandbox;

const MILLI: fn(u64) -> Duration = Duration::from_millis;

/// A PNG of one grey pixel.
const PICTURE: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0\x3a\x7e\x9b\x55\
    \0\0\0\nIDAT\x78\xda\x63\x68\0\0\0\x82\0\x81\xda\x45\x08\x3b\0\0\0\0IEND\xae\x42\x60\x82";

enum RunResult {
    /// The wait completed before the cancellation. Holds the id of the record.
    Completed(String),
    /// The wait was cancelled. Holds the id in the error.
    Cancelled(Option<String>),
}

/// Uploads and waits. The token is cancelled before poll number `at`.
async fn run(client: &Client, at: u32, announced: &Arc<Mutex<BTreeSet<String>>>) -> RunResult {
    let token = CancelToken::new();
    let announced = Arc::clone(announced);
    let call = client.nutrition_records().upload().body(PICTURE);
    let wait = call.and_wait().cancel_token(&token).interval(MILLI(3), MILLI(3)).on_progress(move |progress| {
        announced.lock().unwrap().extend(progress.record_id.map(str::to_owned));
    });
    let (mut wait, mut polls) = (wait.into_future(), 0);
    let result = poll_fn(|context| {
        if polls == at {
            token.cancel();
        }
        polls += 1;
        match wait.as_mut().poll(context) {
            // Poll again at once: the next wake-up may be seconds away.
            Poll::Pending if polls <= at => {
                context.waker().wake_by_ref();
                Poll::Pending
            }
            polled => polled,
        }
    })
    .await;
    // Cancel after the end if the wait completed before poll `at`.
    token.cancel();
    match result {
        Ok(record) => RunResult::Completed(record.record_id.to_string()),
        Err(error) => {
            assert_eq!(error.error().kind(), ErrorKind::Cancelled, "{error}");
            RunResult::Cancelled(error.record_id().map(str::to_owned))
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_caller_knows_every_uploaded_record_whenever_the_wait_is_cancelled() {
    let runs: u32 = std::env::var("VITALWIRE_RUNS").map_or(20, |runs| runs.parse().unwrap());
    let sandbox = Sandbox::builder().people(1).processing(MILLI(8)).start().await.unwrap();
    let client = Client::builder().base_url(sandbox.base_url()).token(sandbox.token()).no_proxy().build().unwrap();
    let listed = async || {
        let records = client.nutrition_records().list().await.unwrap().into_inner();
        records.iter().map(|record| record.record_id.to_string()).collect::<BTreeSet<_>>()
    };
    let before = listed().await;
    let announced = Arc::new(Mutex::new(BTreeSet::new()));
    let (mut known, mut nothing, mut ended_early, mut waited) = (BTreeSet::new(), 0, 0, 0);
    // The points are close together at first. Later polls mostly wait for a socket.
    for at in [0, 1, 2, 3, 4, 5, 6, 8, 11, 16, 23, 32, 64, 128, 256, 512, 1024, 4096, u32::MAX] {
        for _ in 0..runs {
            match run(&client, at, &announced).await {
                RunResult::Completed(id) => {
                    waited += 1;
                    known.insert(id);
                }
                RunResult::Cancelled(Some(id)) => {
                    ended_early += 1;
                    known.insert(id);
                }
                RunResult::Cancelled(None) => nothing += 1,
            }
        }
    }
    // A request without a response would create its record a little later.
    tokio::time::sleep(MILLI(300)).await;
    let made: BTreeSet<_> = listed().await.difference(&before).cloned().collect();
    let unknown: Vec<_> = made.difference(&known).collect();
    assert!(unknown.is_empty(), "{} of {} records are not known", unknown.len(), made.len());
    assert_eq!(known, *announced.lock().unwrap(), "the ids passed to the progress callback");
    // Each result occurred: nothing was sent, the wait was cancelled after the upload, or it completed.
    assert!(nothing >= runs && ended_early >= runs && waited >= runs, "{nothing}, {ended_early}, {waited}");
}

//! A token fired before an upload that is waited for, at each of its await points and after it: whatever the sandbox has, the caller knows.
//!
//! 20 runs for each point, 200 with `VITALWIRE_RUNS=200`.

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

/// What a run came to.
enum End {
    /// The record was waited for before the token was fired.
    Waited(String),
    /// The id that the error has.
    Cancelled(Option<String>),
}

/// Uploads and waits, with the token fired before the poll of that number.
async fn run(client: &Client, at: u32, told: &Arc<Mutex<BTreeSet<String>>>) -> End {
    let token = CancelToken::new();
    let told = Arc::clone(told);
    let call = client.nutrition_records().upload().body(PICTURE);
    let wait = call.and_wait().cancel_token(&token).interval(MILLI(3), MILLI(3)).on_progress(move |progress| {
        told.lock().unwrap().extend(progress.record_id.map(str::to_owned));
    });
    let (mut wait, mut polls) = (wait.into_future(), 0);
    let result = poll_fn(|context| {
        if polls == at {
            token.cancel();
        }
        polls += 1;
        match wait.as_mut().poll(context) {
            // The next point is not waited for: it may be seconds away.
            Poll::Pending if polls <= at => {
                context.waker().wake_by_ref();
                Poll::Pending
            }
            polled => polled,
        }
    })
    .await;
    // Where it was not, it is fired after the end.
    token.cancel();
    match result {
        Ok(record) => End::Waited(record.record_id.to_string()),
        Err(error) => {
            assert_eq!(error.error().kind(), ErrorKind::Cancelled, "{error}");
            End::Cancelled(error.record_id().map(str::to_owned))
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_sandbox_has_is_known_whenever_the_token_is_fired() {
    let runs: u32 = std::env::var("VITALWIRE_RUNS").map_or(20, |runs| runs.parse().unwrap());
    let sandbox = Sandbox::builder().people(1).processing(MILLI(8)).start().await.unwrap();
    let client = Client::builder().base_url(sandbox.base_url()).token(sandbox.token()).no_proxy().build().unwrap();
    let listed = async || {
        let records = client.nutrition_records().list().await.unwrap().into_inner();
        records.iter().map(|record| record.record_id.to_string()).collect::<BTreeSet<_>>()
    };
    let before = listed().await;
    let told = Arc::new(Mutex::new(BTreeSet::new()));
    let (mut known, mut nothing, mut ended_early, mut waited) = (BTreeSet::new(), 0, 0, 0);
    // Powers and their halves: the first points lie close together, the later ones are looks at a socket that has nothing yet.
    for at in [0, 1, 2, 3, 4, 5, 6, 8, 11, 16, 23, 32, 64, 128, 256, 512, 1024, 4096, u32::MAX] {
        for _ in 0..runs {
            match run(&client, at, &told).await {
                End::Waited(id) => {
                    waited += 1;
                    known.insert(id);
                }
                End::Cancelled(Some(id)) => {
                    ended_early += 1;
                    known.insert(id);
                }
                End::Cancelled(None) => nothing += 1,
            }
        }
    }
    // What was sent and not answered would be there a little later.
    tokio::time::sleep(MILLI(300)).await;
    let made: BTreeSet<_> = listed().await.difference(&before).cloned().collect();
    let unknown: Vec<_> = made.difference(&known).collect();
    assert!(unknown.is_empty(), "{} of {} records are not known", unknown.len(), made.len());
    assert_eq!(known, *told.lock().unwrap(), "what was told first");
    // Each kind of end was seen: nothing sent, a record and no result, a result.
    assert!(nothing >= runs && ended_early >= runs && waited >= runs, "{nothing}, {ended_early}, {waited}");
}

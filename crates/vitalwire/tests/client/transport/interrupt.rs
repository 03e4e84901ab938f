//! Tests of deadlines and cancellation while a received body is decompressed and decoded.

use std::io::Write;
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::GzEncoder;
use vitalwire::client::{CallOptions, CancelToken, CloseMode};
use vitalwire::error::ErrorKind;
use vitalwire::{Error, TableId};
use vitalwire_testkit::{Server, response};

use crate::transport::{builder, get};

/// Time that a call may take beyond its deadline on a busy machine.
const TOLERANCE: Duration = Duration::from_millis(500);
const END: Duration = Duration::from_millis(300);

/// Compresses spaces into one gzip member per mebibyte (RFC 1952, 2.2).
fn bomb(mebibytes: usize) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&vec![b' '; 1 << 20]).unwrap();
    encoder.finish().unwrap().repeat(mebibytes)
}

fn compressed(mebibytes: usize) -> Server {
    Server::always(response(200, &[("content-encoding", "gzip"), ("content-type", "application/json")], &bomb(mebibytes)))
}

/// Returns a list of reports of the given size.
fn reports(mebibytes: usize) -> Server {
    // A long id, because the memory for a decoded body is limited by its size.
    let item = format!(r#"{{"record_id":"{}","status":"completed","uploaded_at":"2025-01-31T06:30:00Z"}}"#, "x".repeat(400));
    let body = format!("[{}]", vec![item.as_str(); (mebibytes << 20) / item.len()].join(","));
    Server::always(response(200, &[("content-type", "application/json")], body.as_bytes()))
}

/// Checks that a call ended in time with the expected error. Returns a line with its duration.
#[track_caller]
fn check_ended(error: &Error, started: Instant, kind: ErrorKind, what: &str) -> String {
    let time = started.elapsed();
    assert_eq!((error.kind(), error.status(), error.attempts(), error.may_have_taken_effect()), (kind, Some(200), 1, false), "{what}");
    assert!(time >= END.saturating_sub(Duration::from_millis(20)) && time < END + TOLERANCE, "{what}: {time:?}");
    format!("\n{what}: {kind:?} after {time:?}")
}

#[tokio::test]
async fn decompression_ends_at_deadlines() {
    let server = compressed(2000);
    let client = builder(&server).max_response_bytes(u64::MAX).build().unwrap();
    for (options, what) in [
        (CallOptions::new().timeout(END), "gzip bomb, total"),
        (CallOptions::new().attempt_timeout(END).max_retries(0), "gzip bomb, attempt"),
    ] {
        let started = Instant::now();
        let error = get(&client).options(options).await.unwrap_err();
        println!("{}", check_ended(&error, started, ErrorKind::Timeout, what));
    }
}

#[tokio::test]
async fn decompression_ends_on_cancel_and_close() {
    let server = compressed(2000);
    for close in [false, true] {
        let client = builder(&server).max_response_bytes(u64::MAX).build().unwrap();
        let token = CancelToken::new();
        let (canceller, closed) = (token.clone(), client.clone());
        std::thread::spawn(move || {
            std::thread::sleep(END);
            if close { closed.close(CloseMode::Abort) } else { canceller.cancel() }
        });
        let started = Instant::now();
        let error = get(&client).options(CallOptions::new().cancel_token(&token)).await.unwrap_err();
        let kind = if close { ErrorKind::Closed } else { ErrorKind::Cancelled };
        println!("{}", check_ended(&error, started, kind, "gzip bomb, cancelled"));
    }
}

#[cfg(feature = "blocking")]
#[test]
fn decompression_ends_in_blocking_calls() {
    let server = compressed(2000);
    let client = builder(&server).max_response_bytes(u64::MAX).build().unwrap();
    let started = Instant::now();
    let error = get(&client).options(CallOptions::new().timeout(END)).send_blocking().unwrap_err();
    println!("{}", check_ended(&error, started, ErrorKind::Timeout, "gzip bomb, blocking, total"));
    let token = CancelToken::new();
    let canceller = token.clone();
    std::thread::spawn(move || {
        std::thread::sleep(END);
        canceller.cancel();
    });
    let started = Instant::now();
    let error = get(&client).options(CallOptions::new().cancel_token(&token)).send_blocking().unwrap_err();
    println!("{}", check_ended(&error, started, ErrorKind::Cancelled, "gzip bomb, blocking, cancelled"));
}

/// In a debug build, decoding takes far longer than reading the body.
#[tokio::test]
async fn decoding_ends_on_cancel_and_at_deadlines() {
    let server = reports(60);
    let client = builder(&server).max_response_bytes(u64::MAX).build().unwrap();
    // Measures how long reading and decoding the body take. The shorter of two runs counts, because other tests run at the same time.
    let (mut read, mut whole) = (Duration::MAX, Duration::MAX);
    for _ in 0..2 {
        let started = Instant::now();
        client.lab_reports().list().raw().await.unwrap();
        read = read.min(started.elapsed());
        let started = Instant::now();
        client.lab_reports().list().await.unwrap();
        whole = whole.min(started.elapsed());
    }
    println!("\n60 MB of reports: read in {read:?}, read and decoded in {whole:?}");
    for table in [false, true] {
        let token = CancelToken::new();
        let canceller = token.clone();
        let end = read + whole.saturating_sub(read) / 4;
        std::thread::spawn(move || {
            std::thread::sleep(end);
            canceller.cancel();
        });
        for (options, kind) in
            [(CallOptions::new().cancel_token(&token), ErrorKind::Cancelled), (CallOptions::new().timeout(end), ErrorKind::Timeout)]
        {
            let call = client.lab_reports().list().options(options);
            let started = Instant::now();
            let outcome = if table { call.table(TableId::LabResults).await.map(drop) } else { call.await.map(drop) };
            let error = outcome.unwrap_err();
            let time = started.elapsed();
            println!("table {table}, ended at {end:?}: {kind:?} after {time:?}");
            assert_eq!((error.kind(), error.status(), error.attempts()), (kind, Some(200), 1));
            assert_eq!(error.operation(), Some("list_lab_reports"));
            assert!(time < end + TOLERANCE, "{time:?}");
        }
    }
}

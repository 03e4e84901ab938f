//! The client against every fault of the sandbox, switched on once: what a read survives, and what it reports instead.

use std::collections::BTreeSet;
use std::time::Duration;

use vitalwire::Client;
use vitalwire_sandbox::civil::date;
use vitalwire_sandbox::{Fault, Sandbox};

/// See `tests/faults/README.md`.
const EXPECTED: &str = include_str!("../../../../tests/faults/outcomes.tsv");

/// How a call ends.
struct Outcome {
    /// The number of the error's kind; 0: none.
    error: u16,
    requests: u32,
    /// Whether it may have taken effect; `-` where it did not fail or only read.
    effect: &'static str,
}

/// The lines without the heading: a fault, how a read ends and how an upload does.
fn expected() -> impl Iterator<Item = (&'static str, Outcome, Outcome)> {
    EXPECTED.lines().skip(1).map(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        let [fault, error, requests, upload_error, upload_requests, effect] = cells[..] else { panic!("six cells: {line}") };
        let outcome = |error: &str, requests: &str, effect| Outcome {
            error: error.parse().expect("a number"),
            requests: requests.parse().expect("a number"),
            effect,
        };
        (fault, outcome(error, requests, "-"), outcome(upload_error, upload_requests, effect))
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_survive_what_they_can_and_name_what_they_cannot() {
    let sandbox = Sandbox::builder().today(date(2025, 11, 21)).start().await.expect("a sandbox");
    for (fault, read, upload) in expected() {
        let info = async |client: Client| client.user().info().await.map(|answer| answer.metadata().attempts);
        meet(&sandbox, fault, &read, info).await;
        let meal =
            async |client: Client| client.nutrition_records().upload().body(picture()).await.map(|answer| answer.metadata().attempts);
        meet(&sandbox, fault, &upload, meal).await;
    }
    sandbox.shutdown().await;
}

/// Makes one call with the fault switched on.
async fn meet(sandbox: &Sandbox, fault: &str, expected: &Outcome, call: impl AsyncFnOnce(Client) -> Result<u32, vitalwire::Error>) {
    // A connection that a fault has spoilt is not the next one's affair.
    let client = Client::builder().base_url(sandbox.base_url()).token(sandbox.token()).no_proxy().build().expect("a client");
    sandbox.app().faults().add(fault.parse().expect("a fault"));
    let before = sandbox.app().requests().last();
    let (error, attempts, effect) = match call(client).await {
        Ok(attempts) => (0, attempts, "-"),
        Err(error) if expected.effect == "-" => (error.kind() as u16, error.attempts(), "-"),
        Err(error) => (error.kind() as u16, error.attempts(), if error.may_have_taken_effect() { "true" } else { "false" }),
    };
    assert_eq!((error, attempts, effect), (expected.error, expected.requests, expected.effect), "{fault}");
    // The last request is logged once its body is handed over, which may be after it was read.
    for _ in 0..4_000 {
        if sandbox.app().requests().last() >= before + u64::from(expected.requests) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let seen: Vec<u32> = sandbox.app().requests().after(before).iter().map(|request| request.attempt).collect();
    assert_eq!(seen.len(), expected.requests as usize, "{fault}");
    // A call that follows a failed one at once looks like its next attempt.
    assert!(seen.windows(2).all(|pair| pair[1] == pair[0] + 1), "{fault}: {seen:?}");
    // One that is to be met twice is met once by a call that makes one attempt.
    assert!(sandbox.app().faults().list().is_empty() || fault.contains("times="), "{fault}");
    sandbox.app().faults().clear();
}

/// A PNG of one pixel.
fn picture() -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 1, 1);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.write_header().expect("a header").write_image_data(&[0]).expect("a pixel");
    bytes
}

#[test]
fn no_fault_is_left_out() {
    let refusal = "none".parse::<Fault>().expect_err("no such fault").to_string();
    let (_, known) = refusal.split_once("expected one of: ").expect("what is known");
    let known: BTreeSet<&str> = known.split(", ").collect();
    let tried: BTreeSet<&str> = expected().map(|(text, _, _)| text.split(';').next().expect("a kind")).collect();
    assert_eq!(known, tried);
}

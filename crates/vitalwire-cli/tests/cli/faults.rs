//! Every fault of the sandbox: the calls that succeed in spite of it, and the errors of the calls that fail.

use std::collections::BTreeSet;
use std::time::Duration;

use vitalwire::Client;
use vitalwire_sandbox::civil::date;
use vitalwire_sandbox::{Fault, Sandbox};

/// See `tests/faults/README.md`.
const EXPECTED: &str = include_str!("../../../../tests/faults/outcomes.tsv");

/// The outcome of a call.
struct Outcome {
    /// Number of the error kind. 0 for a success.
    error: u16,
    requests: u32,
    /// Whether the call may have taken effect. `-` for a success or a read.
    effect: &'static str,
}

/// Returns the rows of the table: a fault, and the outcomes of a read and an upload.
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
async fn each_fault_has_its_documented_outcome() {
    let sandbox = Sandbox::builder().today(date(2025, 11, 21)).start().await.expect("a sandbox");
    for (fault, read, upload) in expected() {
        let info = async |client: Client| client.user().info().await.map(|response| response.metadata().attempts);
        check_fault(&sandbox, fault, &read, info).await;
        let meal =
            async |client: Client| client.nutrition_records().upload().body(picture()).await.map(|response| response.metadata().attempts);
        check_fault(&sandbox, fault, &upload, meal).await;
    }
    sandbox.shutdown().await;
}

/// Makes one call with a fault.
async fn check_fault(sandbox: &Sandbox, fault: &str, expected: &Outcome, call: impl AsyncFnOnce(Client) -> Result<u32, vitalwire::Error>) {
    // A new client has new connections, so an earlier fault does not affect it.
    let client = Client::builder().base_url(sandbox.base_url()).token(sandbox.token()).no_proxy().build().expect("a client");
    sandbox.app().faults().add(fault.parse().expect("a fault"));
    let before = sandbox.app().requests().last();
    let (error, attempts, effect) = match call(client).await {
        Ok(attempts) => (0, attempts, "-"),
        Err(error) if expected.effect == "-" => (error.kind() as u16, error.attempts(), "-"),
        Err(error) => (error.kind() as u16, error.attempts(), if error.may_have_taken_effect() { "true" } else { "false" }),
    };
    assert_eq!((error, attempts, effect), (expected.error, expected.requests, expected.effect), "{fault}");
    // A request is logged after its response was written, which may be after the client has read it.
    for _ in 0..4_000 {
        if sandbox.app().requests().last() >= before + u64::from(expected.requests) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let seen: Vec<u32> = sandbox.app().requests().after(before).iter().map(|request| request.attempt).collect();
    assert_eq!(seen.len(), expected.requests as usize, "{fault}");
    // Requests of one call have consecutive numbers.
    assert!(seen.windows(2).all(|pair| pair[1] == pair[0] + 1), "{fault}: {seen:?}");
    // A call with a single attempt uses a fault only once, even if the fault applies twice.
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
fn every_fault_has_an_expected_outcome() {
    let rejection = "none".parse::<Fault>().expect_err("no such fault").to_string();
    let (_, known) = rejection.split_once("expected one of: ").expect("what is known");
    let known: BTreeSet<&str> = known.split(", ").collect();
    let tried: BTreeSet<&str> = expected().map(|(text, _, _)| text.split(';').next().expect("a kind")).collect();
    assert_eq!(known, tried);
}

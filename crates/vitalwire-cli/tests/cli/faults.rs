//! The client against every fault of the sandbox, switched on once: what a read survives, and what it reports instead.

use std::collections::BTreeSet;
use std::time::Duration;

use vitalwire::Client;
use vitalwire_sandbox::civil::date;
use vitalwire_sandbox::{Fault, Sandbox};

/// Lines of a fault, the number of the error's kind (0: none) and how many requests it takes; see `tests/faults/README.md`.
const EXPECTED: &str = include_str!("../../../../tests/faults/user_info.tsv");

/// The lines without the heading.
fn expected() -> impl Iterator<Item = (&'static str, u16, u32)> {
    EXPECTED.lines().skip(1).map(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        let [fault, error, requests] = cells[..] else { panic!("three cells: {line}") };
        (fault, error.parse().expect("a number"), requests.parse().expect("a number"))
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_read_survives_what_it_can_and_names_what_it_cannot() {
    let sandbox = Sandbox::builder().today(date(2025, 11, 21)).start().await.expect("a sandbox");
    for (text, error, attempts) in expected() {
        // A connection that a fault has spoilt is not the next one's affair.
        let client = Client::builder().base_url(sandbox.base_url()).token(sandbox.token()).no_proxy().build().expect("a client");
        sandbox.world().faults().add(text.parse().expect("a fault"));
        let before = sandbox.world().requests().last();
        let outcome = client.user().info().await.map_or_else(|error| error.kind() as u16, |_| 0);
        assert_eq!(outcome, error, "{text}");
        // The last request is logged once its body is handed over, which may be after it was read.
        for _ in 0..4_000 {
            if sandbox.world().requests().last() >= before + u64::from(attempts) {
                break;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let seen: Vec<u32> = sandbox.world().requests().after(before).iter().map(|request| request.attempt).collect();
        let wanted: Vec<u32> = (1..=attempts).collect();
        assert_eq!(seen.len(), wanted.len(), "{text}");
        // A call that follows a failed one at once looks like its next attempt.
        assert!(seen.windows(2).all(|pair| pair[1] == pair[0] + 1), "{text}: {seen:?}");
        assert!(sandbox.world().faults().list().is_empty(), "{text}");
        sandbox.world().faults().clear();
    }
    sandbox.shutdown().await;
}

#[test]
fn no_fault_is_left_out() {
    let refusal = "none".parse::<Fault>().expect_err("no such fault").to_string();
    let (_, known) = refusal.split_once("known are: ").expect("what is known");
    let known: BTreeSet<&str> = known.split(", ").collect();
    let tried: BTreeSet<&str> = expected().map(|(text, _, _)| text.split(';').next().expect("a kind")).collect();
    assert_eq!(known, tried);
}

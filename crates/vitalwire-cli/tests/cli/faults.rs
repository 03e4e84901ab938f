//! The client against every fault of the sandbox, switched on once: what a read survives, and what it reports instead.

use std::collections::BTreeSet;
use std::time::Duration;

use vitalwire::Client;
use vitalwire::error::ErrorKind::{self, Authentication, Decode, RateLimited, TooLarge};
use vitalwire_sandbox::civil::date;
use vitalwire_sandbox::{Fault, Sandbox};

/// A fault, how the call ends, and how many requests it takes: only what may be answered otherwise next time is asked again.
const EXPECTED: [(&str, Result<(), ErrorKind>, u32); 25] = [
    ("delay; delay_ms=50", Ok(()), 1),
    ("status; status=503", Ok(()), 2),
    ("status; status=503; times=2; body=html", Ok(()), 3),
    ("status; status=503; retry_after=1", Ok(()), 2),
    ("status; status=429; retry_after_date=1", Ok(()), 2),
    // It asks to come back later than a call may take.
    ("status; status=429; retry_after=86400", Err(RateLimited), 1),
    // A token of one's own cannot be renewed.
    ("status; status=401", Err(Authentication), 1),
    ("slow; bytes=64; pause_ms=2", Ok(()), 1),
    ("reset_before", Ok(()), 2),
    ("reset_after", Ok(()), 2),
    ("reset_mid_body", Ok(()), 2),
    ("truncate", Ok(()), 2),
    ("wrong_length; by=10", Ok(()), 2),
    ("wrong_length; by=-10", Err(Decode), 1),
    ("malformed_json", Err(Decode), 1),
    ("html", Err(Decode), 1),
    ("unknown_values", Ok(()), 1),
    ("unknown_members", Ok(()), 1),
    ("nulls", Ok(()), 1),
    ("nulls; what=both", Ok(()), 1),
    ("missing_offsets", Ok(()), 1),
    ("gzip", Ok(()), 1),
    ("gzip; megabytes=65", Err(TooLarge), 1),
    ("big_body; megabytes=1", Ok(()), 1),
    ("big_body; megabytes=65", Err(TooLarge), 1),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_read_survives_what_it_can_and_names_what_it_cannot() {
    let sandbox = Sandbox::builder().today(date(2025, 11, 21)).start().await.expect("a sandbox");
    for (text, expected, attempts) in EXPECTED {
        // A connection that a fault has spoilt is not the next one's affair.
        let client = Client::builder().base_url(sandbox.base_url()).token(sandbox.token()).no_proxy().build().expect("a client");
        sandbox.world().faults().add(text.parse().expect("a fault"));
        let before = sandbox.world().requests().last();
        let outcome = client.user().info().await.map(|_| ()).map_err(|error| error.kind());
        assert_eq!(outcome, expected, "{text}");
        // The last request is logged once its body is handed over, which may be after it was read.
        for _ in 0..200 {
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
    let tried: BTreeSet<&str> = EXPECTED.iter().map(|(text, _, _)| text.split(';').next().expect("a kind")).collect();
    assert_eq!(known, tried);
}

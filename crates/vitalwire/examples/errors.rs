//! Four failures, and a decision for each: `cargo run --example errors`.
//!
//! Base URL and token come from `VITALWIRE_BASE_URL` and `VITALWIRE_TOKEN`; `vitalwire sandbox` starts a service with synthetic people and
//! prints both.

#![allow(clippy::print_stdout, reason = "a program that prints")]

// --8<-- [start:program]
use vitalwire::prelude::*;

/// Returns advice for a failed call.
fn advice(error: &Error) -> String {
    if error.may_have_taken_effect() {
        return "look for the record before you send it again".to_owned();
    }
    if error.is_not_found() {
        return "there is no such record".to_owned();
    }
    if error.is_transient() {
        // The client has retried if that was safe. Without Retry-After, wait a minute.
        return format!("try again in {} s", error.retry_after().map_or(60, |delay| delay.as_secs()));
    }
    let rejected = error.problem().into_iter().flat_map(|problem| &problem.errors).filter_map(|field| field.location.as_deref());
    format!("correct the request: {}", rejected.collect::<Vec<_>>().join(", "))
}

/// Makes the sandbox play a failure. Other services ignore the header.
fn play(fault: &str) -> CallOptions {
    CallOptions::new().header("x-sandbox-fault", fault)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let client = Client::from_env()?;
    let days = DateRange::new("2025-11-14".parse()?, "2025-11-20".parse()?)?;
    let overloaded = play("status; status=503; retry_after=120");
    let interrupted = play("reset_after");
    let failures = [
        client.sleeps().get("00000000-0000-4000-8000-000000000000").await.err(),
        client.statistics().daily(days, ["sleepiness"]).await.err(),
        client.user().info().options(overloaded).await.err(),
        client.lab_reports().upload("Glucose 92 mg/dL".as_bytes(), "report.txt").options(interrupted).await.err(),
    ];
    for error in failures.iter().flatten() {
        println!("{} {}: {}", error.code(), error.kind(), advice(error));
    }
    Ok(())
}
// --8<-- [end:program]

#[allow(clippy::main_recursion, dead_code, reason = "a test of the command line calls it")]
pub(crate) fn run() -> Result<(), vitalwire::error::BoxError> {
    Ok(main()?)
}

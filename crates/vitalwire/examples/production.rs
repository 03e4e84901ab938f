//! Settings for production, and a callback for metrics: `cargo run --example production`.
//!
//! Base URL and token come from `VITALWIRE_BASE_URL` and `VITALWIRE_TOKEN`; `vitalwire sandbox` starts a service with synthetic people and
//! prints both.

#![allow(clippy::print_stdout, reason = "a program that prints")]

// --8<-- [start:program]
use std::time::Duration;

use vitalwire::client::{ClientBuilder, RetryPolicy};
use vitalwire::prelude::*;

#[tokio::main]
async fn main() -> Result<(), Error> {
    let client = ClientBuilder::from_env()?
        .user_agent("my-server/1.0")
        .connect_timeout(Duration::from_secs(5))
        .timeout(Duration::from_secs(20))
        .retry_policy(RetryPolicy::default().max_retries(4).max_delay(Duration::from_secs(2)))
        .max_connections(16)
        .on_attempt(|attempt| {
            // Send these fields to your metrics. None of them contains health data or a token.
            let status = attempt.status.map_or("no response".to_owned(), |status| status.to_string());
            println!("{}, attempt {}: {status}", attempt.operation, attempt.attempt);
        })
        .build()?;
    let user = client.user().info().await?;
    println!("{} providers after {} attempts", user.integrated_providers.len(), user.metadata().attempts);
    Ok(())
}
// --8<-- [end:program]

#[allow(clippy::main_recursion, dead_code, reason = "a test of the command line calls it")]
pub(crate) fn run() -> Result<(), vitalwire::error::BoxError> {
    Ok(main()?)
}

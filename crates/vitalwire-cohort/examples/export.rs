//! A dataset of many users: `cargo run -p vitalwire-cohort --features dataset --example export`.
//!
//! The base URL comes from `VITALWIRE_BASE_URL`, and the users from `users.csv`.

#![allow(clippy::print_stdout, reason = "a program that prints")]

// --8<-- [start:program]
use vitalwire::client::ClientBuilder;
use vitalwire::error::BoxError;
use vitalwire::range::DateRange;
use vitalwire_cohort::dataset::{Export, NextRun};
use vitalwire_cohort::{CohortReader, CohortTable, RateLimits, Selection, UserCredentials};

#[tokio::main]
async fn main() -> Result<(), BoxError> {
    let users = UserCredentials::from_file("users.csv")?;
    let days = DateRange::new("2025-11-14".parse()?, "2025-11-20".parse()?)?;
    let selection = Selection::new(users.ids(), [CohortTable::Daily, CohortTable::Sleeps], days)?;
    let limits = RateLimits::new().per_second(20.0)?;
    let reader = CohortReader::new(ClientBuilder::from_env()?, users, limits)?;

    // The next run of this program requests only what is new, and the last 7 days again.
    let next = NextRun::plan(&reader, "study", selection, true).await?;
    let summary = Export::new(next.plan).resume(true).run(&reader, "study", |_| ()).await?;
    println!("{} rows added, {} failures", summary.total().added, summary.failures);
    Ok(())
}
// --8<-- [end:program]

#[allow(clippy::main_recursion, dead_code, reason = "a test of the command line calls it")]
pub(crate) fn run() -> Result<(), BoxError> {
    main()
}

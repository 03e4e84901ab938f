//! A year of daily statistics as a CSV file: `cargo run --features csv --example year`.
//!
//! Base URL and token come from `VITALWIRE_BASE_URL` and `VITALWIRE_TOKEN`; `vitalwire sandbox` starts a service with synthetic people and
//! prints both.

#![allow(clippy::print_stdout, reason = "a program that prints")]

// --8<-- [start:program]
use std::fs::{self, File};

use vitalwire::error::BoxError;
use vitalwire::prelude::*;
use vitalwire::range::OnError;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), BoxError> {
    let year = DateRange::new("2025-01-01".parse()?, "2025-12-31".parse()?)?;
    let statistics = Client::from_env()?.statistics().daily(year, ["steps", "heartrate_resting"]);
    let mut call = statistics.split(PartLength::Days(30)).on_error(OnError::Collect);

    // With the resume token of an earlier run, only the remaining parts are requested.
    let mut file = "2025.csv";
    if let Ok(token) = fs::read_to_string("2025.resume") {
        call = call.resume(&token.parse()?);
        file = "2025-rest.csv";
    }
    let call = call.on_progress(|progress| println!("part {} of {}, {} days", progress.done, progress.total, progress.items));
    let table = call.table(TableId::DailyStatistics).await?;

    table.write_csv(File::create(file)?)?;
    println!("{} rows in {file}, {} parts failed", table.len(), table.failures().len());
    match table.resume_token() {
        Some(token) => fs::write("2025.resume", token.to_string())?,
        None => drop(fs::remove_file("2025.resume")),
    }
    Ok(())
}
// --8<-- [end:program]

#[allow(clippy::main_recursion, dead_code, reason = "a test of the command line calls it")]
pub(crate) fn run() -> Result<(), BoxError> {
    main()
}

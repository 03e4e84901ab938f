//! A year of daily statistics as CSV files: `cargo run --example year`.
//!
//! Base URL and token come from `VITALWIRE_BASE_URL` and `VITALWIRE_TOKEN`; `vitalwire sandbox` starts a service with synthetic people and
//! prints both.

#![allow(clippy::print_stdout, reason = "a program that prints")]

// --8<-- [start:program]
use std::fs;
use std::io::Write as _;

use tempfile::NamedTempFile;
use vitalwire::error::BoxError;
use vitalwire::models::{DailyBucket, StatisticsValues};
use vitalwire::prelude::*;
use vitalwire::range::{OnError, RangeError};

const TOKEN_FILE: &str = "2025.resume";

/// Replaces a file. Only its owner can read it.
fn write(name: &str, text: &str) -> Result<(), BoxError> {
    let mut file = NamedTempFile::new_in(".")?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(name)?;
    Ok(())
}

/// Returns a row as CSV. A missing value is an empty field.
fn row(day: &DailyBucket) -> Option<String> {
    let field =
        |get: fn(&StatisticsValues) -> Option<f64>| day.values.as_ref().and_then(get).map_or(String::new(), |value| value.to_string());
    Some(format!("{},{},{}\n", day.date?, field(StatisticsValues::steps), field(StatisticsValues::heartrate_resting)))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), BoxError> {
    let client = Client::from_env()?;
    let user_id = client.user().info().await?.application_user_id.clone().ok_or("the response has no user id")?;
    let year = DateRange::new("2025-01-01".parse()?, "2025-12-31".parse()?)?;
    let call = client.statistics().daily(year, ["steps", "heartrate_resting"]).split(PartLength::Days(30));
    // The resume token of another user is rejected.
    let mut call = call.on_error(OnError::Collect).resume_key(user_id);
    // With the resume token of an earlier run, only the remaining parts are requested.
    if let Ok(token) = fs::read_to_string(TOKEN_FILE) {
        call = call.resume(&token.parse()?);
    }

    let (mut parts, mut failure) = (call.stream()?, None);
    while let Some(part) = parts.next().await {
        match part {
            Ok(part) => {
                let rows: String = part.response.statistics.iter().filter_map(row).collect();
                write(&format!("2025-part-{:02}.csv", part.index), &format!("date,steps,heartrate_resting\n{rows}"))?;
            }
            Err(failed) => failure = Some(failed),
        }
        // The token is written after the rows, because it excludes them.
        match parts.resume_token() {
            Some(token) => write(TOKEN_FILE, &token.to_string())?,
            None => drop(fs::remove_file(TOKEN_FILE)),
        }
        let progress = parts.progress();
        println!("part {} of {}, {} days", progress.done, progress.total, progress.items);
    }
    // The next run reads the failed parts.
    failure.map_or(Ok(()), |failed| Err(RangeError::from(failed).into()))
}
// --8<-- [end:program]

#[allow(clippy::main_recursion, dead_code, reason = "a test of the command line calls it")]
pub(crate) fn run() -> Result<(), BoxError> {
    main()
}

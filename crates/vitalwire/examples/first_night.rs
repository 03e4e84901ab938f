//! The deep sleep of each night of a week: `cargo run --example first_night`.
//!
//! Base URL and token come from `VITALWIRE_BASE_URL` and `VITALWIRE_TOKEN`; `vitalwire sandbox` starts a service with synthetic people and
//! prints both.

#![allow(clippy::print_stdout, reason = "a program that prints")]

// --8<-- [start:readme]
use vitalwire::{open_sets::SleepStageName::Deep, prelude::*};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let days = DateRange::new("2025-11-14".parse()?, "2025-11-20".parse()?)?;
    let nights = Client::from_env()?.sleeps().between(days).include_stages(true).collect().await?;
    for night in &*nights {
        let deep: Option<i64> = night.stages.iter().filter(|stage| stage.stage == Some(Deep)).map(|stage| stage.duration).sum();
        let (Some(day), Some(deep @ 1..)) = (night.days.first(), deep) else { continue };
        println!("{day} {} min of deep sleep", deep / 60_000);
    }
    Ok(())
}
// --8<-- [end:readme]

#[allow(clippy::main_recursion, dead_code, reason = "a test of the command line calls it")]
pub(crate) fn run() -> Result<(), vitalwire::error::BoxError> {
    Ok(main()?)
}

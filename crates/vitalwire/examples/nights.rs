//! The nights of a week, stage by stage: `cargo run --example nights`.
//!
//! Base URL and token come from `VITALWIRE_BASE_URL` and `VITALWIRE_TOKEN`; `vitalwire sandbox` starts a service with synthetic people and
//! prints both.

#![allow(clippy::print_stdout, reason = "a program that prints")]

// --8<-- [start:program]
use vitalwire::prelude::*;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let client = Client::from_env()?;
    let days = DateRange::new("2025-11-14".parse()?, "2025-11-20".parse()?)?;
    let mut nights = client.sleeps().between(days).include_stages(true).stream()?;
    while let Some(night) = nights.next().await {
        let night = night?;
        for day in &night.days {
            println!("{day}: score {}", night.score.map_or("unknown".to_owned(), |score| score.to_string()));
        }
        for stage in &night.stages {
            let name = stage.stage.as_ref().map_or("unknown", |name| name.as_str());
            let minutes = stage.duration.map_or("unknown".to_owned(), |duration| (duration / 60_000).to_string());
            println!("  {name:10} {minutes} min");
        }
    }
    Ok(())
}
// --8<-- [end:program]

#[allow(clippy::main_recursion, dead_code, reason = "a test of the command line calls it")]
pub(crate) fn run() -> Result<(), vitalwire::error::BoxError> {
    Ok(main()?)
}

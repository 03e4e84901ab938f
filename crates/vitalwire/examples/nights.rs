//! The sleeps of a week, stage by stage: `cargo run --example nights -- 2025-11-14 2025-11-20`.
//!
//! Base URL and token come from `VITALWIRE_BASE_URL` and `VITALWIRE_TOKEN`; `vitalwire sandbox` starts a service with synthetic people and
//! prints both.

#![allow(clippy::print_stdout, reason = "a program that prints")]

use vitalwire::prelude::*;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let mut days = std::env::args().skip(1);
    let mut day = || days.next().unwrap_or_default().parse::<Date>();
    run(&Client::from_env()?, DateRange::new(day()?, day()?)?).await
}

pub(crate) async fn run(client: &Client, days: DateRange) -> Result<(), Error> {
    let mut nights = client.sleeps().between(days).include_stages(true).stream()?;
    while let Some(night) = nights.next().await {
        let night = night?;
        println!("{} stages", night.stages.len());
        for stage in &night.stages {
            let name = stage.stage.as_ref().map_or("unknown", |name| name.as_str());
            println!("  {name:10} {} min", stage.duration.unwrap_or_default() / 60_000);
        }
    }
    Ok(())
}

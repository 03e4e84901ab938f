//! The steps of each day, read a month at a time: `cargo run --example steps -- 2025-01-01 2025-11-20`.
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
    // Each part is a call with its own retries; they are merged in the order of the days.
    let year = client.statistics().daily(days, ["steps"]).split(PartLength::Days(30)).collect().await?;
    for day in &*year {
        let steps = day.values.as_ref().and_then(|values| values.steps());
        let date = day.date.map_or_else(String::new, |date| date.to_string());
        println!("{date} {}", steps.map_or_else(|| "no data".to_owned(), |steps| steps.to_string()));
    }
    Ok(())
}

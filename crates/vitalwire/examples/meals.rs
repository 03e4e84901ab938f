//! The meals of the last days, each read again by its id: `cargo run --example meals`.
//!
//! Base URL and token come from `VITALWIRE_BASE_URL` and `VITALWIRE_TOKEN`; `vitalwire sandbox` starts a service with synthetic people and
//! prints both.

#![allow(clippy::print_stdout, reason = "a program that prints")]

use vitalwire::prelude::*;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let client = Client::from_env()?;
    for meal in client.nutrition_records().list().await? {
        // Pass the id from one response to the next call.
        match client.nutrition_records().get(&meal.record_id).await {
            Ok(meal) => println!("{}: {}", meal.dish_name.as_deref().unwrap_or("a meal"), meal.status),
            Err(error) if error.is_not_found() => println!("deleted meanwhile"),
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[allow(clippy::main_recursion, dead_code, reason = "a test of the command line calls it")]
pub(crate) fn run() -> Result<(), vitalwire::error::BoxError> {
    Ok(main()?)
}

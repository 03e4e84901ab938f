//! The consent of a user to connect a wearable: `cargo run --example consent`.
//!
//! Base URL and token come from `VITALWIRE_BASE_URL` and `VITALWIRE_TOKEN`; `vitalwire sandbox` starts a service with synthetic people and
//! prints both.

#![allow(clippy::print_stdout, reason = "a program that prints")]

// --8<-- [start:program]
use uuid::Uuid;
use vitalwire::consent::{ConsentRedirect, Outcome};
use vitalwire::error::BoxError;
use vitalwire::prelude::*;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), BoxError> {
    let client = Client::from_env()?;
    // Keep the state in the session of the user.
    let state = Uuid::new_v4().to_string();
    let start = client.integrations().init_url("oura").redirect_uri("https://app.example.org/connected").state(&state).await?;
    println!("open {}", start.path.as_deref().unwrap_or_default());

    println!("paste the URL that the browser ends at:");
    let mut redirect = String::new();
    std::io::stdin().read_line(&mut redirect)?;
    let redirect = ConsentRedirect::parse(&redirect, Some(&state))?;
    let provider = redirect.provider_slug().ok_or("the redirect has no provider")?;
    match redirect.outcome() {
        Outcome::Completed => println!("{} is connected", provider.as_str()),
        _ => println!("{} is not connected", provider.as_str()),
    }
    Ok(())
}
// --8<-- [end:program]

#[allow(clippy::main_recursion, dead_code, reason = "a test of the command line calls it")]
pub(crate) fn run() -> Result<(), BoxError> {
    main()
}

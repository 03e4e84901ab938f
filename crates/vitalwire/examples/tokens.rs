//! A token that renews itself: `cargo run --example tokens`.
//!
//! `vitalwire sandbox --ready-json` prints the base URL, the application id and the application key.

#![allow(clippy::print_stdout, reason = "a program that prints")]

// --8<-- [start:program]
use std::time::{Duration, SystemTime};

use vitalwire::client::{ClientBuilder, RefreshReason, Token};
use vitalwire::error::BoxError;
use vitalwire::prelude::*;
use vitalwire::signing::sign_user_id;

/// Time after which a token is replaced. The response does not state how long it is valid.
const LIFETIME: Duration = Duration::from_secs(60 * 60);

#[tokio::main]
async fn main() -> Result<(), BoxError> {
    let service = Client::from_env()?;
    let application_id: i64 = std::env::var("APPLICATION_ID")?.parse()?;
    let key = std::env::var("APPLICATION_KEY")?;

    let provider = move |reason: RefreshReason| {
        println!("token: {reason:?}");
        let (service, key) = (service.clone(), key.clone());
        async move {
            let signature = sign_user_id(key, "person-1")?;
            let response = service.tokens().exchange(application_id, "person-1", signature).await?;
            Ok::<_, BoxError>(Token::expiring(&response.access_token, SystemTime::now() + LIFETIME))
        }
    };
    let client = ClientBuilder::from_env()?.token_provider(provider).build()?;

    for _ in 0..2 {
        let user = client.user().info().await?;
        println!("{} providers", user.integrated_providers.len());
    }
    Ok(())
}
// --8<-- [end:program]

#[allow(clippy::main_recursion, dead_code, reason = "a test of the command line calls it")]
pub(crate) fn run() -> Result<(), BoxError> {
    main()
}

//! The first https response of a new client.

use std::time::Instant;

use anyhow::{Context, Result};
use vitalwire::Client;
use vitalwire_testkit::Authority;

use crate::report::Line;
use crate::rounds::{Budget, median};
use crate::{payload, server};

/// Maximum time from a new client to its first response, in milliseconds.
const MAX_MILLISECONDS: f64 = 5.0;

/// Measures new clients one after another, each with its own connection.
///
/// # Errors
/// Any error of a call.
pub fn run(budget: Budget) -> Result<Vec<Line>> {
    let authority = Authority::new();
    let address = server::start(payload::user_info(), Some(authority.server("127.0.0.1")))?;
    let mut responses = Vec::new();
    for _ in 0..budget.rounds {
        let builder = Client::builder().base_url(format!("https://{address}")).token("bench").no_proxy();
        let client = builder.ca_certificate(authority.pem()).only_custom_certificates(true).build()?;
        let runtime = server::runtime()?;
        let started = Instant::now();
        runtime.block_on(client.user().info().send()).context("the first https call")?;
        responses.push(started.elapsed().as_secs_f64() * 1e3);
    }
    let response = median(responses);
    Ok(vec![Line::new("first https response", format!("{response:.2} ms"), String::new(), response).at_most(MAX_MILLISECONDS)])
}

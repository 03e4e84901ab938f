//! The first https response of a new client, and the time to read the platform's root certificates.

use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result};
use vitalwire::Client;
use vitalwire_testkit::Authority;

use super::rounds::median;
use super::{Effort, server};
use crate::payload;
use crate::report::Line;

/// Maximum time from a new client to its first response, in milliseconds.
const GATE: f64 = 5.0;

/// Measures new clients one after another, each with its own connection.
///
/// # Errors
/// Any error of a call.
pub fn run(effort: Effort) -> Result<Vec<Line>> {
    let authority = Authority::new();
    let address = server::start(payload::user_info(), Some(authority.server("127.0.0.1")))?;
    let (mut builds, mut responses) = (Vec::new(), Vec::new());
    for _ in 0..effort.rounds {
        let started = Instant::now();
        let client = Client::builder()
            .base_url(format!("https://{address}"))
            .token("bench")
            .no_proxy()
            .ca_certificate(authority.pem())
            .only_custom_certificates(true)
            .build()?;
        builds.push(started.elapsed().as_secs_f64() * 1e3);
        let runtime = server::runtime()?;
        let started = Instant::now();
        runtime.block_on(client.user().info().send()).context("the first https call")?;
        responses.push(started.elapsed().as_secs_f64() * 1e3);
    }
    let mut roots = Vec::new();
    for _ in 0..effort.rounds {
        let started = Instant::now();
        rustls_platform_verifier::Verifier::new(Arc::new(rustls::crypto::ring::default_provider())).context("the platform's roots")?;
        roots.push(started.elapsed().as_secs_f64() * 1e3);
    }
    let (build, response, roots) = (median(builds), median(responses), median(roots));
    let milliseconds = |value: f64| format!("{value:.2} ms");
    Ok(vec![
        Line::new("client build", milliseconds(build), String::new(), build),
        Line::new("first https response", milliseconds(response), String::new(), response).at_most(GATE),
        Line::new("platform roots, once a client", milliseconds(roots), String::new(), roots),
    ])
}

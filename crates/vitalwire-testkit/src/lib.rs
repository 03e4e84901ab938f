//! Test utilities shared by several crates. They do not depend on the client, so any crate can use them.
//!
//! * [`Server`]: an HTTP server on a real socket that sends scripted responses, including broken ones, and records requests.
//! * [`Authority`]: certificates for tests. The program `vitalwire-tls-server` serves tests of other languages.
//! * [`canary`]: a text that must not appear in any output.
//! * `jsonschema`: validators of responses, with the feature `schemas`.
//! * [`memory`]: the peak memory of a process, and tests in child processes.
#![forbid(unsafe_code)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "helpers of tests may panic like the tests themselves")]

mod authority;
pub mod canary;
pub mod memory;
mod reply;
mod request;
mod server;

use std::time::Duration;

pub use authority::Authority;
#[cfg(feature = "schemas")]
pub use jsonschema;
pub use reply::{Reply, json, problem, response, response_bytes};
pub use request::Request;
pub use server::Server;

/// Maximum time to wait for an event. Generous, because machines may be slow and busy.
pub const PATIENCE: Duration = Duration::from_secs(20);

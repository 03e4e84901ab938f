//! What the tests of several crates stand on. It knows nothing of the client, so that every crate below and above it can use it.
//!
//! * [`Server`]: an HTTP server on a real socket that answers as a script says, broken answers included, and keeps what it was asked.
//! * [`Authority`]: certificates made for a test.
//! * [`canary`]: a text that must appear nowhere.
//! * `jsonschema`: validators of responses, with the feature `schemas`.
//! * [`memory`]: the peak of a process, and tests in processes of their own.
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
pub use reply::{Reply, answer, bytes_of, json, problem};
pub use request::Request;
pub use server::Server;

/// After this long, what is waited for is taken not to happen: machines may be slow and busy.
pub const PATIENCE: Duration = Duration::from_secs(20);

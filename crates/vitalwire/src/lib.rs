//! A client for a health data service: user information, sleep, statistics, lab reports, nutrition records, provider
//! integrations, and the policy benefits of a clinic service.
//!
//! ```no_run
//! # async fn example() -> Result<(), vitalwire::Error> {
//! let client = vitalwire::Client::builder().base_url("https://health.example.org").token("…").build()?;
//! let night = client.sleeps().get("6f1c9a52-0000-4000-8000-000000000000").include_stages(true).await?;
//! for stage in &night.stages {
//!     println!("{} at {}", stage.stage.as_ref().map_or("?", |name| name.as_ref()), stage.start_at.as_ref().map_or_else(String::new, |at| at.to_string()));
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Calls, parameters and models are generated from the specifications in `openapi/`; how they are sent, repeated, limited and
//! kept private is the engine's, `vitalwire-runtime`, whose modules are those of this crate too.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

#[cfg(feature = "__bench")]
#[doc(hidden)]
pub mod bench;
pub mod client;
#[cfg(feature = "__fuzzing")]
#[doc(hidden)]
pub mod fuzzing;
mod generated;
pub mod nights;
pub mod redirect;
pub mod table;
pub mod upload;
pub mod value;
pub mod webhook;

pub use client::{Client, Service};
pub use error::{Error, ErrorKind};
#[doc(hidden)]
pub use generated::client::INTERFACE;
pub use generated::meta::OPERATIONS;
pub use generated::{models, open_sets, operations, resources};
pub use vitalwire_runtime::operation::{DeadlineClass, OperationMeta, RetryClass};
pub use vitalwire_runtime::transport::AttemptEvent;
pub use vitalwire_runtime::{error, range, wait};

/// The example of the crate's README, compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

//! Engine of generated clients: errors, values, decoding, tokens, transport, calls, ranges, polling and tables.
//!
//! This crate knows no operation, model or service. A client crate adds code generated from a specification, and re-exports this crate:
//! use such a crate instead. Hidden items are for generated code and may change in any release. A generated crate requires exactly its
//! own version of the engine.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

pub mod auth;
#[cfg(feature = "blocking")]
#[doc(hidden)]
pub mod blocking;
#[doc(hidden)]
pub mod boundary;
pub mod client;
mod defaults;
pub mod error;
#[cfg(feature = "__fuzzing")]
#[doc(hidden)]
pub mod fuzzing;
pub mod model;
pub mod operation;
#[doc(hidden)]
pub mod per_process;
#[doc(hidden)]
pub mod private_files;
pub mod range;
#[doc(hidden)]
pub mod request;
#[doc(hidden)]
pub mod sigpipe;
pub mod table;
pub mod transport;
pub mod value;
pub mod wait;

/// Crates whose types appear in signatures.
#[doc(no_inline)]
pub use {bytes, http, jiff};
/// Crates that generated code refers to.
#[doc(hidden)]
pub use {reqwest, serde};

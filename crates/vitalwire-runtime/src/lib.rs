//! The engine of generated clients: errors, values, decoding, tokens, sending, calls, ranges, polling, tables.
//!
//! It names no operation, no model and no service. A client crate adds what is generated from a specification and re-exports this
//! one: use such a crate, not this one by itself. What is hidden from this documentation is for generated code and may change with
//! any release; a generated crate asks for the engine of exactly its own version.

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
pub mod range;
#[doc(hidden)]
pub mod request;
pub mod table;
pub mod transport;
pub mod value;
pub mod wait;

/// The crates whose types are in signatures.
#[doc(no_inline)]
pub use {bytes, http, jiff};
/// The crates that generated code names.
#[doc(hidden)]
pub use {reqwest, serde};

//! C wrapper of the client, declared by `bindings/c/include/vitalwire.h`.
//!
//! cbindgen generates the headers from this source. Therefore public items have the names of C, and exported functions are written without
//! macros. Pointers are references and boxes where Rust has an equivalent of the same representation:
//!
//! * `Option<&T>` is a `const T *` that may be NULL.
//! * `Option<&mut MaybeUninit<T>>` is an output parameter.
//! * `Box<T>` is a `T *` that the caller frees.
//!
//! Only `borrow`, which reads text and bytes by address and length, has unsafe code. Other modules allow `unsafe_code` only for
//! `no_mangle`.
//!
//! Builds with debug assertions check handles (see `handles`). Functions receive handles through `guard::handle`, `handles::valid` or
//! `view`, and return them through `handles::owned` or `view::child`. A test generated from the headers passes every handle to every
//! function.
//!
//! Checks, retries, deadlines and decoding belong to the core.

#![allow(non_camel_case_types, reason = "types and constants are named as in the header")]

mod arguments;
pub mod array_style;
pub mod attempts;
mod borrow;
mod call;
pub mod cancel;
pub mod client;
pub mod consent;
pub mod error;
pub mod generated;
mod guard;
mod handles;
pub mod mock;
pub mod options;
mod outcome;
mod params;
mod parts;
pub mod pending_calls;
#[cfg(feature = "__probe")]
pub mod probe;
pub mod range;
pub mod response_metadata;
mod response_slot;
pub mod signing;
pub mod skipped;
pub mod start;
pub mod sync;
#[cfg(feature = "arrow")]
pub mod table;
pub mod token;
pub mod upload;
pub mod user_data;
pub mod value;
mod view;
pub mod waits;
pub mod webhook;

//! Vitalwire for C and C++: functions with C linkage over the core client, declared by `bindings/c/include/vitalwire.h`.
//!
//! The headers are made from this source by cbindgen, so what is public here is written the way C sees it: names in C's case, no
//! macros around exported functions. Pointers are references and boxes wherever Rust has an equivalent with the same
//! representation: `Option<&T>` is a `const T *` that may be NULL, `Option<&mut MaybeUninit<T>>` is a place for a result,
//! `Box<T>` is a `T *` that the caller frees. So only `borrow`, which reads text and bytes by address and length, has
//! unsafe code; everywhere else `unsafe_code` is allowed for the attribute `no_mangle` alone.
//!
//! Builds with debug assertions know each handle and its kind (`kind`): what takes one goes through `guard::handle`, `kind::known` or `view`, what
//! gives one through `kind::owned` or `view::child`. A test that is generated from the headers tries every handle of every function.
//!
//! Nothing is decided here: checks, retries, deadlines and decoding are the core's.

#![allow(non_camel_case_types, reason = "types and constants are named as in the header")]

pub mod attempts;
mod borrow;
mod call;
pub mod cancel;
pub mod client;
pub mod consent;
pub mod error;
pub mod generated;
mod given;
mod guard;
mod kind;
pub mod mock;
pub mod options;
mod outcome;
mod params;
#[cfg(feature = "__probe")]
pub mod probe;
pub mod range;
pub mod response_metadata;
mod response_slot;
pub mod signing;
pub mod skipped;
pub mod started;
pub mod starting;
#[cfg(feature = "arrow")]
pub mod table;
pub mod token;
pub mod upload;
pub mod user_data;
pub mod value;
mod view;
pub mod waits;
pub mod webhook;

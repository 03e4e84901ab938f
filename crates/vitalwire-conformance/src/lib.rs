//! One set of cases, one judge, every language.
//!
//! A case is data ([`case`]): what a scripted server plays, the call, the request that must arrive and the outcome.
//! The [`runner`] does what a case says with the client in Rust.
#![forbid(unsafe_code)]

pub mod bytes;
pub mod case;
pub mod runner;
pub mod set;

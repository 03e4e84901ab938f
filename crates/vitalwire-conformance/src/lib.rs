//! One set of cases, one judge, every language.
//!
//! A case is data ([`case`]): what a scripted server plays, the call, the request that must arrive and the outcome. The [`judge`]
//! plays the servers of all cases and takes what came of each; runners know it by its address alone. [`rust`] is the runner of the
//! language Rust, and [`runner`] what it does with the client.
#![forbid(unsafe_code)]

pub mod bytes;
pub mod canonical;
pub mod case;
pub mod expected;
pub mod judge;
pub mod ledger;
pub mod plan;
pub mod report;
pub mod run;
pub mod runner;
pub mod rust;
pub mod set;

/// The example of the workspace's README, compiled here because no published crate can include a file from outside of it.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

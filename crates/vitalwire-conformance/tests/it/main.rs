//! Tests of the judge and of the Rust runner.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "clippy takes helpers of tests in this folder for other code")]

mod judge;
mod retries;
mod runner;
mod set;

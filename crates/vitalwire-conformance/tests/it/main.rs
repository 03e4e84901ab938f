//! The judge, and the runner in Rust.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "clippy takes helpers of tests in this folder for other code")]

mod judge;
mod replay;
mod runner;
mod set;

//! The program `vitalwire`, run as its users run it.
#![allow(clippy::expect_used, clippy::panic, reason = "helpers of tests may panic like the tests themselves")]

mod common;
mod demo;
mod export;
mod local;
mod output;
mod read;
mod sandbox;

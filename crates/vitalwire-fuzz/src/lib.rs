//! Fuzz targets of the core, of the specification loader and of the command line's unfinished outputs.
//!
//! A target is a function of bytes that panics on a defect. Its oracles check more than the absence of panics. [`targets`] lists all
//! targets; those of the resources are generated. `cargo xtask test --deep` builds this program with libFuzzer, to run one target.
//! Otherwise it replays files. The tests replay every corpus with some mutations.

#![deny(unsafe_code)]
#![allow(clippy::panic, clippy::expect_used, reason = "a panic is how a target reports")]

pub mod allocations;
pub mod generate;
pub mod json;
pub mod mutate;
pub mod openapi;
pub mod oracle;
pub mod targets;

pub use targets::{Target, target, targets};

//! Fuzz targets of the core and of the specification loader.
//!
//! A target is a function of bytes that panics where something is wrong: its oracles say more than "no panic". [`targets`] lists
//! them; those of the resources are generated. The program of this crate runs one under libFuzzer when built by
//! `cargo xtask test --deep`, and replays files otherwise; the tests replay every corpus with some mutations.

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

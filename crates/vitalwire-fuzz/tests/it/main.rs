//! Tests of the targets with their seeds, of the oracles, and of the memory budget.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod corpus;
mod memory_budget;
mod oracles;

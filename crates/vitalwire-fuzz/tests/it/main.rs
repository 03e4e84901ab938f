//! The targets on their seeds, the oracles on broken answers, and the budget of a body.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod budget;
mod corpus;
mod faults;

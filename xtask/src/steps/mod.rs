//! Steps of `cargo xtask test`: the context they share, counts of tests, retries, and running them in parallel.

mod context;
mod count;
pub(crate) mod faults;
pub(crate) mod retries;
mod sandbox;
pub(crate) mod schedule;
pub(crate) mod seconds;
mod step;
mod tls_server;

pub(crate) use context::{CommandOutput, Context, Outcome, run_and_show};
pub(crate) use count::Count;
pub(crate) use sandbox::Sandbox;
pub(crate) use step::{Occasion, Step};

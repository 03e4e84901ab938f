//! The judge on real sockets: what it lets pass, what it tells, and what it never shows.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

mod doors;
mod outcomes;
mod requests;
mod support;

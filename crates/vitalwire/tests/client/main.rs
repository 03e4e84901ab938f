//! The client as its users have it, over real sockets. One program: a folder for each part of the client.
//!
//! Expected values are worked out from the interface documents, never copied from an output.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]
#![allow(unreachable_pub, reason = "modules of one test program")]

mod api;
mod nights;
mod range;
mod table;
mod transport;
mod upload;
mod wait;
mod webhook;

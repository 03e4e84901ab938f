//! Tests of the client with real sockets. They are one program with a folder for each part of the client.
//!
//! Expected values are from the interface documents and never copied from output.

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

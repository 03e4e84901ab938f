//! The commands as they are called, and documents compared with the sources.

#![allow(clippy::unwrap_used, clippy::panic, reason = "clippy takes helpers of tests in this folder for other code")]

mod command;
mod defaults;
mod documents;

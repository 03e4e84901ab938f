//! Tests of the commands, and comparisons of documents with sources.

#![allow(clippy::unwrap_used, clippy::panic, reason = "clippy does not recognise the helpers in this folder as test code")]

mod command;
mod defaults;
mod documents;
#[cfg(unix)]
mod install;

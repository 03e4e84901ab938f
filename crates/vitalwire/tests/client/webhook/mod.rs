//! Tests of webhooks and of the redirect of the consent flow.
//!
//! Signatures are from Python's `hmac`, with the command beside each. All other expected values are from the documents.

mod bodies;
mod canaries;
mod content;
mod kinds;
mod redirect;
mod signatures;

use vitalwire::{Error, ErrorKind};

/// A body with three users, nanoseconds, times with and without an offset, a null list and an unknown event. It has no line end.
const EVENTS: &[u8] = include_bytes!("events.json");

fn kind<T>(result: Result<T, Error>) -> ErrorKind {
    result.err().expect("an error").kind()
}

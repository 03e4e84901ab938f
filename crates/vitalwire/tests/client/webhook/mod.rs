//! Webhooks and the return of the consent flow: what is taken, what is refused, what is read, what no text shows.
//!
//! Signatures were made with Python's `hmac`; the command is beside each. Everything else is worked out from the documents by hand.

mod bodies;
mod canaries;
mod content;
mod kinds;
mod redirect;
mod signatures;

use vitalwire::{Error, ErrorKind};

/// A main body: three users, nanoseconds, times without offset and with one, a null list, an unknown event. One line, no line end.
const EVENTS: &[u8] = include_bytes!("events.json");

/// The kind of an expected failure.
fn kind<T>(result: Result<T, Error>) -> ErrorKind {
    result.err().expect("an error").kind()
}

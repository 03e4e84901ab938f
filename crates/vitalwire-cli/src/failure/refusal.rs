//! What a service says of each thing that it refuses.
//!
//! Only this program tells it, to whoever gave what is refused. The client's own texts hold none of it: a message may quote its input.

use std::fmt;

use serde_json::{Value, json};
use vitalwire::{Error, ErrorKind};

use super::hint;
use crate::render::style::{clean, fit};

/// How many are printed, as many as the client's text has places of.
const MAX_REFUSALS: usize = 8;
/// The longest place and the longest message that are printed whole, in columns of a terminal.
const MAX_LOCATION: usize = 128;
const MAX_MESSAGE: usize = 256;

/// One thing that is refused. The value that the service has beside it is never printed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    location: Option<String>,
    message: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.location {
            Some(location) => write!(f, "{location}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl Refusal {
    /// As a member of a JSON object, by the interface's names.
    pub(super) fn json(&self) -> Value {
        json!({ "location": self.location, "message": self.message })
    }
}

/// What is refused of what was asked for, and how many more there are. None of who asks: an answer about a token may quote it.
pub(super) fn of(error: &Error) -> (Vec<Refusal>, usize) {
    if !matches!(error.kind(), ErrorKind::InvalidRequest | ErrorKind::NotFound | ErrorKind::TooLarge) || proves_who_asks(error) {
        return (Vec::new(), 0);
    }
    let all = error.problem().into_iter().flat_map(|problem| problem.errors.as_slice()).filter_map(|entry| {
        let message = plain(entry.message.as_deref()?, MAX_MESSAGE)?;
        Some(Refusal { location: entry.location.as_deref().and_then(|place| plain(place, MAX_LOCATION)), message })
    });
    let (mut told, mut more) = (Vec::new(), 0);
    for refusal in all {
        match told.len() {
            // Of a list, each item may be refused for the same reason at the same place.
            _ if told.contains(&refusal) => {}
            MAX_REFUSALS.. => more += 1,
            _ => told.push(refusal),
        }
    }
    (told, more)
}

/// Whether what was sent is itself a secret: a call that needs no token proves by its body who asks.
fn proves_who_asks(error: &Error) -> bool {
    hint::operation(error).is_some_and(|operation| !operation.authenticated)
}

/// A text of the service on one line of at most so many columns; `None` where nothing of it can be seen.
fn plain(text: &str, columns: usize) -> Option<String> {
    // Cut before it is cleaned too: a message may be megabytes long.
    let start: String = text.chars().take(columns.saturating_mul(2)).collect();
    let line = clean(&start);
    let line = line.trim();
    (!line.is_empty()).then(|| fit(line, columns))
}

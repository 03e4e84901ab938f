//! Details of rejected input.
//!
//! Only the command line prints them, to the user who sent the input. The client's own texts leave them out, because a message may quote
//! its input.

use std::fmt;

use serde_json::{Value, json};
use vitalwire::{Error, ErrorKind};

use super::hint;
use crate::render::style::{clean, truncate};

/// Maximum number of printed rejections: as many as the locations in the client's text.
const MAX_REJECTIONS: usize = 8;
/// Maximum width of a location and a message, in terminal columns.
const MAX_LOCATION: usize = 128;
const MAX_MESSAGE: usize = 256;

/// One rejected input. The rejected value that the service adds is never printed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Rejection {
    location: Option<String>,
    message: String,
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.location {
            Some(location) => write!(f, "{location}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl Rejection {
    /// Returns the rejection as a JSON object, with the names of the interface.
    pub(super) fn json(&self) -> Value {
        json!({ "location": self.location, "message": self.message })
    }
}

/// Returns the rejections to print, and the number of further ones. Returns none for a rejected credential: the response may quote it.
pub(super) fn rejections(error: &Error) -> (Vec<Rejection>, usize) {
    if !matches!(error.kind(), ErrorKind::InvalidRequest | ErrorKind::NotFound | ErrorKind::TooLarge) || contains_credential(error) {
        return (Vec::new(), 0);
    }
    let all = error.problem().into_iter().flat_map(|problem| problem.errors.as_slice()).filter_map(|item| {
        let message = single_line(item.message.as_deref()?, MAX_MESSAGE)?;
        Some(Rejection { location: item.location.as_deref().and_then(|place| single_line(place, MAX_LOCATION)), message })
    });
    let (mut rejections, mut more) = (Vec::new(), 0);
    for rejection in all {
        match rejections.len() {
            // Items of a list may be rejected for the same reason at the same location.
            _ if rejections.contains(&rejection) => {}
            MAX_REJECTIONS.. => more += 1,
            _ => rejections.push(rejection),
        }
    }
    (rejections, more)
}

/// Whether the request itself contains a credential: a call without a token authenticates with its body.
fn contains_credential(error: &Error) -> bool {
    hint::operation(error).is_some_and(|operation| !operation.authenticated)
}

/// Returns a text of the service on one line of at most `columns` columns. Returns `None` if no character is visible.
fn single_line(text: &str, columns: usize) -> Option<String> {
    // Cut before cleaning: a message may have megabytes.
    let start: String = text.chars().take(columns.saturating_mul(2)).collect();
    let line = clean(&start);
    let line = line.trim();
    (!line.is_empty()).then(|| truncate(line, columns))
}

//! Texts that are no values, as errors: a value is read by `?` beside a call.

use std::convert::Infallible;

use super::Error;
use crate::value::{InvalidDate, InvalidTimestamp};

impl From<InvalidDate> for Error {
    fn from(_: InvalidDate) -> Self {
        Self::invalid_argument("date", InvalidDate::TEXT)
    }
}

impl From<InvalidTimestamp> for Error {
    fn from(_: InvalidTimestamp) -> Self {
        Self::invalid_argument("timestamp", InvalidTimestamp::TEXT)
    }
}

/// Any text is a name of an open set.
impl From<Infallible> for Error {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

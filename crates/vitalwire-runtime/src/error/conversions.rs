//! Conversions from parse errors of values, so that `?` works next to calls.

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

/// Parsing an open set never fails: any text is a valid name.
impl From<Infallible> for Error {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

//! Errors: a code for the flow of a program, and details behind an opaque handle.

#![allow(unsafe_code, reason = "no_mangle only: names with C linkage")]

use vitalwire::Error;

use crate::guard::catch;
use crate::value::vitalwire_str;
use crate::view;

/// What a function failed with.
///
/// Its message holds no health data, no token, no URL and no body. What the service said, which may hold such, is in the
/// problem details.
pub struct vitalwire_error {
    pub(crate) error: Error,
    message: String,
}

impl vitalwire_error {
    /// Keeps an error with its message.
    pub(crate) fn new(error: Error) -> Self {
        Self { message: error.to_string(), error }
    }
}

/// Frees an error; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_error_free(error: Option<Box<vitalwire_error>>) {
    catch(|| drop(error));
}

/// One line to show or log: kind, status, path template, request id, places; never a value.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_error_message(error: Option<&vitalwire_error>) -> vitalwire_str {
    view::text(error, |error| Some(error.message.as_str()))
}

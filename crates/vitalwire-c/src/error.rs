//! Errors: a code for the flow of a program, and details behind an opaque handle.

#![allow(unsafe_code, reason = "no_mangle only: names with C linkage")]

use std::any::Any;

use vitalwire::Error;
use vitalwire::range::RangeError;

use crate::value::vitalwire_str;
use crate::view;

/// What a function failed with.
///
/// Its message holds no health data, no token, no URL and no body. What the service said, which may hold such, is in the
/// problem details.
pub struct vitalwire_error {
    pub(crate) error: Error,
    pub(crate) message: String,
    /// Of a wait that ended early: the record as it was read last.
    pub(crate) last: Option<Kept>,
    /// Of a range that ended early: the text of a token for what was not read.
    pub(crate) resume: Option<String>,
    /// Of a range that was collected and ended early: what was read before.
    pub(crate) so_far: Option<Kept>,
}

/// What only the call that failed knows the type of.
pub(crate) type Kept = Box<dyn Any + Send + Sync>;

impl<T> From<RangeError<T>> for vitalwire_error {
    fn from(error: RangeError<T>) -> Self {
        let resume = error.resume_token().map(ToString::to_string);
        Self { resume, ..Error::from(error).into() }
    }
}

/// Keeps an error with its message.
impl From<Error> for vitalwire_error {
    fn from(error: Error) -> Self {
        Self { message: error.to_string(), error, last: None, resume: None, so_far: None }
    }
}

/// Frees an error; NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_error_free(error: Option<Box<vitalwire_error>>) {
    view::free(error);
}

/// One line to show or log: kind, status, path template, request id, places; never a value.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_error_message(error: Option<&vitalwire_error>) -> vitalwire_str {
    view::text(error, |error| Some(error.message.as_str()))
}

/// Of a range that ended early: the text of a resume token for what was not read, which can be stored; no text where nothing was left, or
/// nothing began. It lives as long as the error.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_error_resume_token(error: Option<&vitalwire_error>) -> vitalwire_str {
    view::text(error, |error| error.resume.as_deref())
}

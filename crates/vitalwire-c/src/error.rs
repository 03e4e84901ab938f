//! Errors: a code for control flow, and an opaque handle for details.

#![allow(unsafe_code, reason = "exported functions need no_mangle")]

use std::any::Any;

use vitalwire::Error;
use vitalwire::range::RangeError;

use crate::value::vitalwire_str;
use crate::view;

/// Details of an error.
///
/// The message contains no health data, token, URL or body. The problem details of the service may contain them.
pub struct vitalwire_error {
    pub(crate) error: Error,
    pub(crate) message: String,
    /// Record as last read, after a wait that ended early.
    pub(crate) last: Option<ErasedValue>,
    /// Text of a resume token for the missing parts, after a range that ended early.
    pub(crate) resume: Option<String>,
    /// Merged range as read so far, after a collected range that ended early.
    pub(crate) partial_result: Option<ErasedValue>,
}

/// A type-erased value of the failed call.
pub(crate) type ErasedValue = Box<dyn Any + Send + Sync>;

impl<T> From<RangeError<T>> for vitalwire_error {
    fn from(error: RangeError<T>) -> Self {
        let resume = error.resume_token().map(ToString::to_string);
        Self { resume, ..Error::from(error).into() }
    }
}

impl From<Error> for vitalwire_error {
    fn from(error: Error) -> Self {
        Self { message: error.to_string(), error, last: None, resume: None, partial_result: None }
    }
}

/// Frees an error. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_error_free(error: Option<Box<vitalwire_error>>) {
    view::free(error);
}

/// Returns a message of one line to display or log: kind, status, path template, request id and positions. It never contains values of a
/// request or response.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_error_message(error: Option<&vitalwire_error>) -> vitalwire_str {
    view::text(error, |error| Some(error.message.as_str()))
}

/// Returns the text of a resume token for the missing parts of a range that ended early. `data` is NULL if no part is missing or the range
/// did not start. A later process can use a copy of the text. The text is valid as long as the error.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_error_resume_token(error: Option<&vitalwire_error>) -> vitalwire_str {
    view::text(error, |error| error.resume.as_deref())
}

//! Errors: a code for the flow of a program, and details behind an opaque handle.

#![allow(unsafe_code, reason = "no_mangle only: names with C linkage")]

use std::mem::MaybeUninit;

use vitalwire::Error;

use crate::generated::code::vitalwire_code;
use crate::generated::types::vitalwire_problem_details;
use crate::guard::catch;
use crate::value::vitalwire_str;
use crate::view;

/// What a function failed with.
///
/// Its message holds no health data, no token, no URL and no body. What the service said, which may hold such, is in the
/// problem details.
pub struct vitalwire_error {
    error: Error,
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

/// The code that the function returned; VITALWIRE_OK for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_error_code(error: Option<&vitalwire_error>) -> vitalwire_code {
    error.map_or(vitalwire_code::VITALWIRE_OK, |error| error.error.kind().into())
}

/// The code's name, the same in every language, for example `rate_limited`.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_error_kind(error: Option<&vitalwire_error>) -> vitalwire_str {
    view::text(error, |error| Some(error.error.kind().as_str()))
}

/// One line to show or log: kind, status, path template, request id, places; never a value.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_error_message(error: Option<&vitalwire_error>) -> vitalwire_str {
    view::text(error, |error| Some(error.message.as_str()))
}

/// The HTTP status, where the service answered.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_error_status(error: Option<&vitalwire_error>, value: Option<&mut MaybeUninit<u16>>) -> bool {
    view::scalar(error, value, |error| error.error.status())
}

/// The id that the service gave this request, as it came.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_error_request_id(error: Option<&vitalwire_error>) -> vitalwire_str {
    view::text(error, |error| error.error.request_id())
}

/// How long the service asks to wait before another request, in milliseconds.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_error_retry_after_ms(error: Option<&vitalwire_error>, value: Option<&mut MaybeUninit<u64>>) -> bool {
    let milliseconds = |error: &vitalwire_error| error.error.retry_after().map(|wait| u64::try_from(wait.as_millis()).unwrap_or(u64::MAX));
    view::scalar(error, value, milliseconds)
}

/// How many times the request was tried; 0 where it never came to a try.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_error_attempts(error: Option<&vitalwire_error>) -> u32 {
    error.map_or(0, |error| error.error.attempts())
}

/// The operation's id, for example `get_sleep`.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_error_operation(error: Option<&vitalwire_error>) -> vitalwire_str {
    view::text(error, |error| error.error.operation())
}

/// The operation's path with its parameters' names.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_error_path_template(error: Option<&vitalwire_error>) -> vitalwire_str {
    view::text(error, |error| error.error.path_template())
}

/// The name of the argument or setting that is refused.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_error_argument(error: Option<&vitalwire_error>) -> vitalwire_str {
    view::text(error, |error| error.error.argument())
}

/// Where the answer is not as described, for example `statistics[3].from_timestamp`.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_error_place(error: Option<&vitalwire_error>) -> vitalwire_str {
    view::text(error, |error| error.error.place())
}

/// Whether the service may have done what the failed call asked for, although no answer says so. False where it surely did not: a
/// read, a refused connection, a definite 4xx, a local check, a deadline or a cancel before it was sent. Otherwise look whether it
/// is there before sending it again.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_error_may_have_taken_effect(error: Option<&vitalwire_error>) -> bool {
    error.is_some_and(|error| error.error.may_have_taken_effect())
}

/// The id of the record that the failed call made, where that much is known.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_error_record_id(error: Option<&vitalwire_error>) -> vitalwire_str {
    view::text(error, |error| error.error.record_id())
}

/// Whether the same call may well succeed a little later. False for an upload that may have been taken.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_error_is_transient(error: Option<&vitalwire_error>) -> bool {
    error.is_some_and(|error| error.error.is_transient())
}

/// What the service said about the error, or NULL. It may hold personal data.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_error_problem(error: Option<&vitalwire_error>) -> Option<&vitalwire_problem_details> {
    view::child(error, |error| error.error.problem())
}

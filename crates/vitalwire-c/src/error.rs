//! Errors: a code for control flow, and an opaque handle for details.

#![allow(unsafe_code, reason = "exported functions need no_mangle")]

use std::any::Any;

use vitalwire::Error;
use vitalwire::range::RangeError;
use vitalwire_sync::{StateError, SyncError};

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
    /// Merged range or table as read so far, after a range that ended early.
    pub(crate) partial_result: Option<ErasedValue>,
    /// Reason why the state of a sync cannot be used.
    pub(crate) state_reason: vitalwire_state_reason,
}

/// Reason why the state of a sync cannot be used. Use the right state and the token of its user, or start again without a state. A first
/// sync returns no removed records, so remove the user's records from the copy first.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum vitalwire_state_reason {
    /// The error is not about a state.
    VITALWIRE_STATE_REASON_NONE = 0,
    /// The bytes are not those of a state, or were changed.
    VITALWIRE_STATE_REASON_DAMAGED = 1,
    /// The state has the layout of another version.
    VITALWIRE_STATE_REASON_UNSUPPORTED_VERSION = 2,
    /// The state was made with another secret.
    VITALWIRE_STATE_REASON_OTHER_KEY = 3,
    /// The state belongs to another base URL, service name or data set of a sandbox.
    VITALWIRE_STATE_REASON_OTHER_SERVICE = 4,
    /// The state belongs to another user or account.
    VITALWIRE_STATE_REASON_OTHER_USER = 5,
}

/// A type-erased value of the failed call.
pub(crate) type ErasedValue = Box<dyn Any + Send + Sync>;

impl<T: Any + Send + Sync> From<RangeError<T>> for vitalwire_error {
    fn from(error: RangeError<T>) -> Self {
        let resume = error.resume_token().map(ToString::to_string);
        let (partial_result, error) = error.into_parts();
        let partial_result = partial_result.map(|partial_result| Box::new(partial_result) as ErasedValue);
        Self { partial_result, resume, ..error.into() }
    }
}

impl From<Error> for vitalwire_error {
    fn from(error: Error) -> Self {
        Self {
            message: error.to_string(),
            error,
            last: None,
            resume: None,
            partial_result: None,
            state_reason: vitalwire_state_reason::VITALWIRE_STATE_REASON_NONE,
        }
    }
}

impl From<StateError> for vitalwire_error {
    fn from(error: StateError) -> Self {
        let state_reason = match error {
            StateError::UnsupportedVersion => vitalwire_state_reason::VITALWIRE_STATE_REASON_UNSUPPORTED_VERSION,
            StateError::OtherKey => vitalwire_state_reason::VITALWIRE_STATE_REASON_OTHER_KEY,
            StateError::OtherService => vitalwire_state_reason::VITALWIRE_STATE_REASON_OTHER_SERVICE,
            StateError::OtherUser => vitalwire_state_reason::VITALWIRE_STATE_REASON_OTHER_USER,
            _ => vitalwire_state_reason::VITALWIRE_STATE_REASON_DAMAGED,
        };
        Self { state_reason, ..Error::from(error).into() }
    }
}

impl From<SyncError> for vitalwire_error {
    fn from(error: SyncError) -> Self {
        match error {
            SyncError::State(error) => error.into(),
            other => Error::from(other).into(),
        }
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

/// Returns the reason why the state of a sync cannot be used. The code of such an error is VITALWIRE_ERROR_INVALID_ARGUMENT. Returns
/// VITALWIRE_STATE_REASON_NONE for other errors and for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn vitalwire_error_state_reason(error: Option<&vitalwire_error>) -> vitalwire_state_reason {
    view::plain(error, vitalwire_state_reason::VITALWIRE_STATE_REASON_NONE, |error| error.state_reason)
}

//! The error that crosses: one variant that holds a record, which façades turn into their language's own error.

use std::fmt;

use crate::generated::{ErrorKind, ProblemDetails, WaitedRecord};

/// Everything known of a failed call.
#[derive(Clone, uniffi::Record)]
#[uniffi::export(Debug)]
pub struct ErrorInfo {
    /// What went wrong.
    pub kind: ErrorKind,
    /// The kind's stable number, the same in every language.
    pub code: u16,
    /// A text without health data, tokens, URLs or bodies.
    pub text: String,
    /// The HTTP status, when the service answered.
    pub status: Option<u16>,
    /// The problem details, when the service sent some. They may hold personal data.
    pub problem: Option<ProblemDetails>,
    /// The id that the service gave this request.
    pub request_id: Option<String>,
    /// How long the service asks to wait, in milliseconds.
    pub retry_after_ms: Option<u64>,
    /// How many times the request was tried.
    pub attempts: u32,
    /// Whether the service may have done what the call asked for, although no answer says so.
    pub may_have_taken_effect: bool,
    /// Whether the same call may well succeed a little later; false for an upload that may have been taken.
    pub is_transient: bool,
    /// The operation, for example `get_sleep`.
    pub operation: Option<String>,
    /// The argument that cannot be sent.
    pub argument: Option<String>,
    /// Where the answer is not as described.
    pub place: Option<String>,
    /// The record that was made, where the call ended without a result: it can be waited for.
    #[uniffi(default = None)]
    pub record_id: Option<String>,
    /// That record as it was read last, if it was.
    #[uniffi(default = None)]
    pub last: Option<WaitedRecord>,
}

impl fmt::Debug for ErrorInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A failed call.
#[derive(Clone, uniffi::Error)]
#[uniffi::export(Debug, Display)]
pub enum ApiError {
    /// The only variant: façades show the record.
    Failed {
        /// Everything known of it.
        info: Box<ErrorInfo>,
    },
}

impl ApiError {
    /// An argument that has no value in the core, for example the 31st of February.
    pub(crate) fn argument(argument: &'static str) -> Self {
        vitalwire::Error::invalid_argument(argument, "is no date or time").into()
    }

    /// Something that only this side can know: cancelled, or a panic.
    pub(crate) fn of_kind(kind: vitalwire::ErrorKind) -> Self {
        vitalwire::Error::new(kind).into()
    }
}

impl From<vitalwire::Error> for ApiError {
    fn from(core: vitalwire::Error) -> Self {
        Self::Failed {
            info: Box::new(ErrorInfo {
                kind: core.kind().into(),
                code: core.code(),
                text: core.to_string(),
                status: core.status(),
                problem: core.problem().cloned().map(Into::into),
                request_id: core.request_id().map(str::to_owned),
                retry_after_ms: core.retry_after().map(|wait| u64::try_from(wait.as_millis()).unwrap_or(u64::MAX)),
                attempts: core.attempts(),
                may_have_taken_effect: core.may_have_taken_effect(),
                is_transient: core.is_transient(),
                operation: core.operation().map(str::to_owned),
                argument: core.argument().map(str::to_owned),
                place: core.place().map(str::to_owned),
                record_id: core.record_id().map(str::to_owned),
                last: None,
            }),
        }
    }
}

/// A foreign implementation failed in a way it does not declare; its text is the application's and stays there.
impl From<uniffi::UnexpectedUniFFICallbackError> for ApiError {
    fn from(_: uniffi::UnexpectedUniFFICallbackError) -> Self {
        Self::of_kind(vitalwire::ErrorKind::Authentication)
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Failed { info } = self;
        f.write_str(&info.text)
    }
}

impl fmt::Debug for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for ApiError {}

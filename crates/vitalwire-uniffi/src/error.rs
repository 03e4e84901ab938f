//! The error type of the ABI. The Swift and Kotlin packages convert it to their own error types.

use std::fmt;

use crate::generated::ErrorInfo;

/// A failed call, or a state that cannot be used.
#[derive(Clone, uniffi::Error)]
#[uniffi::export(Debug, Display)]
pub enum ApiError {
    /// A failed call. Its record has all fields of the error.
    Failed {
        /// Fields of the error.
        info: Box<ErrorInfo>,
    },
    /// A state of a sync cannot be used.
    State {
        /// The reason.
        reason: StateReason,
        /// The reason and the remedy.
        text: String,
    },
}

impl ApiError {
    /// Creates an error that occurs outside the core, such as a panic.
    pub(crate) fn from_kind(kind: vitalwire::ErrorKind) -> Self {
        vitalwire::Error::new(kind).into()
    }
}

impl From<vitalwire::Error> for ApiError {
    fn from(core: vitalwire::Error) -> Self {
        Self::Failed { info: Box::new((&core).into()) }
    }
}

/// Reason why a state cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, uniffi::Enum)]
pub enum StateReason {
    /// The bytes are not those of a state, or were changed.
    Damaged,
    /// The state has the layout of another version.
    UnsupportedVersion,
    /// The state was made with another secret.
    OtherKey,
    /// The state belongs to another base URL, service name or data set of a sandbox.
    OtherService,
    /// The state belongs to another user or account.
    OtherUser,
}

impl From<vitalwire_sync::StateError> for ApiError {
    fn from(core: vitalwire_sync::StateError) -> Self {
        let reason = match core {
            vitalwire_sync::StateError::UnsupportedVersion => StateReason::UnsupportedVersion,
            vitalwire_sync::StateError::OtherKey => StateReason::OtherKey,
            vitalwire_sync::StateError::OtherService => StateReason::OtherService,
            vitalwire_sync::StateError::OtherUser => StateReason::OtherUser,
            _ => StateReason::Damaged,
        };
        Self::State { reason, text: core.to_string() }
    }
}

/// Converts an undeclared exception of a foreign callback. Its message is dropped, because it may contain anything.
impl From<uniffi::UnexpectedUniFFICallbackError> for ApiError {
    fn from(_: uniffi::UnexpectedUniFFICallbackError) -> Self {
        Self::from_kind(vitalwire::ErrorKind::Authentication)
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Failed { info } => &info.text,
            Self::State { text, .. } => text,
        })
    }
}

impl fmt::Debug for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for ApiError {}

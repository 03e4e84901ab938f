//! The error type of the ABI. The Swift and Kotlin packages convert it to their own error types.

use std::fmt;

use crate::generated::ErrorInfo;

/// A failed call.
#[derive(Clone, uniffi::Error)]
#[uniffi::export(Debug, Display)]
pub enum ApiError {
    /// The only variant. Its record has all fields of the error.
    Failed {
        /// Fields of the error.
        info: Box<ErrorInfo>,
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

/// Converts an undeclared exception of a foreign callback. Its message is dropped, because it may contain anything.
impl From<uniffi::UnexpectedUniFFICallbackError> for ApiError {
    fn from(_: uniffi::UnexpectedUniFFICallbackError) -> Self {
        Self::from_kind(vitalwire::ErrorKind::Authentication)
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
